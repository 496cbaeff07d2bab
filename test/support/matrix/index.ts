import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, chai, describe, expect, it } from 'vitest';
import { markKnown } from '../known';
import { sharedStage } from '../shared-stage';
import type { App, Stage } from '../stage';
import { FAULT_NAMES, type FaultName } from './faults';
import { nameOf } from './groups2';
import { housing } from './housing';
import { KNOWN } from './known';
import { MID_TURN_ROWS, RUN_ROWS, rowUnless, SUB_AGENT_ROWS, unknownEndRows, WIRES, wireRows } from './places';
import { lookedAt, type Played, play } from './play';
import type { Row } from './row';
import { allCut, ROWS } from './rows';

/** A failed row reports its actual result in the message, which is all that reports contain. */
chai.config.truncateThreshold = 0;

/** Only the whole proof uses a repository for rows of one wire, because it makes no difference per wire. */
const outOfGit = (row: Row): Row => ({ ...row, options: { ...row.options, git: false } });

type Group = readonly [given: string, rows: readonly Row[]];

/** Each kind of failure once; `npm test` covers the others over the wires, on OpenCode 2, or without an OpenCode. */
const PER_MERGE: readonly FaultName[] = [
  'answers 429',
  'answers 401',
  'refuses the connection',
  'stalls between two words',
  'breaks off inside a tool call',
  'ends without a finish',
  'stops without a word',
  'sends an error as JSON with status 200',
  'streams an error after some words',
];

/** Parts run one after another to limit the memory of each OpenCode. */
const partsOf = (isWhole: boolean): readonly (readonly Group[])[] => [
  [['a turn', [...FAULT_NAMES.map((name) => rowUnless(PER_MERGE, name)), ...ROWS]]],
  [
    ['a turn that has worked with a tool', MID_TURN_ROWS],
    ['a sub-agent', SUB_AGENT_ROWS],
    ['`opencode run`', RUN_ROWS],
    ...WIRES.map((wire) => {
      const rows = isWhole ? wireRows(wire) : wireRows(wire).map(outOfGit);
      return [`the ${wire} wire`, [...rows, ...unknownEndRows(wire), allCut(wire)]] as const;
    }),
  ],
];

/**
 * Declares the fault matrix, in repositories with snapshots, `times` in a row.
 * @param isWhole Uses repositories also for the same turns over other wires.
 */
export function describeMatrix({ times = 1, isWhole = false } = {}): void {
  const parts = partsOf(isWhole);
  let stage: Stage;
  let app: App;
  let played: (Played & { name: string })[] = [];
  const counted: { name: string; requests: unknown; later: unknown }[] = [];

  const declare = (given: string, row: Row, homeOf: ReturnType<typeof housing>): void => {
    const name = nameOf(given, row);
    const isKnown = name in KNOWN;
    const test = isKnown ? it.concurrent.fails : it.concurrent;
    const tags = row.isNightly ? ['nightly'] : [];
    test(`when ${row.when}, then ${row.outcome}`, { tags }, async ({ task }) => {
      if (isKnown) markKnown(task, KNOWN[name] ?? '');
      const result = await play(stage, app, row, await homeOf(row));
      if (!isKnown) played.push({ name, ...result });
      expect(lookedAt(result.seen, row.expected)).toEqual(row.expected);
    });
  };
  const declareAll = (groups: readonly Group[]): void => {
    beforeAll(async () => {
      stage = await sharedStage();
      app = await stage.openApp();
    });
    afterAll(async () => {
      for (const { name, seen, requestsNow } of played)
        counted.push({ name, requests: seen.requests, later: requestsNow() });
      played = [];
      await app?.close();
      await stage?.close();
    });
    const rows = groups.flatMap(([, rows]) => rows).filter((row) => isWhole || !row.isNightly);
    const homeOf = housing(rows, (...asked) => stage.makeNeighbours(...asked));
    describe.concurrent.each(groups)('and %s', (given, rows) => {
      for (const row of rows) declare(given, row, homeOf);
    });
  };
  for (let round = 1; round <= times; round++)
    for (const [at, groups] of parts.entries())
      describe(`given the fault matrix, part ${at + 1} of ${parts.length}, round ${round} of ${times}`, () => {
        declareAll(groups);
      });

  describe('given the end of the fault matrix', () => {
    it('when the list of known failures is read, then each is a row of the matrix', () => {
      const names = parts.flat().flatMap(([given, rows]) => rows.map((row) => nameOf(given, row)));
      expect(Object.keys(KNOWN).filter((name) => !names.includes(name))).toEqual([]);
    });

    it('when its requests are counted again, then nobody was asked anything after the end of a turn', () => {
      expect(counted.length).toBeGreaterThan(0);
      expect(counted.filter(({ requests, later }) => !isDeepStrictEqual(requests, later))).toEqual([]);
    });
  });
}
