import { FAULT_NAMES, rowOf } from './faults';
import { NOT_ON_2 } from './known2';
import { MID_TURN_ROWS, RUN_ROWS, SUB_AGENT_ROWS, WIRES, wireRows } from './places';
import type { Row } from './row';
import { allCut, ROWS } from './rows';

/** These share a project, in sessions somebody has chosen a model for; the other rows have one each, and nobody chooses. */
export const OVER_WIRES: readonly (readonly Row[])[] = WIRES.map((wire) => [...wireRows(wire), allCut(wire)]);

/** Every row of the matrix, by the place it happens in. */
export const GROUPS_ON_2: readonly (readonly [given: string, rows: readonly Row[]])[] = [
  ['a turn', [...FAULT_NAMES.map(rowOf), ...ROWS]],
  ['a turn that has worked with a tool', MID_TURN_ROWS],
  ['a sub-agent', SUB_AGENT_ROWS],
  ['`opencode run`', RUN_ROWS],
  ...WIRES.map((wire, at) => [`the ${wire} wire`, OVER_WIRES[at] ?? []] as const),
];

/** What a row is called in the lists of what is known. */
export const nameOf = (given: string, row: Row): string => `${given}: when ${row.when}`;

/** What a row is called as a test. */
export const titleOf = ({ when, outcome }: Row): string => `when ${when}, then ${outcome}`;

/** The titles of all rows that are played on OpenCode 2. */
export const titlesOn2 = (): readonly string[] =>
  GROUPS_ON_2.flatMap(([given, rows]) => rows.filter((row) => !(nameOf(given, row) in NOT_ON_2)).map(titleOf));
