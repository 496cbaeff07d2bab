import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { endTree, playGroup } from '../../scripts/play-release.mjs';

const group = { generation: 1, name: 'stand-in', says: '', file: 'test/e2e/turns.test.ts', limitMinutes: 1 };
const task = { version: '1.18.34', binary: '/bin/opencode', group };

/** A program in the place of another, with this text. */
async function programOf(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-play-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'stand-in.mjs');
  await writeFile(path, text);
  return path;
}

/** A program in the place of the one that plays tests: it says what it was asked for, and ends as `rest` tells. */
const standIn = (rest: string): Promise<string> =>
  programOf(`
import { writeFileSync } from 'node:fs';
const path = process.argv.find((word) => word.startsWith('--outputFile.json=')).split('=')[1];
const write = (status, file = status) => {
  const title = [process.env.OPENCODE_BIN, ...process.argv.slice(2, 7)].join(' ');
  const tests = [{ status, title, ancestorTitles: [], failureMessages: [status + ' in ' + import.meta.dirname], meta: {} }];
  writeFileSync(path, JSON.stringify({ testResults: [{ status: file, message: '', assertionResults: tests }] }));
};
${rest}`);

describe('given a release and a group of promises', () => {
  const title = '/bin/opencode run --project e2e test/e2e/turns.test.ts';
  const heldPromise = { place: 'the file', title: `${title} --reporter=default`, outcome: 'held', why: '' };

  it('when it is played, then on that release, and what its tests came to is read', async () => {
    expect(await playGroup(task, await standIn("write('passed')"))).toEqual({ promises: [heldPromise] });
  });

  it('when it has a pattern, then only the tests of that name are played', async () => {
    const some = { ...task, group: { ...group, pattern: 'real' } };
    expect(await playGroup(some, await standIn("write('passed')"))).toMatchObject({
      promises: [{ title: `${title} -t` }],
    });
  });

  it('when a test fails, then it is told why, without the folders of this machine', async () => {
    const played = await playGroup(task, await standIn("write('failed'); process.exit(1)"));
    expect(played).toMatchObject({ promises: [{ outcome: 'failed', why: expect.stringMatching(/^failed in tmp\//) }] });
  });

  it('when all tests pass and the run ends badly all the same, then that is a failure', async () => {
    expect(await playGroup(task, await standIn("write('passed'); process.exit(1)"))).toEqual({
      promises: [
        heldPromise,
        {
          ...{ place: 'stand-in', title: 'it ends well', outcome: 'failed' },
          why: 'every promise held, and yet the run ended with 1',
        },
      ],
    });
  });

  it.each([
    ['there is no report', "console.error('No test files found'); process.exit(1)"],
    ['no test was played', "write('skipped', 'passed'); console.log('No test files found')"],
  ])('when %s, then nothing is said of the release, but why it was not played', async (_, rest) => {
    expect(await playGroup(task, await standIn(rest))).toEqual({
      unplayed: 'test/e2e/turns.test.ts was not run: No test files found',
    });
  });

  it('when it does not come to an end in time, then it is ended, and that is a failure', async () => {
    const endless = { ...task, group: { ...group, limitMinutes: 0.005 } };
    expect(await playGroup(endless, await standIn('setInterval(() => undefined, 1_000)'))).toEqual({
      promises: [
        {
          ...{ place: 'stand-in', title: 'it comes to an end', outcome: 'failed' },
          why: 'It had not ended after 0.005 minutes.',
        },
      ],
    });
  });
});

describe('given a release and the demo', () => {
  const demo = { generation: 2, name: 'demo', says: '', limitMinutes: 1 };
  const second = { version: '2.0.15', binary: '/bin/opencode2', group: demo };
  /** A demo that says on which OpenCode it plays, and ends as `rest` tells. */
  const playing = (opencode: string, rest = '') =>
    programOf(`console.log('connected   companion in OpenCode ${opencode}');${rest}`);
  const promise = { place: 'the demo', title: 'it tells a whole fallback and ends with 0' };

  it('when it is played on a release of either generation, then OPENCODE_BIN names that release to it', async () => {
    for (const task of [second, { ...second, version: '1.18.34', binary: '/bin/opencode' }]) {
      const says = "console.error(process.env.OPENCODE_BIN + ' ' + process.argv.slice(2).join(' ')); process.exit(1)";
      expect(await playGroup(task, await playing(task.version, says))).toEqual({
        promises: [{ ...promise, outcome: 'failed', why: expect.stringContaining(`${task.binary} demo --once`) }],
      });
    }
  });

  it('when it ends with 0, then it holds', async () => {
    expect(await playGroup(second, await playing('2.0.15'))).toEqual({
      promises: [{ ...promise, outcome: 'held', why: '' }],
    });
  });

  it.each(['1.18.34', '2.0.150'])(
    'when it was played on %s instead, then it says nothing of the release',
    async (other) => {
      expect(await playGroup(second, await playing(other))).toEqual({
        unplayed: 'the demo was not played on OpenCode 2.0.15',
      });
    },
  );
});

describe('given a program that has started another one in a group of its own', () => {
  it('when it is ended, then so is the other', async () => {
    const program = `
const { pid } = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000)'], {
  detached: true,
  stdio: 'ignore',
});
console.log(pid);
setInterval(() => undefined, 1_000);`;
    const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    const other = Number(String(said));
    expect(isThere(other)).toBe(true);

    endTree(child);

    await expect
      .poll(() => [child.signalCode !== null || child.exitCode !== null, isThere(other)])
      .toEqual([true, false]);
  });
});

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended and that nobody has asked for its end yet still has its number.
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
