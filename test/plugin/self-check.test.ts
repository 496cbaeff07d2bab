import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BrokenFact, openSelfCheck } from '../../src/plugin/self-check';
import { tempFolder } from '../node/temp-folder';

const DAY = 86_400_000;

/** One process after another on one state home. */
async function openHome() {
  const home = join(await tempFolder(), 'u');
  const told: string[] = [];
  const open = (options: { opencode?: string; plugin?: string; now?: number } = {}) => {
    const { opencode = '1.18.33', plugin = '1.0.0', now = 0 } = options;
    const version = Promise.resolve(opencode);
    return openSelfCheck({ home, plugin, version, tell: (message) => told.push(message), now: () => now });
  };
  return { home, told, open };
}

/** A test that gives these results in turn, and counts. */
function testOf(...results: readonly (readonly BrokenFact[] | null)[]) {
  const test = Object.assign(async () => results[Math.min(test.count++, results.length - 1)] ?? null, { count: 0 });
  return test;
}

describe('given an OpenCode that nobody has tested', () => {
  it('when all holds, then turns move in flight, nobody is told, and no later process tests again', async () => {
    const { home, told, open } = await openHome();
    const test = testOf([]);
    const check = open();
    expect(check.actuator()).toBe('soft');
    await Promise.all([check.settle(test), check.settle(test)]);
    await check.settle(test);
    await open().settle(test);
    expect([check.actuator(), test.count, told]).toEqual(['soft', 1, []]);
    expect((await stat(join(home, 'self-test.json'))).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(join(home, 'self-test.json'), 'utf8'))).toEqual({
      v: 1,
      tested: [{ opencode: '1.18.33', plugin: '1.0.0', broken: [], at: 0 }],
    });
  });

  it.each<[BrokenFact, string, RegExp]>([
    ['moves', 'watch', /OpenCode 1\.18\.33 does not let a message be pointed at another model/],
    ['keeps', 'watch', /your next message goes to a model that is well/],
    ['tidies', 'soft', /Empty messages of failed attempts stay/],
  ])('when %s does not hold, twice, then it is %s, and the user is told once', async (fact, actuator, words) => {
    const { told, open } = await openHome();
    const test = testOf([fact]);
    const check = open();
    await check.settle(test);
    await check.settle(test);
    expect([check.actuator(), test.count, told]).toEqual([actuator, 2, [expect.stringMatching(words)]]);
  });

  it('when a bad result does not come again, then it was a bad moment', async () => {
    const { told, open } = await openHome();
    const check = open();
    await check.settle(testOf(['moves'], []));
    expect([check.actuator(), told]).toEqual(['soft', []]);
  });

  it('when the test cannot be made, then another idle moment serves', async () => {
    const { open } = await openHome();
    const test = testOf(null, []);
    const check = open();
    await check.settle(test);
    await check.settle(test);
    await check.settle(test);
    expect(test.count).toBe(2);
  });
});

describe('given a version of OpenCode that Understudy is not proven on', () => {
  it.each(['1.17.18', '1.18.35', '1.19.0', '1.9.0', '1.17.19-beta.1'])(
    'when it is %s, then turns stay where they are until it has been tested, and the user is told once',
    async (opencode) => {
      const { told, open } = await openHome();
      const check = open({ opencode });
      await expect.poll(() => check.actuator()).toBe('watch');
      expect(told).toEqual([
        expect.stringMatching(
          `^Understudy is proven on OpenCode 1\\.17\\.19 to 1\\.18\\.34 and 2\\.0\\.15 and this is ${opencode.replaceAll('.', '\\.')}\\. `,
        ),
      ]);
      await check.settle(testOf([]));
      const later = open({ opencode });
      await later.settle(testOf([]));
      expect([check.actuator(), later.actuator(), told.length]).toEqual(['soft', 'soft', 1]);
    },
  );
});

describe('given what an earlier process found', () => {
  it('when a turn may not move, then a later process knows before it has tested, and tells its user', async () => {
    const { told, open } = await openHome();
    await open().settle(testOf(['moves']));
    told.length = 0;
    const later = open({ now: DAY });
    await expect.poll(() => later.actuator()).toBe('watch');
    expect(told).toHaveLength(1);
  });

  it.each([
    ['another OpenCode', { opencode: '1.19.0' }, 'soft', 1],
    ['another companion', { plugin: '1.0.1' }, 'soft', 1],
    ['a day and a moment later', { now: DAY + 1 }, 'soft', 1],
    ['the same', {}, 'watch', 0],
  ])('when it is %s, then it is %s and tests %i times', async (_, other, actuator, count) => {
    const { open } = await openHome();
    await open().settle(testOf(['moves']));
    const later = open(other);
    const test = testOf([]);
    await later.settle(test);
    expect([later.actuator(), test.count]).toEqual([actuator, count]);
  });

  it('when two versions take turns, then both are remembered', async () => {
    const { open } = await openHome();
    const test = testOf([]);
    for (const opencode of ['1.18.33', '1.19.0', '1.18.33', '1.19.0']) await open({ opencode }).settle(test);
    expect(test.count).toBe(2);
  });

  it('when OpenCode does not say its version, then nothing is remembered', async () => {
    const { home, open } = await openHome();
    await open({ opencode: '' }).settle(testOf([]));
    await expect(stat(join(home, 'self-test.json'))).rejects.toThrow('ENOENT');
  });

  it.each(['', '{', '[]', '{"v":2}', '{"v":1,"tested":[{"broken":"all"}]}'])(
    'when the file holds %j, then it is as if there were none',
    async (text) => {
      const { home, open } = await openHome();
      await mkdir(home, { mode: 0o700 });
      await writeFile(join(home, 'self-test.json'), text, { mode: 0o600 });
      const test = testOf([]);
      await open().settle(test);
      expect(test.count).toBe(1);
    },
  );
});

describe('given an OpenCode 2, where each switch shows whether it holds', () => {
  it('when nothing is known of it, then turns move at once and nobody is told anything', async () => {
    const { told, open } = await openHome();
    const check = open({ opencode: '2.0.8' });
    await check.settle(testOf(null));
    expect([check.actuator(), told]).toEqual(['soft', []]);
  });

  it('when a switch did not hold, then it is told once, and no process moves a turn for a day', async () => {
    const { told, open } = await openHome();
    const opencode = '2.0.8';
    const check = open({ opencode });
    await check.learn([]);
    await check.learn(['moves']);
    await check.learn(['moves']);
    expect([check.actuator(), told]).toEqual(['watch', [expect.stringMatching(/^OpenCode 2\.0\.8 does not do what/)]]);
    const states = [];
    for (const now of [DAY, DAY + 1]) {
      const next = open({ opencode, now });
      await next.settle(testOf(null));
      states.push(next.actuator());
    }
    expect(states).toEqual(['watch', 'soft']);
  });
});
