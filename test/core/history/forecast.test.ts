import { describe, expect, it } from 'vitest';
import { WhatIfAnswer as Answer, type WhatIfAnswer } from '../../../src/contract/what-if';
import { forecastOf } from '../../../src/core/history/forecast';
import type { TurnEnd } from '../../../src/engine/tools';
import { heldOut, WORLDS } from '../../support/held-out';
import { hiddenWorld } from '../../support/hidden-world';

const HOUR = 3_600_000;
const CHAINS = { build: ['p/1', 'f/1'], plan: ['f/1', 'g/1'] };

type Bounds = NonNullable<WhatIfAnswer['forecast']>['after'];
const holds = ({ lower, upper }: Bounds, share: number): boolean => lower <= share && share <= upper;

/** Half of eight weeks is told of, and the other half lived. `forecast-worlds.test.ts` does so in many worlds. */
const EIGHT_WEEKS = { days: 56, planShare: 0.3 };

describe.each(['reliable', 'flaky', 'equal'] as const)('given four weeks of a primary that is %s', (kind) => {
  const world = hiddenWorld(1, WORLDS[kind], EIGHT_WEEKS);

  it.each([
    ['asked after its fallback model', ['f/1', 'p/1']],
    ['taken out', ['f/1']],
    ['left alone', ['p/1']],
  ])('when it is %s, then what comes of it in the next four lies within the bounds', (_, proposal) => {
    const { answer, before, after } = heldOut(world, CHAINS, proposal);
    const { forecast } = Answer.parse(answer);
    if (!forecast) throw new Error('no bounds');
    expect(holds(forecast.before, before)).toBe(true);
    expect(holds(forecast.after, after)).toBe(true);
    expect(holds(forecast.difference, after - before)).toBe(true);
  });
});

describe('given a proposal that is worse', () => {
  it('when it puts a flaky model in the place of a reliable one, then it is called worse, and is', () => {
    const natures = { 'p/1': WORLDS.reliable['p/1'], 'f/1': WORLDS.flaky['p/1'], 'g/1': WORLDS.equal['g/1'] };
    const world = hiddenWorld(1, natures, EIGHT_WEEKS);
    const { answer, before, after } = heldOut(world, { ...CHAINS, build: ['p/1', 'g/1'] }, ['f/1']);
    expect([answer.verdict, after < before - 0.1]).toEqual(['worse', true]);
  });

  it('when a flaky model gets a fallback model, then that is called better, and is', () => {
    const world = hiddenWorld(1, WORLDS.flaky, EIGHT_WEEKS);
    const { answer, before, after } = heldOut(world, { ...CHAINS, build: ['p/1'] }, ['p/1', 'f/1']);
    expect([answer.verdict, after > before + 0.1]).toEqual(['better', true]);
  });
});

type End = TurnEnd['end'];
/** Four turns an hour in each of `hours` hours, two hours apart. */
const ends = (hours: number, endOf: (turn: number) => End = () => 'answered', over: Partial<TurnEnd> = {}): TurnEnd[] =>
  Array.from({ length: 4 * hours }, (_, turn) => {
    const at = 2 * HOUR * Math.floor(turn / 4);
    const end = endOf(turn);
    return { at, agent: 'build', end, heardAt: at, isTroubled: end === 'failed', ...over };
  });
const forecast = (before: readonly TurnEnd[], after: readonly TurnEnd[]) => forecastOf({ before, after }, () => true);

describe('given turns that were played both ways', () => {
  it('when it is asked twice, then the answer is the same to the byte', () => {
    const ask = () => JSON.stringify(heldOut(hiddenWorld(2, WORLDS.flaky), CHAINS, ['f/1', 'p/1']).answer);
    expect(ask()).toBe(ask());
  });

  it('when 28 are known, or they are known from four hours, then they are too few; 32 from eight hours are not', () => {
    const none = { forecast: null, verdict: 'few' };
    expect(forecast(ends(7), ends(7))).toEqual(none);
    const few = ends(8).map((turn, at) => ({ ...turn, heardAt: (at % 4) * HOUR }));
    expect(forecast(few, few)).toEqual(none);
    expect(
      forecast(
        ends(8),
        ends(8, (turn) => (turn > 3 ? 'answered' : 'unknown')),
      ),
    ).toEqual(none);
    expect(forecast([], [])).toEqual(none);
    expect(forecast(ends(8), ends(8)).verdict).toBe('unclear');
  });

  it('when none of 1,200 in 300 hours ends otherwise, then both are even', () => {
    const { forecast: said, verdict } = forecast(ends(300), ends(300));
    expect([verdict, said?.difference.value]).toEqual(['even', 0]);
    expect([said?.difference.lower, said?.difference.upper]).toEqual(
      [-0.0166, 0.0166].map((b) => expect.closeTo(b, 3)),
    );
  });

  it('when a tenth of 400 fails and the change answers it, then it is better; the other way round as much worse', () => {
    const flaky = ends(100, (turn) => (turn % 10 === 0 ? 'failed' : 'answered'));
    const better = forecast(flaky, ends(100));
    const worse = forecast(ends(100), flaky);
    expect([better.verdict, worse.verdict]).toEqual(['better', 'worse']);
    expect(better.forecast?.difference.value).toBeCloseTo(0.1, 12);
    expect(worse.forecast?.difference.lower).toBeCloseTo(-(better.forecast?.difference.upper ?? 0), 12);
    expect(better.forecast?.before).toEqual(worse.forecast?.after);
  });

  it('when the change asks a model nothing is known of in a quarter, then those may be answered or not', () => {
    const { forecast: said, verdict } = forecast(
      ends(100),
      ends(100, (turn) => (turn % 4 === 0 ? 'unknown' : 'answered')),
    );
    expect(said).toMatchObject({ turns: 400, known: 300, after: { value: 1, upper: 1 } });
    expect(said?.after.lower).toBeLessThan(0.75);
    expect(said?.difference.lower).toBeLessThan(-0.25);
    expect(verdict).toBe('unclear');
  });

  it('when many turns end as one far answer did, then they count as one stretch', () => {
    const failing = (turn: number): End => (turn >= 80 && turn < 120 ? 'failed' : 'answered');
    const own = forecast(ends(100), ends(100, failing));
    const far = ends(100, failing).map((turn) => (turn.end === 'failed' ? { ...turn, heardAt: 400 * HOUR } : turn));
    const one = forecast(ends(100), far);
    expect(one.forecast?.after.value).toBe(own.forecast?.after.value);
    expect(one.forecast?.after.lower).toBeLessThan((own.forecast?.after.lower ?? 0) - 0.05);
    expect([own.verdict, one.verdict]).toEqual(['worse', 'unclear']);
  });

  it('when one agent is asked about, then the turns of others are left out', () => {
    const mixed = (of: readonly TurnEnd[]) => [...of, ...ends(50, () => 'failed', { agent: 'plan' })];
    const played = { before: mixed(ends(50)), after: mixed(ends(50)) };
    expect(forecastOf(played, ({ agent }) => agent === 'build')).toEqual(forecast(ends(50), ends(50)));
  });
});
