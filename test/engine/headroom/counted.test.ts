import { describe, expect, it } from 'vitest';
import type { HeadroomRules, ScopeConfig, SeenWindow, Step } from '../../../src/engine';
import {
  exportHealth,
  forecastOf,
  get,
  type LogEntry,
  NOTHING_SHARED,
  replay,
  restoreState,
  saveState,
  sharedOf,
} from '../../../src/engine/tools';
import { DAY, EVIDENCE, HOUR, MINUTE, outline, SECOND, scopeOf } from '../world';
import { MOVE, Near, planAt } from './seen';

const TRUSTED: HeadroomRules = { ...MOVE, trustsEstimates: true };
const ID = 'counted-requests-3-5h';

/** Three requests in five hours, of which so many are counted, and which begins anew in two. */
const threeOf = (used: number, changes: Partial<SeenWindow> = {}): SeenWindow => ({
  ...{ id: ID, unit: 'requests', lengthMs: 5 * HOUR, of: 'account', used: used / 3, limit: 3 },
  ...{ remaining: Math.max(0, 3 - used), resetInMs: 2 * HOUR, refills: 'at_reset', charges: 'used' },
  ...changes,
});

class Counted extends Near {
  constructor(headroom: HeadroomRules = TRUSTED, changes: Partial<ScopeConfig> = {}, chain?: readonly string[]) {
    super(chain, { headroom, ...changes });
  }

  /** What somebody has counted of the account `a`, and of no other. */
  counts(...windows: SeenWindow[]): Step {
    return this.tell({ type: 'headroom.counted', accounts: windows.length === 0 ? [] : [['a', windows]] });
  }

  own(account = 'a') {
    return get(this.state.counted, account) ?? [];
  }
}

const passed = ({ facts }: Step) => facts.filter(({ type }) => type === 'headroom.passed');

describe('given an estimate of a limit that is used up', () => {
  it('when estimates are not trusted, then it moves nobody, neither a turn that begins nor one that goes on', () => {
    const world = new Counted(MOVE);
    world.counts(threeOf(7));
    expect(outline(world.prompt('t'))).toMatchObject({ kind: 'keep', code: 'keep.lead' });
    expect(world.start('t', 'a/1').decision).toBeNull();
    world.counts(threeOf(9));
    expect(world.start('t', 'a/1').decision).toBeNull();
  });

  it('when limits are only told of, then it moves nobody however much it is trusted', () => {
    const world = new Counted({ ...TRUSTED, act: 'warn' });
    world.counts(threeOf(3));
    expect(outline(world.prompt('t'))).toMatchObject({ kind: 'keep' });
  });

  it('when they are trusted, then the next model answers, the reason says it is one, and the lead is back with the new window', () => {
    const world = new Counted();
    world.counts(threeOf(3));
    const decision = world.prompt('t');
    expect(decision).toMatchObject({
      ...{ action: { kind: 'redirect', from: 'a/1', to: 'b/1' }, code: 'headroom.plan' },
      short: {
        code: 'headroom.plan',
        window: ID,
        unit: 'requests',
        used: 1,
        limit: 3,
        until: 2 * HOUR,
        isEstimate: true,
      },
    });
    world.answering('t', 'b/1');
    world.wait(2 * HOUR - MINUTE);
    expect(outline(world.prompt('u', { model: 'b/1' }))).toMatchObject({ to: 'b/1' });
    world.answering('u', 'b/1');
    world.wait(MINUTE);
    expect(outline(world.prompt('v', { model: 'b/1' }))).toMatchObject({ kind: 'home', to: 'a/1' });
  });

  it('when it is the last word for a day, then it is believed all the same: no response says more of it', () => {
    const world = new Counted();
    world.counts(threeOf(98, { limit: 100, used: 0.98, remaining: 2, lengthMs: 31 * DAY, resetInMs: 31 * DAY }));
    world.wait(30 * DAY);
    expect(outline(world.prompt('t'))).toMatchObject({ kind: 'redirect', code: 'headroom.plan' });
  });

  it('when a turn is under way, then it goes on as long as the next request fits, and no longer', () => {
    const world = new Counted({ ...TRUSTED, moveAt: 1 });
    world.counts(threeOf(1));
    world.prompt('t');
    world.answering('t', 'a/1');
    world.counts(threeOf(2));
    expect(world.start('t', 'a/1').decision).toBeNull();
    world.counts(threeOf(3));
    expect(outline(world.start('t', 'a/1').decision)).toMatchObject({ to: 'b/1', code: 'headroom.requests' });
  });

  it('when a request is under way whose response has come, then it is counted for all that: the count does not have it yet', () => {
    const world = new Counted();
    world.counts(threeOf(2));
    world.prompt('t');
    const { attempt } = world.start('t', 'a/1');
    world.hears('a/1', planAt(0.1, { lengthMs: DAY }), attempt);
    expect(outline(world.prompt('u', { session: 'other' }))).toMatchObject({
      kind: 'redirect',
      code: 'headroom.requests',
    });
    world.succeed(attempt);
    world.counts(threeOf(2));
    expect(outline(world.prompt('v', { session: 'third' }))).toMatchObject({ kind: 'keep' });
  });

  it('when it is of another account, then nobody who asks this one is moved', () => {
    const world = new Counted(TRUSTED, { books: { a: '0123456789ab' } });
    world.counts(threeOf(3));
    expect(outline(world.prompt('t'))).toMatchObject({ kind: 'keep' });
    world.tell({ type: 'headroom.counted', accounts: [['a@0123456789ab', [threeOf(3)]]] });
    expect(outline(world.prompt('u', { session: 'other' }))).toMatchObject({ kind: 'redirect' });
  });

  it('when it is entered no more, then the next message is the lead’s', () => {
    const world = new Counted();
    world.counts(threeOf(3));
    world.counts();
    expect([world.own(), outline(world.prompt('t'))]).toEqual([[], expect.objectContaining({ kind: 'keep' })]);
  });
});

