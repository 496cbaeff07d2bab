import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clearedBetween,
  mergeShared,
  NOTHING_SHARED,
  type SharedEntry,
  type SharedHealth,
  sharedOf,
} from '../../../src/engine/tools';
import { runs } from '../../support/runs';
import { EVIDENCE, HOUR, World } from '../world';

/** Few moments and few names, so that they meet often. */
const at = fc.integer({ min: 0, max: 12 });
const kind = fc.constantFrom('rate_limit' as const, 'quota' as const);
const common = { generation: fc.integer({ min: 0, max: 2 }), serial: at, trips: fc.integer({ min: 0, max: 2 }) };
/** Found out here, or told by one of two others. */
const machine = fc.constantFrom('one', 'two');
const limit = fc.record(
  {
    ...{ kind, since: at, until: at, preferAt: at, machine },
    source: fc.constantFrom('provider' as const, 'estimate' as const),
  },
  { requiredKeys: ['kind', 'since', 'until', 'preferAt', 'source'] },
);

const entry: fc.Arbitrary<SharedEntry> = fc.record({
  breaker: fc.oneof(
    fc.record(
      {
        kind: fc.constant('closed' as const),
        ...common,
        failures: fc.uniqueArray(at, { maxLength: 4 }),
        calmSince: at,
      },
      { requiredKeys: ['kind', 'generation', 'serial', 'trips', 'failures'] },
    ),
    fc.record(
      { kind: fc.constant('open' as const), ...common, until: at, machine },
      { requiredKeys: ['kind', 'generation', 'serial', 'trips', 'until'] },
    ),
    fc.record({
      ...{ kind: fc.constant('halfOpen' as const), ...common },
      probe: fc.option(fc.record({ serial: at, since: at, machine }, { requiredKeys: ['serial', 'since'] })),
    }),
  ),
  limit: fc.constant(null),
  limits: fc.array(limit, { maxLength: 3 }),
  rest: fc.option(fc.record({ kind, until: at, since: at, machine }, { requiredKeys: ['kind', 'until', 'since'] })),
  block: fc.option(fc.record({ kind, since: at })),
  last: fc.option(fc.record({ kind, status: fc.constantFrom(null, 429), message: fc.constantFrom('a', 'b'), at })),
  calls: at,
  failed: at,
  directory: fc.constantFrom(null, '/one', '/two'),
  cleared: fc.record({ limit: at, rest: at, block: at, failures: at }, { requiredKeys: [] }),
});
const entries = fc.dictionary(fc.constantFrom('a/1', 'b/1'), entry).map((all) => Object.entries(all));
/** Merged with itself once, which sorts it and leaves out what has been cleared. */
const health: fc.Arbitrary<SharedHealth> = fc
  .record({ models: entries, providers: entries })
  .map((raw) => mergeShared(raw, raw));

describe('given what two or three hosts know of models', () => {
  it('when it is merged the other way round, then the same comes of it', () => {
    fc.assert(
      fc.property(health, health, (a, b) => {
        expect(mergeShared(a, b)).toEqual(mergeShared(b, a));
      }),
    );
  });

  it('when it is merged again, then nothing changes', () => {
    fc.assert(
      fc.property(health, health, (a, b) => {
        const both = mergeShared(a, b);
        expect([mergeShared(a, a), mergeShared(both, a), mergeShared(b, both)]).toEqual([a, both, both]);
      }),
    );
  });

  it('when it is merged in another order, then the same comes of it', () => {
    fc.assert(
      fc.property(health, health, health, (a, b, c) => {
        expect(mergeShared(mergeShared(a, b), c)).toEqual(mergeShared(a, mergeShared(b, c)));
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('when one has cleared a limit, then no older one is left, and every newer one counts', () => {
    fc.assert(
      fc.property(health, health, (a, b) => {
        for (const [key, merged] of mergeShared(a, b).models) {
          const parts = [a, b].flatMap(({ models }) => models.filter(([name]) => name === key).map(([, each]) => each));
          const clearedAt = Math.max(...parts.map(({ cleared }) => cleared.limit ?? -1));
          const counting = parts.flatMap(({ limits }) => limits).filter(({ since }) => since > clearedAt);
          expect(merged.limit?.until).toBe(
            counting.length === 0 ? undefined : Math.max(...counting.map((one) => one.until)),
          );
        }
      }),
    );
  });

  it('when a request is answered, then limits of before it was sent are over, and none that others found since', () => {
    const moment = fc.integer({ min: 0, max: 9 });
    const times = fc.record({
      own: moment,
      sent: moment,
      found: moment,
      answered: moment,
      offset: fc.constantFrom(0, 0.4, 7.75),
    });
    fc.assert(
      fc.property(times, ({ own, sent, found, answered, offset }) => {
        fc.pre(own < sent && sent <= answered && found <= answered);
        const [one, other] = [new World(['a/1', 'b/1']), new World(['a/1', 'b/1'])];
        one.now = -offset;
        one.wait(own).failingAlone('a/1', EVIDENCE.rateLimit);
        const { attempt } = one.wait(sent - own).start('t', 'a/1', { purpose: 'internal' });
        other.wait(found).failingAlone('a/1', { ...EVIDENCE.rateLimit, headers: { 'retry-after': '3600' } });
        const before = one.wait(answered - sent).state;
        one.succeed(attempt);
        const cleared = clearedBetween(before, one.state, one.now, offset);
        const shared = mergeShared(sharedOf(one.state, cleared, offset), sharedOf(other.state, NOTHING_SHARED, 0));
        const left = shared.models.find(([model]) => model === 'a/1')?.[1].limit;
        expect(left?.until ?? null).toBe(found < sent ? null : found + HOUR);
      }),
    );
  });
});
