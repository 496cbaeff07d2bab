import { FAULT_NAMES, type FaultName, rowOf } from './faults';
import { NOT_ON_2 } from './known2';
import { MID_TURN_ROWS, RUN_ROWS, SUB_AGENT_ROWS, WIRES, wireRows } from './places';
import type { Row } from './row';
import { allCut, ROWS } from './rows';

const OVER_WIRES: readonly (readonly Row[])[] = WIRES.map((wire) => [...wireRows(wire), allCut(wire)]);

const FAULT_ROWS: readonly Row[] = FAULT_NAMES.map(rowOf);

/** One fault of each kind; `MID_TURN_ROWS`, which have their own projects, cover their kinds. */
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
const WITHOUT_SWITCH: readonly Row['when'][] = ['the lead answers 400', 'the lead calls a tool nobody has'];
const HOMES_OF_THEIR_OWN: ReadonlySet<string> = new Set([
  ...ONE_OF_EACH_KIND.map((name) => rowOf(name).when),
  ...WITHOUT_SWITCH,
]);

const ORDINARY: readonly Row[] = [...FAULT_ROWS, ...ROWS, ...OVER_WIRES.flat()];

/**
 * Rows that may share a project in the nightly run, in sessions with a chosen model, because a project costs more than
 * a turn. One fault of each kind keeps its own project without a chosen model, as a user's first session.
 */
export const NEIGHBOURLY: readonly Row[] = ORDINARY.filter(({ when }) => !HOMES_OF_THEIR_OWN.has(when));

/** Faults of a kind that another fault covers. */
const PROVEN_ALIKE: ReadonlySet<FaultName> = new Set([
  'answers 429 in words of a quota',
  'answers 403',
  'answers 404',
  'sends an empty body',
  'sends a sign-in page',
]);
const CUT = rowOf('breaks off in mid-stream');
const PER_MERGE = ONE_OF_EACH_KIND.filter((name) => !PROVEN_ALIKE.has(name));
/** Rows of `npm test`: one of each kind, and a broken response in each place and over each wire. */
const PLAYED: ReadonlySet<string> = new Set([
  ...[...PER_MERGE.map((name) => rowOf(name).when), ...WITHOUT_SWITCH].map((when) => `a turn: ${when}`),
  'a turn: the lead is a model its provider does not have',
  `a turn that has worked with a tool: ${CUT.when} after its tool wrote a file`,
  ...WIRES.map((wire) => `the ${wire} wire: ${CUT.when}`),
  `the ${WIRES[0]} wire: ${allCut('openai-compatible').when}`,
]);

export const isNightly = (given: string, { when }: Row): boolean => !PLAYED.has(`${given}: ${when}`);

export type Group = readonly [given: string, rows: readonly Row[]];

/** Every row by place. The nightly run plays each part on a separate OpenCode, to limit its memory. */
export const PARTS_ON_2: readonly (readonly Group[])[] = [
  [['a turn', FAULT_ROWS]],
  [
    ['a turn', ROWS],
    ['a turn that has worked with a tool', MID_TURN_ROWS],
  ],
  [
    ['a sub-agent', SUB_AGENT_ROWS],
    ['`opencode run`', RUN_ROWS],
    ...WIRES.map((wire, at): Group => [`the ${wire} wire`, OVER_WIRES[at] ?? []]),
  ],
];

export const nameOf = (given: string, row: Row): string => `${given}: when ${row.when}`;

export const titleOf = ({ when, outcome }: Row): string => `when ${when}, then ${outcome}`;

export const titlesOn2 = (): readonly string[] =>
  PARTS_ON_2.flat().flatMap(([given, rows]) => rows.filter((row) => !(nameOf(given, row) in NOT_ON_2)).map(titleOf));
