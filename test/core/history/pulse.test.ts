import { describe, expect, it } from 'vitest';
import type { QueryOutput } from '../../../src/contract/contract';
import type { Snapshot } from '../../../src/contract/snapshot';
import {
  CHAIN,
  configured,
  failed,
  LIMITED,
  openArmedCore,
  openTestCore,
  prompted,
  START,
  SWITCHED_TURN,
  started,
  type TestCore,
} from '../virtual-core';

const MINUTE_MS = 60_000;
const SLICE_MS = 10_000;
const sliceOf = (at: number): number => Math.floor(at / SLICE_MS) * SLICE_MS;

const snapshotOf = ({ core }: TestCore) => core.host.handlers['snapshot.get'](null) as Snapshot;
const historyOf = ({ core }: TestCore, model: string) =>
  core.host.handlers['model.history']({ model }) as QueryOutput<'model.history'>;
const recentOf = (test: TestCore, model: string) => snapshotOf(test).models.find((row) => row.model === model)?.recent;

function switched(): TestCore {
  const test = openArmedCore();
  for (const event of SWITCHED_TURN) test.tell(event);
  return test;
}

describe('given a turn whose lead is rate limited and whose understudy answers', () => {
  it('when the snapshot is taken, then each of them has 1 call in this slice of 10 s, and the lead 1 failure', () => {
    const test = switched();
    const at = sliceOf(START);
    expect(CHAIN.map((model) => recentOf(test, model))).toEqual([
      [{ at, calls: 1, failed: 1 }],
      [{ at, calls: 1, failed: 0 }],
      [],
    ]);
  });

  it('when 2 minutes pass, then the slice is gone; a call 20 s before that has its own', () => {
    const test = switched();
    test.clock.advance(100_000);
    test.tell(prompted({ turn: 't2' }));
    test.tell(started({ attempt: 'a3', turn: 't2', model: CHAIN[1] }));
    expect(recentOf(test, CHAIN[1])?.map(({ at }) => at)).toEqual([sliceOf(START), sliceOf(START) + 100_000]);
    test.clock.advance(20_000);
    expect(recentOf(test, CHAIN[1])?.map(({ at }) => at)).toEqual([sliceOf(START) + 100_000]);
  });

  it('when its history is asked for, then it holds the failure and the states, also after a replay', () => {
    const test = switched();
    const expected = {
      failures: [{ kind: 'rate_limit', status: 429, message: LIMITED.message, at: START }],
      states: [{ state: 'cooling', at: START, kind: 'rate_limit' }],
      firstWordMs: null,
    };
    expect(historyOf(test, CHAIN[0])).toEqual(expected);
    const again = openTestCore(test.clock);
    again.core.replay(test.log);
    expect(historyOf(again, CHAIN[0])).toEqual(expected);
  });

  it('when 25 hours pass, then its history begins 24 hours ago with the state it was in', () => {
    const test = switched();
    test.clock.advance(25 * 60 * MINUTE_MS);
    expect(historyOf(test, CHAIN[0]).states).toEqual([{ state: 'ready', at: START + 60 * MINUTE_MS }]);
  });

  it('when its history is asked for, then the median of its first words is there for 24 hours', () => {
    const test = switched();
    expect(historyOf(test, CHAIN[1]).firstWordMs).toBeCloseTo(20, 0);
    test.clock.advance(26 * 60 * MINUTE_MS);
    expect(historyOf(test, CHAIN[1]).firstWordMs).toBeNull();
  });

  it('when nobody knows the model, then its history is empty', () => {
    expect(historyOf(switched(), 'nobody/none')).toEqual({ failures: [], states: [], firstWordMs: null });
  });
});

describe('given 12 failures of one model', () => {
  it('when its history is asked for, then it holds the last 10, newest first', () => {
    const test = openArmedCore();
    for (let index = 0; index < 12; index++) {
      const [turn, attempt] = [`t${index}`, `a${index}`];
      test.tell(prompted({ turn }));
      test.tell(started({ turn, attempt }));
      test.tell(failed(attempt));
      test.clock.advance(1_000);
      test.core.host.handlers['health.reset']({ target: { all: true }, rev: snapshotOf(test).rev, actor: 'panel' });
    }
    const { failures } = historyOf(test, CHAIN[0]);
    expect(failures.map(({ at }) => (at - START) / 1_000)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
  });
});

describe('given what OpenCode says of the models of a chain', () => {
  it('when the snapshot is taken, then it says what is known and null for what is not', () => {
    const test = openArmedCore();
    const event = configured() as Extract<ReturnType<typeof configured>, { type: 'scope.configured' }>;
    test.tell({ ...event, config: { ...event.config, models: { [CHAIN[0]]: { context: 200_000, vision: false } } } });
    expect(snapshotOf(test).models.find(({ model }) => model === CHAIN[0])?.abilities).toEqual({
      ...{ context: 200_000, vision: false, tools: null, priceIn: null, priceOut: null },
    });
  });
});

describe('given a decision', () => {
  const explained = (test: TestCore, asked: { event: number } | { session: string; agent: string }) =>
    test.core.host.handlers['decision.explain'](asked) as QueryOutput<'decision.explain'>;

  it('when its agent is asked for, then it is the latest, with every model considered and the rule in force', () => {
    const answer = explained(switched(), { session: 's1', agent: 'build' });
    expect(answer?.event.code).toBe('switch.rate_limit');
    expect(answer?.event.trace.map(({ model, verdict }) => [model, verdict])).toEqual([
      [CHAIN[0], 'failed'],
      [CHAIN[1], 'chosen'],
      [CHAIN[2], 'skipped'],
    ]);
    expect(answer?.rule).toEqual({
      kind: 'rate_limit',
      steps: [{ step: 'waitHint', maxMs: 5_000 }, { step: 'switch' }],
    });
  });

  it('when its event is asked for, then it is that one; when nothing is remembered, then nothing is told', () => {
    const test = switched();
    const id = snapshotOf(test).events.find(({ code }) => code === 'switch.rate_limit')?.id ?? -1;
    expect(explained(test, { event: id })?.event.id).toBe(id);
    expect(explained(test, { event: 99_999 })).toBeNull();
    expect(explained(test, { session: 's1', agent: 'nobody' })).toBeNull();
  });
});
