import { FAULT_NAMES, type FaultName, rowOf } from './faults';
import { NOT_ON_2 } from './known2';
import { MID_TURN_ROWS, RUN_ROWS, SUB_AGENT_ROWS, WIRES, wireRows } from './places';
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

/** Rows of an ordinary turn, over each wire. */
const ORDINARY: readonly Row[] = [...FAULT_ROWS, ...ROWS, ...OVER_WIRES.flat()];

/**
 * Rows that may share a project in the nightly run, in sessions that have a chosen model: a project costs more than a turn.
 * One fault of each kind has its own project and no chosen model, as a user's first session.
 */
export const NEIGHBOURLY: readonly Row[] = ORDINARY.filter(({ when }) => !HOMES_OF_THEIR_OWN.has(when));

/** Faults that share their kind with another one. */
const PROVEN_ALIKE: ReadonlySet<FaultName> = new Set([
  'answers 429 in words of a quota',
  'answers 403',
  'answers 404',
  'sends an empty body',
  'sends a sign-in page',
]);
const CUT = rowOf('breaks off in mid-stream');
const PER_MERGE = ONE_OF_EACH_KIND.filter((name) => !PROVEN_ALIKE.has(name));
/** Rows that `npm test` plays: one of each kind, and an answer that breaks off in each place and over each wire. */
const PLAYED: ReadonlySet<string> = new Set([
  ...[...PER_MERGE.map((name) => rowOf(name).when), ...WITHOUT_SWITCH].map((when) => `a turn: ${when}`),
  'a turn: the lead is a model its provider does not have',
  `a turn that has worked with a tool: ${CUT.when} after its tool wrote a file`,
  ...WIRES.map((wire) => `the ${wire} wire: ${CUT.when}`),
  `the ${WIRES[0]} wire: ${allCut('openai-compatible').when}`,
]);

/** Tells which rows only the nightly run plays. */
export const isNightly = (given: string, { when }: Row): boolean => !PLAYED.has(`${given}: ${when}`);

/** Rows that happen in one place. */
export type Group = readonly [given: string, rows: readonly Row[]];

/** Every row of the matrix, by the place it happens in. The nightly run plays each part on its own OpenCode, to limit its memory. */
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

/** The titles of all rows that are played on OpenCode 2. */
export const titlesOn2 = (): readonly string[] =>
  PARTS_ON_2.flat().flatMap(([given, rows]) => rows.filter((row) => !(nameOf(given, row) in NOT_ON_2)).map(titleOf));
