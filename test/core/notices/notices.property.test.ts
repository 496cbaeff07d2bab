import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NoticeRow } from '../../../src/contract/notices';
import { LogRecord } from '../../../src/core/base/record';
import { COMPANION, virtualClock } from '../virtual-core';
import { expectEpisodes, expectNoStorm, expectOneAtATime } from './rules';
import { ALL, type Asked, BROKEN, choosing, LIMITED, type Outcome, openToldCore, REJECTED } from './told-core';

const MINUTE = 60_000;
const SHOP = '/home/u/shop';
const SITE = '/home/u/site';
const CHAIN = ['anthropic/claude-sonnet', 'openai/gpt-5', 'google/gemini'] as const;
const SHORT = { ...LIMITED, headers: { 'retry-after': '40' } };
const FACTS = { [CHAIN[0]]: { priceIn: 1, priceOut: 4 }, [CHAIN[1]]: { priceIn: 4, priceOut: 16 } };

type Told = ReturnType<typeof openToldCore>;
type Happens = Readonly<{ what: string; play(test: Told): void; passMs: number }>;

const outcome = fc.constantFrom<Outcome>('answers', 'answers', LIMITED, SHORT, REJECTED, BROKEN);
const agent = fc.constantFrom('build', 'plan', 'review', 'docs');
const place = fc.constantFrom(SHOP, SITE);
const passMs = fc.constantFrom(0, 0, 500, 2_500, 20_000, 70_000, 6 * MINUTE, 25 * MINUTE);
const act = <T>(
  what: string,
  arbitrary: fc.Arbitrary<T>,
  play: (test: Told, value: T) => void,
): fc.Arbitrary<Happens> =>
  fc.record({ value: arbitrary, passMs }).map(({ value, passMs: ms }) => ({
    what: `${what} ${JSON.stringify(value)}`,
    play: (test) => play(test, value),
    passMs: ms,
  }));
const happens = fc.oneof(
  {
    weight: 8,
    arbitrary: act(
      'turn',
      fc.tuple(place, agent, fc.array(outcome, { minLength: 1, maxLength: 3 })),
      (test, [where, who, all]) =>
        test.turn(
          where,
          who,
          all.map((each, index): Asked => [CHAIN[index] as string, each]),
        ),
    ),
  },
  act('lost', fc.constant(null), (test) => test.core.lost('i1')),
  act('connected', fc.constant(null), (test) => void test.connect()),
  act('reset', fc.constant(null), (test) => {
    test.tell({ type: 'health.reset', target: { all: true }, actor: 'a' });
  }),
  act('asleep', fc.constantFrom(MINUTE, 60 * MINUTE), (test, ms) => {
    test.clock.sleep(ms);
    test.core.woken();
  }),
  act('knocked', fc.constantFrom('8.0.0', '9.0.0'), (test, plugin) =>
    test.core.incompatible({ ...COMPANION, instance: 'i9', plugin }),
  ),
  act('update', fc.constantFrom('2.0.0', '2.1.0'), (test, version) => test.core.updateReady(version)),
);

async function play(history: readonly Happens[], preferences = choosing({ chosen: ALL })): Promise<Told> {
  const test = openToldCore({ preferences });
  test.connect();
  for (const where of [SHOP, SITE])
    test.arm(where, { build: CHAIN, plan: CHAIN, review: CHAIN, docs: CHAIN }, { models: FACTS });
  for (const each of history) {
    each.play(test);
    await test.pass(each.passMs);
    expectOneAtATime((await test.list()).rows);
  }
  await test.pass(40 * MINUTE);
  return test;
}

/** What only this life can know is over with the next one. */
const lasting = (rows: readonly NoticeRow[]) =>
  rows.map((row) => ({ ...row, isOver: ['N8', 'N9', 'N13', 'N17'].includes(row.notice) || row.isOver }));

describe('given any history', () => {
  it('when it happens, then limits hold, no episode is told twice, and the log gives the same list', {
    timeout: 120_000,
  }, async () => {
    const ended: string[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(happens, { minLength: 5, maxLength: 40 }), async (history) => {
        const test = await play(history);
        expectNoStorm(test.shown);
        expectEpisodes(test.shown);
        ended.push(...test.lines().map((line) => line.slice(0, 3)));
        const { rows } = await test.list();
        test.core.dispose();
        const next = openToldCore({ clock: virtualClock(test.clock.now()) });
        next.core.replay(test.log.map((record) => LogRecord.parse(JSON.parse(JSON.stringify(record)))));
        await next.pass(0);
        expect(lasting((await next.list()).rows)).toEqual(lasting(rows));
        expect(next.lines()).toEqual([]);
      }),
      { numRuns: 30, seed: 20_260_415 },
    );
    // The histories reach everything that has limits.
    const reached = ['N1 ', 'N2 ', 'N3 ', 'N4 ', 'N5 ', 'N6 ', 'N8 ', 'N9 ', 'N10', 'N11', 'N13', 'N17', '- N'];
    expect([...new Set(ended)]).toEqual(expect.arrayContaining(reached));
  });
});
