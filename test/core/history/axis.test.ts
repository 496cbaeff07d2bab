import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../../src/contract/snapshot';
import type { StoredTurn } from '../../../src/core/base/store-rows';
import { type AxisSources, axisOf } from '../../../src/core/history/axis';
import { plainRow } from '../../../src/core/history/event-rows';

const NOW = 1_790_000_000_000;
const HOUR_MS = 3_600_000;
const [LEAD, SPARE] = ['acme/lead', 'globex/spare'] as const;

const turn = (at: number, change: Partial<StoredTurn> = {}): StoredTurn => ({
  ...{ turn: `t${at}`, session: 's1', agent: 'build', isTroubled: false },
  ...{ at, lastAt: at, until: at + 2_000, ...change },
});
const event = (id: number, at: number, code: string, change: Partial<EventRow> = {}): EventRow => ({
  ...plainRow(code, change),
  ...{ id, at },
});

type Known = Readonly<{ states?: AxisSources['pulse']; events?: readonly EventRow[]; change?: Partial<AxisSources> }>;

function sources({ states, events = [], change = {} }: Known = {}): AxisSources {
  return {
    store: { modelsIn: () => [LEAD, SPARE].map((model) => ({ model, answeredAt: null })) },
    pulse: states ?? { history: () => ({ failures: [], states: [] }) },
    events: {
      page: ({ filter = {} }) => {
        const { model, codes, sinceMs = 0, untilMs = NOW * 2 } = filter;
        const found = events.filter(
          (each) =>
            each.at >= sinceMs &&
            each.at < untilMs &&
            (model === undefined || each.model === model || each.to === model) &&
            (codes === undefined || codes.some((code) => each.code.startsWith(code))),
        );
        return { events: found.toReversed(), total: 0, newest: 0, kept: { sinceMs: null, isDurable: true } };
      },
    },
    slots: () => new Map([[SPARE, 9]]),
    keyOf: (model) => model,
    ...{ wall: NOW, family: ['s1'], isOpen: false },
    ...change,
  };
}

describe('given the turns of a session', () => {
  it('when there is none, then there is no axis', () => {
    expect(axisOf([], sources())).toBeNull();
  });

  it('when it is over, then its axis ends with its last turn; while one is open, now', () => {
    const turns = [turn(NOW - 60_000, { until: NOW - 10_000 }), turn(NOW - 50_000, { isTroubled: true })];
    expect(axisOf(turns, sources())).toMatchObject({ since: NOW - 60_000, until: NOW - 10_000 });
    expect(axisOf(turns, sources({ change: { isOpen: true } }))?.until).toBe(NOW);
    expect(axisOf(turns, sources())?.marks).toEqual([
      { at: NOW - 60_000, turns: 1, troubled: 0 },
      { at: NOW - 50_000, turns: 1, troubled: 1 },
    ]);
  });

  it('when there are 3,000, then at most 240 marks stand for them, and none is lost', () => {
    const turns = Array.from({ length: 3_000 }, (_, n) => turn(NOW + n * 1_000, { isTroubled: n % 10 === 0 }));
    const marks = axisOf(turns, sources())?.marks ?? [];
    expect(marks.length).toBeLessThanOrEqual(240);
    const sum = (of: 'turns' | 'troubled') => marks.reduce((all, mark) => all + mark[of], 0);
    expect([sum('turns'), sum('troubled')]).toEqual([3_000, 300]);
  });

  it('when its models have numbers of their own, then they have those here', () => {
    const models = axisOf([turn(NOW)], sources())?.models ?? [];
    expect(models.map(({ model, slot }) => [model, slot])).toEqual([
      [LEAD, 0],
      [SPARE, 9],
    ]);
  });
});

describe('given what its models went through', () => {
  const since = NOW - HOUR_MS;
  const turns = [turn(since, { until: NOW - 1_000 })];

  it('when it was lately, then states before it count from its beginning, and those after it not at all', () => {
    const states: AxisSources['pulse'] = {
      history: (model) => ({
        failures: [],
        states:
          model === LEAD
            ? [
                { state: 'ready', at: since - 5_000 },
                { state: 'cooling', at: since + 5_000 },
                { state: 'ready', at: NOW },
              ]
            : [],
      }),
    };
    expect(axisOf(turns, sources({ states }))?.models.map((row) => row.states)).toEqual([
      [
        { state: 'ready', at: since },
        { state: 'cooling', at: since + 5_000 },
      ],
      [],
    ]);
  });

  it('when one has answered and never changed, then it is ready from its first answer on', () => {
    const store = { modelsIn: () => [{ model: LEAD, answeredAt: since + 700 }] };
    expect(axisOf(turns, sources({ change: { store } }))?.models[0]?.states).toEqual([
      { state: 'ready', at: since + 700 },
    ]);
  });

  it('when it was days ago, then what the events tell of each model is all that is known', () => {
    const old = since - 72 * HOUR_MS;
    const events = [
      event(1, old - HOUR_MS, 'model.ready', { model: LEAD, state: 'ready' }),
      event(2, old + 1_000, 'switch.rate_limit', { model: LEAD, to: SPARE, state: 'cooling' }),
      event(3, old + 1_500, 'redirect.rate_limit', { model: LEAD, to: SPARE, state: 'cooling' }),
      event(4, old + 9_000, 'model.ready', { model: LEAD, state: 'ready' }),
    ];
    const models = axisOf([turn(old, { until: old + 5_000 })], sources({ events }))?.models ?? [];
    expect(models.map((row) => row.states)).toEqual([
      [
        { state: 'ready', at: old },
        { state: 'cooling', at: old + 1_000 },
      ],
      [],
    ]);
  });

  it('when a person had models asked again, then resets of its own models stand on it, and no others', () => {
    const events = [
      event(1, since + 1, 'reset.model', { model: LEAD, state: 'ready' }),
      event(2, since + 2, 'reset.model', { model: 'other/model', state: 'ready' }),
      event(3, since + 3, 'reset.provider', { detail: 'globex', state: 'ready' }),
      event(4, since + 4, 'reset.provider', { detail: 'other', state: 'ready' }),
      event(5, since + 5, 'reset.all', { state: 'ready' }),
      event(6, NOW, 'reset.all', { state: 'ready' }),
    ];
    expect(axisOf(turns, sources({ events }))?.resets).toEqual([
      { at: since + 1, event: 1, model: LEAD, provider: null },
      { at: since + 3, event: 3, model: null, provider: 'globex' },
      { at: since + 5, event: 5, model: null, provider: null },
    ]);
  });
});
