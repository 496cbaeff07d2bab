import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScopeConfig, SeenWindow } from '../../../src/engine';
import { get, levelAt, type Said } from '../../../src/engine/tools';
import { fleetText, readFleetText } from '../../../src/protocol';
import { MOVE, planAt, tokensWith } from '../../engine/headroom/seen';
import { DAY, DIRECTORY, HOUR, MINUTE, outline, SECOND } from '../../engine/world';
import { runs } from '../../support/runs';
import { Fleet, type Machine } from './machines';

/** A response to a machine tells how full limits are. */
const hears = (machine: Machine, ...windows: readonly SeenWindow[]): void =>
  machine.does((world) => {
    world.tell({ type: 'headroom.seen', attempt: null, directory: DIRECTORY, model: 'a/1', windows });
  });
const windowsOf = ({ world }: Machine) => get(world.state.windows, 'a') ?? [];
const used = (machine: Machine): readonly (number | undefined)[] =>
  windowsOf(machine).map((window) => levelAt(window, machine.world.now)?.used);
const moves = ({ world }: Machine): void => {
  world.configure({ ...(get(world.state.scopes, DIRECTORY) as ScopeConfig), headroom: MOVE });
};

describe('given machines that share an account, and a plan that one of them hears of', () => {
  it('when it is 98 % spent there, then no turn begins with it here, and it is known by whom', () => {
    const fleet = new Fleet('one', 'two');
    const two = fleet.get('two');
    moves(two);
    hears(fleet.get('one'), planAt(0.98));
    fleet.sync();
    expect(windowsOf(two)).toMatchObject([{ used: 0.98, machine: 'one', source: 'provider' }]);
    expect((windowsOf(two)[0]?.resetAt ?? 0) - two.world.now).toBe(2 * HOUR);
    expect(outline(two.world.prompt('t'))).toMatchObject({ to: 'b/1', code: 'headroom.plan' });
    fleet.wait(2 * HOUR);
    expect(outline(two.world.prompt('u', { model: 'b/1' }))).toMatchObject({ to: 'a/1' });
  });

  it('when a response here tells of it later, then that counts, it is said as one’s own, and the other takes it in', () => {
    const fleet = new Fleet('one', 'two');
    const [one, two] = [fleet.get('one'), fleet.get('two')];
    hears(one, planAt(0.5));
    const before = fleet.sync().said.get('one') as Said;
    fleet.wait(MINUTE);
    hears(two, planAt(0.6, { resetInMs: 2 * HOUR - MINUTE }));
    fleet.sync();
    expect([used(one), used(two)]).toEqual([[0.6], [0.6]]);
    expect([windowsOf(one)[0]?.machine, windowsOf(two)[0]?.machine]).toEqual(['two', undefined]);
    // What was heard there before changes nothing any more.
    two.exchange.heard('a', [['one', before]]);
    expect(used(two)).toEqual([0.6]);
  });

  it('when both fill it up, then its pace is that of both, and no request here is taken for larger', () => {
    const fleet = new Fleet('one', 'two');
    const [one, two] = [fleet.get('one'), fleet.get('two')];
    for (let at = 0; at < 20; at++) {
      hears(at % 2 === 0 ? one : two, planAt(0.01 * at, { resetInMs: 4 * HOUR - at * MINUTE }));
      fleet.sync().wait(MINUTE);
    }
    for (const machine of [one, two]) {
      expect(windowsOf(machine)[0]?.pace?.perHour).toBeCloseTo(0.6, 1);
      expect(windowsOf(machine)[0]?.step?.most).toBeCloseTo(0.01, 3);
    }
  });

  it('when it is one of a model, then it is that model’s here as well', () => {
    const fleet = new Fleet('one', 'two');
    hears(fleet.get('one'), tokensWith(10));
    fleet.sync();
    expect(windowsOf(fleet.get('two'))).toMatchObject([{ model: 'a/1', id: 'tokens', remaining: 10, limit: 10_000 }]);
  });

  it('when it fills up by little, then it is not said again within half a minute; when it is nearly full, at once', () => {
    const fleet = new Fleet('one');
    const one = fleet.get('one');
    hears(one, planAt(0.5));
    const first = one.exchange.mine('a');
    fleet.wait(SECOND);
    hears(one, planAt(0.503, { resetInMs: 2 * HOUR - SECOND }));
    expect(one.exchange.mine('a')?.windows).toEqual(first?.windows);
    fleet.wait(30 * SECOND);
    hears(one, planAt(0.503, { resetInMs: 2 * HOUR - 31 * SECOND }));
    expect(one.exchange.mine('a')?.windows).toMatchObject([{ used: 0.503, at: 31 * SECOND }]);
    const urgency = (share: number) => {
      one.world.tell({
        ...{ type: 'headroom.seen', attempt: null, directory: DIRECTORY, model: 'a/1' },
        windows: [planAt(share)],
      });
      return one.exchange.look();
    };
    expect([urgency(0.7), urgency(0.9), one.exchange.look()]).toEqual(['soon', 'now', null]);
  });

  it('when the machine that said so is not heeded any more, or the account not used, then it is not known here', () => {
    const fleet = new Fleet('one', 'two');
    const two = fleet.get('two');
    hears(fleet.get('one'), planAt(0.98));
    fleet.sync();
    two.exchange.heard('a', [['one', null]]);
    expect(windowsOf(two)).toEqual([]);
    fleet.hear(two);
    expect(used(two)).toEqual([0.98]);
    two.exchange.leave('a');
    expect(windowsOf(two)).toEqual([]);
  });

  it('when a person forgets here what is known of an account, then an old word does not bring it back', () => {
    const fleet = new Fleet('one', 'two');
    const two = fleet.get('two');
    hears(fleet.get('one'), planAt(0.98));
    fleet.sync().wait(MINUTE);
    two.does((world) => world.tell({ type: 'health.reset', target: { model: 'a/1' }, actor: 'ann' }));
    fleet.sync();
    expect(windowsOf(two)).toEqual([]);
  });

  it.each<[string, Partial<SeenWindow>, number, number]>([
    ['a week', { resetInMs: 6 * DAY, lengthMs: 7 * DAY }, DAY - SECOND, DAY],
    ['two hours', {}, 2 * HOUR - SECOND, 2 * HOUR],
  ])(
    'when it begins anew in %s, then another machine’s word on it is believed for a day at most',
    (_, over, last, end) => {
      const fleet = new Fleet('one', 'two');
      hears(fleet.get('one'), planAt(0.98, over));
      fleet.sync().wait(last);
      expect(used(fleet.get('two'))).toEqual([0.98]);
      fleet.wait(end - last);
      expect(used(fleet.get('two'))).toEqual([undefined]);
    },
  );

  it.each([
    ['of what is to come', { at: HOUR, asOf: HOUR }],
    ['of a year', { resetAt: 365 * DAY }],
    ['of a request that left after its response', { asOf: SECOND }],
    ['of a window that is over', { resetAt: 0 }],
  ])('when a machine speaks %s, then nothing is taken in', (_, changes) => {
    const fleet = new Fleet('one', 'two');
    hears(fleet.get('one'), planAt(0.98));
    fleet.speak(fleet.get('one'));
    const said = fleet.said.get('one') as Said;
    const windows = said.windows.map((window) => ({ ...window, ...changes }));
    fleet.get('two').exchange.heard('a', [['one', { ...said, windows }]]);
    expect(windowsOf(fleet.get('two'))).toEqual([]);
  });

  it('when it is written and read, then it is the same; where it makes no sense, health is read without it', () => {
    const fleet = new Fleet('one');
    hears(fleet.get('one'), planAt(0.98, { isRuling: true }), tokensWith(10));
    fleet.speak(fleet.get('one'));
    const said = fleet.said.get('one') as Said;
    const text = fleetText({ ...said, version: '1.2.3', spent: [] });
    expect(readFleetText(text)).toMatchObject({ version: '1.2.3', windows: said.windows });
    const broken = readFleetText(text.replace('"used":0.98', '"used":-1'));
    expect(broken).toMatchObject({ machine: 'one', windows: [] });
    expect(text).not.toMatch(/session|build|project/);
  });
});