describe('given an estimate beside what a provider says', () => {
  const spentOf = (changes: Partial<SeenWindow>) => {
    const world = new Counted();
    world.hears('a/1', planAt(0.2, changes));
    const before = world.windows();
    world.counts(threeOf(3));
    // Whatever we count, what was heard stays as it is.
    expect(world.windows()).toBe(before);
    return outline(world.prompt('t'));
  };

  it.each<[string, Partial<SeenWindow>, string]>([
    ['the share of a plan over the same time', {}, 'keep'],
    ['as many requests over the same time', { unit: 'requests', limit: 100, remaining: 80 }, 'keep'],
    ['tokens over the same time', { unit: 'tokens', limit: 100, remaining: 80 }, 'redirect'],
    ['a plan of another length', { lengthMs: DAY }, 'redirect'],
    ['one family of models', { of: { family: 'opus' } }, 'redirect'],
    ['one model', { of: 'model' }, 'redirect'],
  ])('when that is %s, then its own word rules or does not', (_case, changes, kind) => {
    expect(spentOf(changes)).toMatchObject({ kind });
  });

  it('when the provider’s word is over, then the estimate counts', () => {
    const world = new Counted();
    world.hears('a/1', planAt(0.2, { resetInMs: HOUR }));
    world.counts(threeOf(3));
    world.wait(HOUR);
    expect(outline(world.prompt('t'))).toMatchObject({ kind: 'redirect' });
  });
});

