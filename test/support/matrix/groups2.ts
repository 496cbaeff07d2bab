import { FAULT_NAMES, type FaultName, rowOf } from './faults';
import { NOT_ON_2 } from './known2';
import { MID_TURN_ROWS, RUN_MOMENT_ROWS, RUN_ROWS, SUB_AGENT_ROWS, WIRES, wireRows } from './places';
import type { Row } from './row';
import { allCut, ROWS } from './rows';

/** A lead over each wire, and the row in which everybody is cut. */
const OVER_WIRES: readonly (readonly Row[])[] = WIRES.map((wire) => [...wireRows(wire), allCut(wire)]);

/** The rows of an ordinary turn whose lead fails, and the understudy finishes it. */
const FAULT_ROWS: readonly Row[] = FAULT_NAMES.map(rowOf);

/** One fault of each kind; those of `MID_TURN_ROWS`, which have projects of their own, stand for their kinds. */
const ONE_OF_EACH_KIND: readonly FaultName[] = [
  'answers 429',
  'answers 429 in words of a quota',
  'answers 402',
  'answers 403',
  'answers 404',
  'refuses the connection',
  'falls silent after its headers',
  'breaks off inside a tool call',
  'ends without a finish',
  'sends an empty body',
  'only thinks',
  'sends a sign-in page',
  'sends an error as JSON with status 200',
  'streams an error nobody knows',
];
/** The same of rows that no switch answers. */
const WITHOUT_SWITCH: readonly Row['when'][] = ['the lead answers 400', 'the lead calls a tool nobody has'];
const HOMES_OF_THEIR_OWN: ReadonlySet<string> = new Set([
  ...ONE_OF_EACH_KIND.map((name) => rowOf(name).when),
  ...WITHOUT_SWITCH,
]);

/**
 * These may share a project, in sessions somebody has chosen a model for: a project more is most of a turn's work. The other
 * rows have one each, and nobody chooses.
 */
export const NEIGHBOURLY: readonly Row[] = [
  ...[...FAULT_ROWS, ...ROWS].filter(({ when }) => !HOMES_OF_THEIR_OWN.has(when)),
  ...OVER_WIRES.flat(),
];

/** Rows that happen in one place. */
export type Group = readonly [given: string, rows: readonly Row[]];

/**
 * Every row of the matrix, by the place it happens in. Each part is played on an OpenCode of its own: none has to hold all
 * that the whole leaves in memory.
 *
 * @param isWhole Every fault also under `opencode run`.
 */
export const partsOn2 = (isWhole: boolean): readonly (readonly Group[])[] => [
  [['a turn', FAULT_ROWS]],
  [
    ['a turn', ROWS],
    ['a turn that has worked with a tool', MID_TURN_ROWS],
  ],
  [
    ['a sub-agent', SUB_AGENT_ROWS],
    ['`opencode run`', isWhole ? RUN_ROWS : RUN_MOMENT_ROWS],
    ...WIRES.map((wire, at): Group => [`the ${wire} wire`, OVER_WIRES[at] ?? []]),
  ],
];

/** What a row is called in the lists of what is known. */
export const nameOf = (given: string, row: Row): string => `${given}: when ${row.when}`;

/** What a row is called as a test. */
export const titleOf = ({ when, outcome }: Row): string => `when ${when}, then ${outcome}`;

/** The titles of all rows that `npm test` plays on OpenCode 2. */
export const titlesOn2 = (): readonly string[] =>
  partsOn2(false)
    .flat()
    .flatMap(([given, rows]) => rows.filter((row) => !(nameOf(given, row) in NOT_ON_2)).map(titleOf));
