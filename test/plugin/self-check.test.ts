import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BrokenFact, openSelfCheck, type SelfCheck } from '../../src/plugin/runtime/self-check';
import { tempFolder } from '../node/temp-folder';

const DAY = 86_400_000;
const SECOND = 1_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

type Found = readonly BrokenFact[] | null;
type Opening = Readonly<{ opencode?: string; plugin?: string; build?: string; now?: number; isApart?: boolean }>;

/** One process after another on one state home. */
async function openHome() {
  const home = join(await tempFolder(), 'u');
  const told: string[] = [];
  const open = ({ opencode = '1.18.33', plugin = '1.0.0', build = 'a', now = 0, isApart = false }: Opening = {}) =>
    openSelfCheck({
      ...{ home, plugin, version: Promise.resolve(opencode), build: Promise.resolve(build), isApart },
      ...{ tell: (message: string) => void told.push(message), now: () => now },
    });
  return { home, told, open, file: join(home, 'self-test.json') };
}

/** A proof that finds these things in turn, and counts. */
function proofOf(...found: readonly Found[]) {
  const proof = Object.assign(async () => found[Math.min(proof.count++, found.length - 1)] ?? null, { count: 0 });
  return proof;
}

/** Offers a proof as a directory does, and waits for what it finds. */
async function settle(check: SelfCheck, proof: () => Promise<Found>): Promise<void> {
  check.offer({}, proof);
  await check.settled(SECOND, true);
}

/** A proof that is through when it is told what it found. */
function slowProof() {
  let end: (found: Found) => void = () => undefined;
  const begun = { count: 0, wait: () => undefined as unknown };
  const first = new Promise((resolve) => {
    begun.wait = () => resolve(null);
  });
  const proof = (): Promise<Found> => {
    begun.count++;
    begun.wait();
    return new Promise((resolve) => {
      end = resolve;
    });
  };
  return { proof, begun, first, end: (found: Found) => end(found) };
}

describe('given a process that was started for something else', () => {
  it('when a proof is offered, or a turn shows something, then nothing is proved, told or remembered', async () => {
    const { open, told, file } = await openHome();
    const check = open({ isApart: true });
    const proof = proofOf(['moves']);
    await settle(check, proof);
    await check.learn(['moves', 'asks']);
    await vi.advanceTimersByTimeAsync(10 * SECOND);
    expect([proof.count, told, check.actuator()]).toEqual([0, [], 'soft']);
    await expect(readFile(file, 'utf8')).rejects.toThrow();
  });
});