describe('given any course of responses to three machines', () => {
  const step = fc.record({
    who: fc.constantFrom('one', 'two', 'three'),
    gain: fc.integer({ min: 0, max: 50 }),
    waits: fc.integer({ min: 1, max: 20 * MINUTE }),
    isTold: fc.boolean(),
  });

  it('when all has been said and heard, then all know the same, and never less than the newest response said', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
        const fleet = new Fleet('one', 'two', 'three');
        let share = 0;
        let resetAt = 5 * HOUR;
        for (const { who, gain, waits, isTold } of steps) {
          fleet.wait(waits);
          if (fleet.now >= resetAt) {
            share = 0;
            resetAt = fleet.now + 5 * HOUR;
          }
          share = Math.min(1, share + gain / 1_000);
          hears(fleet.get(who), planAt(share, { resetInMs: resetAt - fleet.now }));
          if (isTold) fleet.sync();
        }
        // Beyond what is held back as no news.
        fleet.wait(MINUTE);
        for (const machine of fleet.machines) hears(machine, planAt(share, { resetInMs: resetAt - fleet.now }));
        fleet.sync();
        if (fleet.now >= resetAt) return;
        for (const machine of fleet.machines) expect(used(machine)).toEqual([share]);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('given a limit that refills all the time', () => {
  it('when another machine found it emptier half a minute before this one, then what this one found counts', () => {
    const fleet = new Fleet('one', 'two');
    const [one, two] = [fleet.get('one'), fleet.get('two')];
    const bucket = (left: number) => tokensWith(10_000 * left, { resetInMs: MINUTE * (1 - left) });
    hears(one, bucket(0.05));
    fleet.wait(30 * SECOND);
    hears(two, bucket(0.55));
    fleet.sync();
    expect(used(two).map((level) => level?.toFixed(2))).toEqual(['0.45']);
    expect(windowsOf(two)[0]?.machine).toBeUndefined();
  });
});

describe('given a machine of the team that says what no response tells', () => {
  const said = (fleet: Fleet, windows: Said['windows'], machine = 'bad', id = machine): void => {
    for (const { exchange } of fleet.machines)
      exchange.heard('a', [[id, { words: [], windows, machine, at: fleet.now }]]);
  };
  const word = (fleet: Fleet, id: string, used: number): Said['windows'][number] => ({
    ...{ id, unit: 'share', lengthMs: 5 * HOUR, family: null, used, limit: null, remaining: null, name: null },
    ...{ resetAt: fleet.now + HOUR, refills: 'at_reset', charges: 'used', at: fleet.now, asOf: fleet.now },
    ...{ isRuling: false, isRefusing: false, isOverdrawable: false },
  });
  const many = (fleet: Fleet, used = 0.5) => Array.from({ length: 40 }, (_, at) => word(fleet, `odd-${at}`, used));

  it('when it names forty limits, then none that was heard here gives way to them', () => {
    const fleet = new Fleet('one');
    const one = fleet.get('one');
    hears(one, planAt(0.7));
    fleet.wait(SECOND);
    said(fleet, many(fleet));
    const own = windowsOf(one).filter(({ machine }) => machine === undefined);
    expect([own.map(({ id }) => id), windowsOf(one).length]).toEqual([['unified-5h'], 40]);
  });

  it('when they are nearly used up, then nobody is told of limits that no response here ever named', () => {
    const fleet = new Fleet('one');
    const one = fleet.get('one');
    const facts: string[] = [];
    const tell = one.world.tell.bind(one.world);
    one.world.tell = (event) => {
      const step = tell(event);
      facts.push(...step.facts.map(({ type }) => type));
      return step;
    };
    said(fleet, many(fleet, 0.96));
    fleet.wait(MINUTE);
    said(fleet, many(fleet, 0.97));
    expect(facts).not.toContain('headroom.passed');
    hears(one, planAt(0.96));
    expect(facts).toContain('headroom.passed');
  });

  it('when a limit of its is said to be of the future, then its next word is taken all the same', () => {
    const fleet = new Fleet('one');
    const one = fleet.get('one');
    said(fleet, [{ ...word(fleet, 'x', 0.4), at: fleet.now + DAY, asOf: fleet.now }]);
    expect(windowsOf(one)).toEqual([]);
    fleet.wait(MINUTE);
    said(fleet, [word(fleet, 'x', 0.5)]);
    expect(used(one)).toEqual([0.5]);
  });

  it('when one of two with one name says nothing any more, then what the other has heard still counts', () => {
    const fleet = new Fleet('one');
    const one = fleet.get('one');
    said(fleet, [word(fleet, 'x', 0.4)], 'ci', 'id-1');
    said(fleet, [word(fleet, 'y', 0.5)], 'ci', 'id-2');
    one.exchange.heard('a', [['id-1', null]]);
    expect(windowsOf(one).map(({ id }) => id)).toContain('y');
    one.exchange.heard('a', [['id-2', null]]);
    expect(windowsOf(one)).toEqual([]);
  });
});