describe('given a limit that is counted', () => {
  it('when it passes 80 and 95 %, then each is told once as an estimate, trusted or not, and anew in the next window', () => {
    const world = new Counted(MOVE);
    const of = (used: number, resetInMs: number) =>
      threeOf(used, { limit: 100, used: used / 100, remaining: 100 - used, resetInMs });
    const tell = (used: number, resetInMs: number) => {
      world.wait(SECOND);
      return passed(world.counts(of(used, resetInMs)));
    };
    const told = [79, 80, 90, 96, 100].map((used, at) => tell(used, HOUR - at * SECOND));
    expect(told.map((facts) => facts.map((fact) => ('mark' in fact ? fact.mark : null)))).toEqual([
      [],
      [0.8],
      [],
      [0.95],
      [],
    ]);
    expect(told[1]).toMatchObject([{ account: 'a', model: 'a/*', window: ID, unit: 'requests', isEstimate: true }]);
    world.wait(HOUR);
    // None is running, then one begins.
    expect(passed(world.counts(threeOf(0, { resetInMs: null })))).toEqual([]);
    expect(tell(81, 5 * HOUR)).toHaveLength(1);
  });

  it('when its reset has come, then it is empty, and known to be', () => {
    const world = new Counted();
    world.counts(threeOf(3));
    world.wait(2 * HOUR).prompt('t');
    expect(world.own()).toMatchObject([{ used: 1, resetAt: 2 * HOUR }]);
    expect(outline(world.decisions.at(-1) ?? null)).toMatchObject({ kind: 'keep' });
  });

  it('when it fills up at a steady pace, then it is told when it is full', () => {
    const world = new Counted();
    for (let minute = 0; minute <= 60; minute += 10) {
      world.now = minute * MINUTE;
      world.counts(threeOf(0, { limit: 100, used: 0.2 + minute / 300, resetInMs: 5 * HOUR - world.now }));
    }
    const [window] = world.own();
    // 20 % an hour: the other 60 % last three more.
    expect(window && forecastOf(window, world.now)?.fullAt).toBeCloseTo(4 * HOUR, -4);
  });

  it('when a person forgets what is known of the account, then it stays: what was used is used', () => {
    const world = new Counted();
    world.counts(threeOf(3));
    world.tell({ type: 'health.reset', target: { all: true }, actor: 'ann' });
    expect(world.own()).toHaveLength(1);
  });

  it('when hosts tell each other of limits, then each has counted by itself', () => {
    const world = new Counted();
    world.hears('a/1', planAt(0.5));
    world.counts(threeOf(3));
    const [said] = exportHealth(world.state, world.now).windows ?? [];
    expect(said?.[1].map(({ id }) => id)).toEqual(['unified-5h']);
    expect(JSON.stringify(sharedOf(world.state, NOTHING_SHARED, 0))).not.toContain(ID);
    world.tell({ type: 'health.synced', health: { models: [], providers: [], windows: [] } });
    expect([world.windows(), world.own().length]).toEqual([[], 1]);
  });

  it('when a request of its account is under way, then others hear of that, though nothing was heard of the account', () => {
    const world = new Counted();
    world.counts(threeOf(2));
    world.prompt('t');
    world.start('t', 'a/1');
    expect(exportHealth(world.state, world.now).underWay).toMatchObject([{ account: 'a', model: 'a/1' }]);
  });

  it('when a state is stored and taken in, or its log is played again, then it is the same', () => {
    const world = new Counted();
    world.wait(SECOND).counts(threeOf(2));
    const { state, damage } = restoreState(JSON.parse(JSON.stringify(saveState(world.state, 1_000))), 5_000);
    expect(damage).toBeNull();
    expect(get(state.counted, 'a')).toMatchObject([{ id: ID, at: 5_000, resetAt: 5_000 + 2 * HOUR }]);
    const log: LogEntry[] = [
      {
        at: 0,
        event: { type: 'scope.configured', directory: '/project', config: scopeOf(['a/1'], { headroom: TRUSTED }) },
      },
      { at: 1_000, event: { type: 'headroom.counted', accounts: [['a', [threeOf(2)]]] } },
    ];
    expect(get(replay(log).counted, 'a')).toEqual(world.own());
  });
});

describe('given a refusal that names no time, and an estimate that the limit is used up', () => {
  const cooled = (headroom: HeadroomRules) => {
    const world = new Counted(headroom);
    world.prompt('t');
    const { attempt } = world.start('t', 'a/1');
    world.counts(threeOf(3));
    world.fail(attempt, EVIDENCE.quota);
    return world.standing('a/1').inMs;
  };

  it('when it is trusted or not, then the model is out for as long as ever: its provider has not said that it was this limit', () => {
    const { quotaCooldownMs } = scopeOf([]).health;
    expect([cooled(TRUSTED), cooled(MOVE)]).toEqual([quotaCooldownMs, quotaCooldownMs]);
  });
});

describe('given a plan that is used up by an estimate, and another one that its work would use up within a day', () => {
  const WEEK = 7 * DAY;
  const weekOf = (used: number, now: number): SeenWindow => ({
    ...threeOf(0, {
      id: 'counted-requests-1000-week',
      lengthMs: WEEK,
      limit: 1_000,
      used,
      remaining: 1_000 * (1 - used),
    }),
    resetInMs: 3 * DAY - now,
  });
  /** 1 % of both an hour is used, for eight hours, until the first is spent. */
  const story = (trustsEstimates: boolean) => {
    const world = new Counted({ ...MOVE, trustsEstimates });
    for (let hour = 0; hour <= 8; hour++) {
      world.now = hour * HOUR;
      world.tell({
        type: 'headroom.counted',
        accounts: [
          ['a', [weekOf(0.92 + hour / 100, world.now)]],
          ['b', [weekOf(0.75 + hour / 100, world.now)]],
        ],
      });
    }
    return world.prompt('t').trace.map(({ model, code }) => [model, code]);
  };

  it('when estimates are trusted, then the work moves; that it would use the other one up is a guess on a guess, and stands against nothing', () => {
    expect(story(true).slice(0, 2)).toEqual([
      ['a/1', 'headroom.plan'],
      ['b/1', 'chain.first'],
    ]);
    expect(story(false)[0]).toEqual(['a/1', 'chain.first']);
  });
});