describe('given an OpenCode of which nothing is known', () => {
  it('when all holds, then turns move in flight, nobody is told, and no later process proves it again', async () => {
    const { file, told, open } = await openHome();
    const proof = proofOf([]);
    const check = open();
    expect([check.actuator(), check.isKnown()]).toEqual(['soft', false]);
    await Promise.all([settle(check, proof), settle(check, proof)]);
    await settle(open(), proof);
    expect([check.actuator(), check.isKnown(), proof.count, told]).toEqual(['soft', true, 1, []]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      v: 1,
      tested: [{ opencode: '1.18.33', plugin: '1.0.0', build: 'a', broken: [], at: 0 }],
    });
  });

  it.each<[readonly BrokenFact[], string, RegExp]>([
    [
      ['moves'],
      'again',
      /^OpenCode 1\.18\.33 cannot change the model of a running turn: .* answers the same message; /,
    ],
    [
      ['moves', 'asks'],
      'watch',
      /a failing turn ends with its error, and your next message goes to an available model\.$/,
    ],
    [['keeps'], 'watch', /cannot point a message at another model/],
    [['sees'], 'watch', /does not show Understudy its requests: Understudy cannot move any turn/],
    [['tidies'], 'soft', /empty messages of failed attempts stay in the history\.$/],
  ])(
    'when %j does not hold, twice, then it is %s, and the user is told once, in one sentence',
    async (broken, level, words) => {
      const { told, open } = await openHome();
      const proof = proofOf(broken);
      const check = open();
      await settle(check, proof);
      await settle(check, proof);
      expect([check.actuator(), proof.count, told]).toEqual([level, 2, [expect.stringMatching(words)]]);
      expect(told[0]?.replaceAll(/\d\.\d+\.\d+/g, '').match(/\./g)).toHaveLength(1);
    },
  );

  it('when a bad result does not come again, then it was a bad moment', async () => {
    const { told, open } = await openHome();
    const check = open();
    await settle(check, proofOf(['moves'], []));
    expect([check.actuator(), told]).toEqual(['soft', []]);
  });

  it('when a proof tells nothing three times, then it is not made a fourth time, and nothing is stored', async () => {
    const { file, open } = await openHome();
    const proof = proofOf(null);
    const check = open();
    for (let offered = 0; offered < 5; offered++) await settle(check, proof);
    expect([proof.count, check.actuator(), check.isKnown()]).toEqual([3, 'soft', false]);
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  it.each(['1.17.18', '1.18.35', '1.19.0', '1.9.0', '0.0.0-dev-202609212252'])(
    'when it is %s, which nobody has tried, then what is proved decides and nobody is told a number',
    async (opencode) => {
      const { told, open } = await openHome();
      const check = open({ opencode });
      await settle(check, proofOf([]));
      expect([check.actuator(), told]).toEqual(['soft', []]);
    },
  );
});

describe('given a proof beside OpenCode’s start', () => {
  it('when nobody waits for it, then it is begun after a second and not before', async () => {
    const { open } = await openHome();
    const { proof, begun } = slowProof();
    open().offer({}, proof);
    await vi.advanceTimersByTimeAsync(SECOND - 1);
    expect(begun.count).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    await expect.poll(() => begun.count).toBe(1);
  });

  it('when a turn fails before that, then it does not wait, and the proof is begun as before', async () => {
    const { open } = await openHome();
    const { proof, begun } = slowProof();
    const check = open();
    check.offer({}, proof);
    expect([await check.settled(SECOND), begun.count]).toEqual(['soft', 0]);
    await vi.advanceTimersByTimeAsync(SECOND);
    await expect.poll(() => begun.count).toBe(1);
  });

  it('when a turn fails while it is under way, then the turn waits 20 ms at most', async () => {
    const { open } = await openHome();
    const { proof, first } = slowProof();
    const check = open();
    check.offer({}, proof);
    await vi.advanceTimersByTimeAsync(SECOND);
    await first;
    const levels: string[] = [];
    void check.settled(20).then((level) => levels.push(level));
    await vi.advanceTimersByTimeAsync(19);
    expect(levels).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(levels).toEqual(['soft']);
  });

  it('when a turn runs at that moment, then it is begun a second after it is offered again', async () => {
    const { open } = await openHome();
    const { proof, begun } = slowProof();
    const check = open();
    let isFree = false;
    for (const count of [0, 1]) {
      check.offer({}, proof, () => isFree);
      await vi.advanceTimersByTimeAsync(SECOND);
      await expect.poll(() => begun.count).toBe(count);
      isFree = true;
    }
  });

  it('when a drill asks before that, then it is begun at once, and the drill waits a second at most', async () => {
    const { open } = await openHome();
    const { proof, begun, first, end } = slowProof();
    const check = open();
    check.offer({}, proof);
    const levels: string[] = [];
    void check.settled(SECOND, true).then((level) => levels.push(level));
    await first;
    await vi.advanceTimersByTimeAsync(SECOND - 1);
    expect(levels).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(levels).toEqual(['soft']);
    end(['keeps']);
    await expect.poll(() => begun.count).toBe(2);
    end(['keeps']);
    expect(await check.settled(SECOND, true)).toBe('watch');
  });

  it('when a turn shows it meanwhile, then the turn is believed', async () => {
    const { told, open } = await openHome();
    const { proof, begun, end } = slowProof();
    const check = open();
    check.offer({}, proof);
    const settled = check.settled(DAY, true);
    await expect.poll(() => begun.count).toBe(1);
    await check.learn([]);
    end([]);
    await settled;
    expect([check.actuator(), check.isKnown(), told]).toEqual(['soft', true, []]);
  });

  it('when one directory can prove nothing, then another one does', async () => {
    const { open } = await openHome();
    const [none, proof] = [proofOf(null), proofOf(['moves', 'asks'])];
    const check = open();
    check.offer({}, none);
    check.offer({}, proof);
    expect([await check.settled(SECOND, true), none.count, proof.count]).toEqual(['watch', 1, 2]);
  });
});

describe('given a switch that is its own proof', () => {
  it('when it was taken, then it is remembered; when it was not, then so, and told once', async () => {
    const { told, open } = await openHome();
    await open({ opencode: '1.18.40' }).learn([]);
    const [good, bad] = [open({ opencode: '1.18.40' }), open({ opencode: '1.18.41' })];
    await bad.learn(['moves']);
    await bad.learn(['moves']);
    const later = open({ opencode: '1.18.41' });
    for (const check of [good, later]) await settle(check, proofOf(null));
    expect([good.isKnown(), bad.actuator(), later.actuator(), told]).toEqual([
      true,
      'again',
      'again',
      Array(2).fill(expect.stringMatching(/^OpenCode 1\.18\.41 cannot change the model of a running turn/)),
    ]);
  });

  it('when its message was not asked again either, then turns are left alone', async () => {
    const { told, open } = await openHome();
    const check = open();
    await check.learn(['moves']);
    await check.learn(['moves', 'asks']);
    expect([check.actuator(), told.length]).toEqual(['watch', 2]);
  });
});

describe('given what an earlier process found', () => {
  it('when a turn may not move, then a later process knows without a proof, and tells its user', async () => {
    const { told, open } = await openHome();
    await settle(open(), proofOf(['keeps']));
    told.length = 0;
    const later = open({ now: DAY });
    await expect.poll(() => later.actuator()).toBe('watch');
    expect(told).toHaveLength(1);
  });

  it.each<[string, Opening, string, number]>([
    ['another OpenCode', { opencode: '1.19.0' }, 'soft', 1],
    ['another companion', { plugin: '1.0.1' }, 'soft', 1],
    ['another build of either', { build: 'b' }, 'soft', 1],
    ['a day and a moment later', { now: DAY + 1 }, 'soft', 1],
    ['the same', {}, 'watch', 0],
  ])('when it is %s (%j), then it is %s after %i proofs', async (_, other, level, count) => {
    const { open } = await openHome();
    await settle(open(), proofOf(['keeps']));
    const later = open(other);
    const proof = proofOf([]);
    await settle(later, proof);
    expect([later.actuator(), proof.count]).toEqual([level, count]);
  });

  it('when two builds take turns, then both are remembered', async () => {
    const { open } = await openHome();
    const proof = proofOf([]);
    for (const build of ['a', 'b', 'a', 'b']) await settle(open({ build }), proof);
    expect(proof.count).toBe(2);
  });

  it('when OpenCode does not say its version, then nothing is remembered', async () => {
    const { file, open } = await openHome();
    await settle(open({ opencode: '' }), proofOf([]));
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  it('when an older companion wrote it, which knew no builds, then it is proved anew', async () => {
    const { home, file, open } = await openHome();
    await mkdir(home, { mode: 0o700 });
    const old = { opencode: '1.18.33', plugin: '1.0.0', broken: ['moves'], at: 0 };
    await writeFile(file, JSON.stringify({ v: 1, tested: [old] }), { mode: 0o600 });
    const proof = proofOf([]);
    await settle(open(), proof);
    const { tested } = JSON.parse(await readFile(file, 'utf8')) as { tested: unknown[] };
    expect([proof.count, tested.length, tested[1]]).toEqual([1, 2, old]);
  });

  it.each(['', '{', '[]', '{"v":2}', '{"v":1,"tested":[{"broken":"all"}]}'])(
    'when the file holds %j, then it is as if there were none',
    async (text) => {
      const { home, file, open } = await openHome();
      await mkdir(home, { mode: 0o700 });
      await writeFile(file, text, { mode: 0o600 });
      const proof = proofOf([]);
      await settle(open(), proof);
      expect(proof.count).toBe(1);
    },
  );
});

describe('given an OpenCode 2, where each switch shows whether it holds', () => {
  it('when nothing is known of it, then turns move at once and nobody is told anything', async () => {
    const { told, open } = await openHome();
    const check = open({ opencode: '2.0.8' });
    expect([await check.settled(SECOND, true), told]).toEqual(['soft', []]);
  });

  it('when a switch did not hold, then it is told once, and no process moves a turn for a day', async () => {
    const { told, open } = await openHome();
    const opencode = '2.0.8';
    const check = open({ opencode });
    await check.learn([]);
    await check.learn(['moves']);
    await check.learn(['moves']);
    expect([check.actuator(), told]).toEqual([
      'watch',
      [expect.stringMatching(/^OpenCode 2\.0\.8 does not support moving a turn/)],
    ]);
    const states = [];
    for (const now of [DAY, DAY + 1]) {
      const next = open({ opencode, now });
      await settle(next, proofOf(null));
      states.push(next.actuator());
    }
    expect(states).toEqual(['watch', 'soft']);
  });
});
