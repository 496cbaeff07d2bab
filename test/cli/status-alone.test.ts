import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { logPath } from '../../src/node/data/own-data';
import { createBrain } from '../../src/plugin/base/brain';
import { shareHealth } from '../../src/plugin/stores/shared-health';
import { CHAIN, DIRECTORY, scopeOf } from '../core/virtual-core';
import { cliUser, startApp } from './real-cli';

const [LEAD, NEXT] = CHAIN;
const HOUR_MS = 3_600_000;

/** A user whose app has run, was told that the lead is limited, and has ended. */
async function userAfterwards() {
  const user = await cliUser();
  const core = await startApp(user);
  await core.close();
  return user;
}

/** An OpenCode without the app finds out that a model is limited for an hour, and shares it. */
async function share(home: string, model: string): Promise<void> {
  const brain = createBrain(Date.now, () => 0.5, 'life');
  const sharing = shareHealth(brain, { home, warn: () => undefined });
  const about = { turn: 't', session: 's', directory: DIRECTORY, agent: 'build', model };
  brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: scopeOf() });
  brain.tell({ type: 'prompt.submitted', ...about, hostLead: model, isExplicit: false });
  brain.tell({ type: 'attempt.started', ...about, attempt: 'a', purpose: 'turn' });
  const evidence = { phase: 'body', status: 429, headers: { 'retry-after': '3600' } } as const;
  brain.tell({ type: 'attempt.failed', attempt: 'a', evidence, durationMs: 5 });
  await sharing.flush();
}

/** What lies in a folder; libsql tidies up beside its file when the last statement is collected. */
const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => !/-(?:wal|shm)$/.test(name));

describe('given an app that has run and ended', () => {
  it('when the status is asked for, then what was known last is told with its age, and it ends with 3', async () => {
    const { run, home } = await userAfterwards();
    const then = (Date.now() - 3 * HOUR_MS) / 1_000;
    await utimes(logPath(home), then, then);
    const before = await namesIn(home);
    const { code, said } = await run(['status']);
    expect([code, said.split('\n').filter((line) => line !== '')]).toEqual([
      3,
      [
        'Understudy is not running. Start it with "understudy panel".',
        expect.stringMatching(/^Last stored state, \d{4}-\d\d-\d\d \d\d:\d\d, 3 h ago\.$/),
        expect.stringMatching(
          new RegExp(`^ {2}${LEAD} +Cooling +rate limited \\(429\\) +(?:5m 0s|4m \\d+s) left, until about`),
        ),
      ],
    ]);
    const json = await run(['status', '--json']);
    const { isRunning, at, snapshot } = JSON.parse(json.said);
    expect([json.code, isRunning, Math.round(at / 1_000), snapshot.models[0].state]).toEqual([
      3,
      false,
      Math.round(then),
      'cooling',
    ]);
    expect(await namesIn(home)).toEqual(before);
  });

  it('when OpenCode has found out more since, then that is told with it', async () => {
    const { run, home } = await userAfterwards();
    const then = (Date.now() - HOUR_MS) / 1_000;
    await utimes(logPath(home), then, then);
    await share(home, NEXT);
    const { said } = await run(['status']);
    expect([said.includes('under 1 min ago'), said.match(/\S+ +Cooling/g)?.map((line) => line.split(' ')[0])]).toEqual([
      true,
      [LEAD, NEXT],
    ]);
  });

  it('when OpenCode alone has ever run, then what it shared is told', async () => {
    const { run, home } = await cliUser();
    await share(home, LEAD);
    expect((await run(['status'])).said).toMatch(/lead\/one +Cooling/);
  });

  it('when the logs are asked for, then they are those it told while it ran, with their day, and it ends with 0', async () => {
    const user = await cliUser();
    const core = await startApp(user);
    const running = await user.run(['logs']);
    await core.close();
    const alone = await user.run(['logs']);
    const today = new Date().toLocaleDateString('sv');
    const lines = alone.said.split('\n');
    // The end of the app is in the log as well.
    expect([alone.code, lines.slice(0, running.said.split('\n').length)]).toEqual([
      0,
      running.said.split('\n').map((line) => `${today} ${line}`),
    ]);
    const json = await user.run(['logs', '--json']);
    expect([json.code, JSON.parse(json.said).length]).toEqual([0, lines.length]);
  });

  it('when the log holds rubbish alone, then nothing is known of models, and the file is left where it is', async () => {
    const { run, home } = await cliUser();
    await mkdir(home, { mode: 0o700 });
    await writeFile(logPath(home), 'no record\n{}\n', { mode: 0o600 });
    await writeFile(join(home, 'health.json'), '{"v":9}', { mode: 0o600 });
    expect([(await run(['status'])).said.split('\n').at(-1), (await run(['logs'])).said, await readdir(home)]).toEqual([
      'No model has been used yet.',
      'There are no recorded events.',
      ['events.jsonl', 'health.json'],
    ]);
  });
});
