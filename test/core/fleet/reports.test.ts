import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../src/contract/snapshot';
import { LogRecord } from '../../../src/core/base/record';
import { initialHealth } from '../../../src/engine/health/health';
import type { CompanionEvent } from '../../../src/protocol';
import type { TestCore } from '../virtual-core';
import { CHAIN, failed, openArmedCore, openTestCore, prompted, START, started, succeeded } from '../virtual-core';

const MINUTE = 60_000;
/** How often the other machine reports, in ms. */
const EVERY = 200;
/** Models that it reports: those of this machine's chain, and some of no chain. */
const MODELS = [...CHAIN, 'lead/4', 'lead/5', 'spare/6', 'other/7', 'other/8'];

/** Another machine reports of each model whether it is limited, for so long. */
function report({ core }: TestCore, isLimited: boolean, forMs = 10 * MINUTE): void {
  const limit = {
    kind: 'quota',
    source: 'provider',
    machine: 'two',
    until: forMs,
    preferAt: forMs,
    since: -1,
  } as const;
  const health = { ...initialHealth, limit: isLimited ? limit : null };
  core.toldFleet({ type: 'fleet.heard', health: { models: MODELS.map((model) => [model, health]), providers: [] } });
}

/** It reports that all are limited, then that none is, and so on; `between` is called after each report. */
function flip(
  test: TestCore,
  forMs: number,
  between: (isLimited: boolean, count: number) => void = () => undefined,
): void {
  for (let count = 0; count < forMs / EVERY; count++) {
    report(test, count % 2 === 0);
    between(count % 2 === 0, count);
    test.clock.advance(EVERY);
  }
}

/** A turn whose lead is limited, and whose fallback model answers. */
const turn = (id: string): readonly CompanionEvent[] => [
  prompted({ turn: id }),
  started({ turn: id, attempt: `${id}-1` }),
  failed(`${id}-1`),
  started({ turn: id, attempt: `${id}-2`, model: CHAIN[1] }),
  succeeded(`${id}-2`),
];

const answered = (id: string): readonly CompanionEvent[] => [
  prompted({ turn: id }),
  started({ turn: id, attempt: id }),
  succeeded(id),
];

const picture = ({ core }: TestCore): Snapshot => core.host.handlers['snapshot.get'](null) as Snapshot;
const stateOf = (test: TestCore, model: string) => picture(test).models.find((row) => row.model === model)?.state;
const newestRow = (test: TestCore): number => picture(test).events[0]?.id ?? 0;
const linesOf = ({ log }: TestCore, model: string): readonly number[] =>
  log.flatMap(({ at, event }) =>
    event.type === 'fleet.heard' && event.health.models.some(([key]) => key === model) ? [at - START] : [],
  );

describe('given a machine of a fleet that flips the limits of 8 models five times a second', () => {
  it('when it does so for three minutes, then each report counts at once, and the log has one line a minute for each model', () => {
    const test = openArmedCore();
    flip(test, 3 * MINUTE - EVERY, (isLimited, count) => {
      if (count % 99 === 0) expect(stateOf(test, CHAIN[0])).toBe(isLimited ? 'cooling' : 'unseen');
    });
    for (const model of MODELS) expect(linesOf(test, model)).toEqual([0, MINUTE, 2 * MINUTE]);
    test.core.dispose();
    for (const model of MODELS) expect(linesOf(test, model)).toHaveLength(4);
  });

  it('when 20 turns moved here before, then the history shows 40 rows of them, and at most 3 of each model are new', () => {
    const test = openArmedCore();
    for (let count = 0; count < 20; count++) for (const event of turn(`t${count}`)) test.tell(event);
    const [before, own] = [newestRow(test), picture(test).events.filter(({ code }) => !code.startsWith('model.'))];
    expect(own.length).toBeGreaterThanOrEqual(40);
    flip(test, 3 * MINUTE);
    const isOwn = ({ id }: { id: number }) => id <= before;
    expect(picture(test).events.filter(isOwn).slice(0, 40)).toEqual(own.slice(0, 40));
    expect(newestRow(test) - before).toBeLessThanOrEqual(3 * MODELS.length);
  });

  it('when a model of that account has a limit of its own that ends, then its end is announced within a minute', () => {
    const test = openArmedCore();
    const ends = { until: 9_000, preferAt: 9_000, since: -1, kind: 'quota', source: 'estimate' } as const;
    const own = { ...initialHealth, limit: ends };
    test.core.toldFleet({ type: 'fleet.heard', health: { models: [['lead/own', own]], providers: [] } });
    for (let count = 0; count < 5 * 70; count++) {
      const limit = { ...ends, until: 600_000, preferAt: 600_000, machine: 'two' };
      const health = { ...initialHealth, limit: count % 2 === 0 && count < 300 ? limit : null };
      test.core.toldFleet({ type: 'fleet.heard', health: { models: [], providers: [['lead', health]] } });
      test.clock.advance(EVERY);
    }
    expect(test.core.state().shown.flat()).toContainEqual(['lead/own', 'unseen']);
  });

  it('when it takes back limits of an account of which none are known, then the log has a line a minute at most', () => {
    const test = openArmedCore();
    const health = { models: [], providers: [] };
    for (let count = 0; count < 119; count++) {
      test.core.toldFleet({ type: 'fleet.heard', health, forgotten: [['other', 'two']] });
      test.clock.advance(1_000);
    }
    expect(test.log.filter(({ event }) => event.type === 'fleet.heard').length).toBeLessThanOrEqual(2);
  });

  it.each([10 * MINUTE, EVERY / 2, 1.5 * EVERY])(
    'when a limit lasts for %i ms and this machine works meanwhile, then a replay of the log comes to the same state',
    (forMs) => {
      const test = openArmedCore();
      for (let count = 0; count < 700; count++) {
        report(test, count % 2 === 0, forMs);
        if (count % 50 === 7) for (const event of count < 50 ? turn('t7') : answered(`t${count}`)) test.tell(event);
        test.clock.advance(EVERY);
      }
      test.core.dispose();
      const again = openTestCore(test.clock);
      again.core.replay(test.log.map((record) => LogRecord.parse(JSON.parse(JSON.stringify(record)))));
      const lasting = ({ core }: TestCore) => {
        // How often a model was announced, and when, may differ: the log has fewer reports than the engine had.
        const { shown, revisions, flaps, troubled, ...state } = core.state();
        return state;
      };
      expect(lasting(again)).toEqual(lasting(test));
      expect(linesOf(test, 'other/7').length).toBeLessThanOrEqual(4);
    },
  );
});
