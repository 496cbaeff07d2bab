import { describe, expect, it } from 'vitest';
import type { InstanceRow, Snapshot } from '../../src/contract/snapshot';
import { shownWait } from '../../src/core/waits';
import { CHAIN, COMPANION, configured, DIRECTORY, failed, openTestCore, prompted, started } from './virtual-core';

const WALL = 1_000_000;
const wallOf = (ms: number): number => WALL + ms;
const wait = (until: number | null, by: 'host' | 'hold' = 'host') =>
  ({ by, model: 'a/1', kind: 'rate_limit', status: 429, since: 0, until }) as const;
const instance = (status: InstanceRow['status'], since: number): InstanceRow => ({
  ...{ instance: `i${since}`, pid: 1, opencode: '1', plugin: '1', directories: ['/p'] },
  ...{ status, since: wallOf(since) },
});
const isShown = (until: number | null, now: number, instances: readonly InstanceRow[] = []): boolean =>
  shownWait({ waits: wait(until), directory: '/p' }, { now, wallOf, instances }) !== undefined;

describe('given a turn that stands still', () => {
  it.each([
    ['for less than five seconds', 4_999, [0], [false]],
    [
      'until a time that was said, and up to a minute after',
      600_000,
      [1_999, 2_000, 660_000, 660_001],
      [false, true, true, false],
    ],
    [
      'for nobody knows how long, from ten seconds on',
      null,
      [9_999, 10_000, 360_000, 360_001],
      [false, true, true, false],
    ],
  ])('when it does %s, then it is told at %j … as %j', (_, until, moments, expected) => {
    expect(moments.map((now) => isShown(until, now))).toEqual(expected);
  });

  it('when OpenCode has asked again, then it is told since the first failure, and six minutes after the last', () => {
    const waits = { ...wait(null), at: 500_000 };
    const isShownAt = (now: number) => shownWait({ waits, directory: '/p' }, { now, wallOf, instances: [] });
    expect([500_000, 860_000, 860_001].map((now) => isShownAt(now)?.since)).toEqual([WALL, WALL, undefined]);
  });

  it('when the app began anew after its first failure, then the end of another OpenCode hides it no more after the next', () => {
    const instances = [instance('connected', 300), instance('ended', 400)];
    const isShownBy = (last: number) =>
      shownWait({ waits: { ...wait(null), at: last }, directory: '/p' }, { now: 50_000, wallOf, instances }) !==
      undefined;
    expect([isShownBy(0), isShownBy(500)]).toEqual([false, true]);
  });

  it('when a pause is short, then its end is not told, however long the turn has been stuck', () => {
    const waits = { ...wait(64_000), at: 60_000 };
    const told = shownWait({ waits, directory: '/p' }, { now: 61_000, wallOf, instances: [] });
    expect([told?.since, told?.until]).toEqual([WALL, null]);
  });

  it('when it is told, then by the wall clock', () => {
    const told = shownWait({ waits: wait(600_000), directory: '/p' }, { now: 2_000, wallOf, instances: [] });
    expect([told?.since, told?.until]).toEqual([WALL, WALL + 600_000]);
  });

  it.each([
    ['its OpenCode is there', [instance('connected', -5)], true],
    ['only the app has begun anew', [instance('connected', 20)], true],
    ['its OpenCode was killed, and another one came', [instance('lost', 30), instance('connected', 40)], false],
    ['its OpenCode has ended', [instance('ended', 30)], false],
    ['another OpenCode of the project has ended', [instance('ended', 30), instance('connected', -5)], true],
    ['one had ended before', [instance('ended', -9), instance('connected', -5)], true],
  ])('when %s, then that decides whether it still waits', (_, instances, expected) => {
    expect(isShown(600_000, 2_050, instances)).toBe(expected);
  });
});

describe('given a core that hears of a failure which went to OpenCode, with no word of when it asks again', () => {
  it('when nothing else happens, then its viewers are told after ten seconds, and after six minutes that it is over', async () => {
    const { core, clock, tell } = openTestCore();
    core.connected(COMPANION);
    tell(configured(DIRECTORY, [CHAIN[0]]));
    tell(prompted());
    tell(started());
    tell(failed());
    const pushed: (boolean | undefined)[] = [];
    core.host.subscribe((name, data) => {
      if (name === 'snapshot') pushed.push((data as Snapshot).sessions[0]?.agents[0]?.waits !== undefined);
    });
    const isToldIn = async (ms: number) => {
      clock.advance(ms);
      await Promise.resolve();
      return pushed.at(-1);
    };
    expect([await isToldIn(9_999), await isToldIn(2)]).toEqual([false, true]);
    expect([await isToldIn(349_998), await isToldIn(3)]).toEqual([true, false]);
  });
});
