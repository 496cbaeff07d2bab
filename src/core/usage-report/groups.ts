import type { UsageFigures, UsageSplit } from '../../contract/usage';
import { type Cell, createFiguresSum, type FiguresSum, figure } from '../../engine/scorecard';
import type { SplitSum } from '../base/store-rows';
import { tokensOf } from '../base/tokens';
import { addSums, costOf, figuresOfCells, figuresOfSums, noSums, type Sums } from './figures';

type Group = Readonly<{
  name: string | null;
  cells: FiguresSum | null;
  sums: Sums;
  points: readonly Sums[];
}>;

/** Other splits are only in the store's sums. */
const isInCells = (splitBy: UsageSplit): boolean => splitBy === 'model' || splitBy === 'provider';

/** `place` is a chart point. */
export type Groups = Readonly<{
  addCell(name: string, place: number, cell: Cell): void;
  addSum(sum: SplitSum, place: number): void;
  /** The busiest first, positions in order; more than `max` are merged into one without a name. */
  ranked(max: number): readonly Group[];
  series(max: number): readonly Group[];
}>;

export function createGroups(splitBy: UsageSplit, pointCount: number): Groups {
  const groups = new Map<string, Group>();
  const hasCells = isInCells(splitBy);
  const make = (name: string | null): Group => ({
    name,
    cells: hasCells ? createFiguresSum() : null,
    sums: noSums(),
    points: Array.from({ length: pointCount }, noSums),
  });
  const groupOf = (name: string): Group => {
    const group = groups.get(name) ?? make(name);
    groups.set(name, group);
    return group;
  };
  const limited = (all: readonly Group[], max: number): readonly Group[] => {
    if (all.length <= max) return all;
    const others = make(null);
    for (const group of all.slice(max - 1)) merge(others, group);
    return [...all.slice(0, max - 1), others];
  };
  const sorted = (): Group[] => [...groups.values()].sort(splitBy === 'position' ? byPosition : byWork);
  return {
    addCell(name, place, cell) {
      const { cells, points } = groupOf(name);
      cells?.add(cell);
      const point = points[place];
      if (point) addWork(point, cell);
    },
    addSum(sum, place) {
      const { sums, points } = groupOf(sum.name);
      addSums(sums, sum);
      const point = points[place];
      if (point && !hasCells) addSums(point, sum);
    },
    ranked: (max) => limited(sorted(), max),
    series(max) {
      const all = sorted();
      if (splitBy !== 'position') moveFirst(all, primaryOf(all));
      return limited(all, max);
    },
  };
}

function addWork(point: Sums, cell: Cell): void {
  point.attempts += figure(cell, 'attempts');
  point.priced += figure(cell, 'priced');
  point.costNanos += figure(cell, 'costNanos');
}

function merge(into: Group, group: Group): void {
  if (group.cells) into.cells?.add(group.cells.cell());
  addSums(into.sums, group.sums);
  for (const [place, point] of group.points.entries()) {
    const target = into.points[place];
    if (target) addSums(target, point);
  }
}

const attemptsOf = ({ points, sums }: Group): number =>
  Math.max(
    sums.attempts,
    points.reduce((all, { attempts }) => all + attempts, 0),
  );

const byText = (a: Group, b: Group): number => ((a.name ?? '') < (b.name ?? '') ? -1 : 1);
const byWork = (a: Group, b: Group): number =>
  attemptsOf(b) - attemptsOf(a) || tokensOf(b.sums) - tokensOf(a.sums) || byText(a, b);

const byPosition = (a: Group, b: Group): number => rankOf(a) - rankOf(b);
function rankOf({ name }: Group): number {
  const position = Number(name);
  return position < 0 ? Number.MAX_SAFE_INTEGER + position : position;
}

function primaryOf(all: readonly Group[]): Group | undefined {
  const primaryTurnsOf = ({ sums }: Group): number => sums.placed - sums.past;
  return all.reduce<Group | undefined>(
    (best, group) => (primaryTurnsOf(group) > (best ? primaryTurnsOf(best) : 0) ? group : best),
    undefined,
  );
}

function moveFirst(all: Group[], first: Group | undefined): void {
  if (!first) return;
  all.splice(all.indexOf(first), 1);
  all.unshift(first);
}

/** `isStored` is false without a store. */
export const figuresOfGroup = ({ cells, sums }: Group, isStored: boolean): UsageFigures =>
  cells ? figuresOfCells(cells.figures(), isStored ? sums : null) : figuresOfSums(sums);

export const attemptsOfPart = ({ points }: Group, place: number): number => points[place]?.attempts ?? 0;

/** Null without any price. */
export const costOfPart = ({ points }: Group, place: number): string | null => costOf(points[place] ?? noSums());
