import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBrain } from '../../src/plugin/base/brain';
import { openFallbackLogs } from '../../src/plugin/stores/fallback-logs';
import { tempFolder } from '../node/temp-folder';
import { scopeOf } from './support/opencode-double';

const CHAIN = ['lead/one', 'spare/two'];

/** A process with one project, whose lead fails when it is told to. */
async function openProcess() {
  const folder = await tempFolder();
  const brain = createBrain();
  const told: string[] = [];
  const logs = openFallbackLogs(brain, (message) => told.push(message));
  let turns = 0;
  const fail = (directory = '/p') => {
    const turn = `t${++turns}`;
    const place = { turn, session: `s${turns}`, directory, agent: 'build', model: 'lead/one' };
    brain.tell({ type: 'prompt.submitted', ...place, hostLead: 'lead/one', isExplicit: true });
    brain.tell({ type: 'attempt.started', ...place, attempt: `i:${turn}:1`, purpose: 'turn' });
    const evidence = { phase: 'body', status: 500, message: 'broken' } as const;
    brain.tell({ type: 'attempt.failed', attempt: `i:${turn}:1`, evidence, durationMs: 40 });
  };
  for (const directory of ['/p', '/q']) brain.tell({ type: 'scope.configured', directory, config: scopeOf(CHAIN) });
  const linesIn = async (name: string): Promise<string[]> =>
    (await readFile(join(folder, name), 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  return { folder, logs, told, fail, linesIn, at: (name: string) => ({ path: join(folder, name), isConfined: false }) };
}

describe('given a project with a log', () => {
  it('when its model fails, then the line and the records are there once the process has come to an end', async () => {
    const { logs, fail, linesIn, at } = await openProcess();
    logs.follow('/p', at('f.log'));
    fail();
    await logs.flush();
    expect((await linesIn('f.log')).map((line) => line.slice(line.indexOf(' ') + 1))).toEqual([
      '[DETECT] session=s1 agent=build model=lead/one trigger="server error" message="broken"',
    ]);
    expect((await linesIn('f.jsonl')).map((line) => JSON.parse(line).event)).toContain('attempt_failed');
  });

  it('when nothing waits for it, then it is written all the same', async () => {
    const { logs, fail, linesIn, at } = await openProcess();
    logs.follow('/p', at('f.log'));
    fail();
    await expect.poll(() => linesIn('f.log')).toHaveLength(1);
  });

  it('when its configuration names another place, then what follows goes there', async () => {
    const { logs, fail, linesIn, at } = await openProcess();
    logs.follow('/p', at('old.log'));
    fail();
    logs.follow('/p', at('new.log'));
    fail();
    await logs.flush();
    const sessionsIn = async (name: string) =>
      new Set((await linesIn(name)).map((line) => /session=(\w+)/.exec(line)?.[1]));
    expect([await sessionsIn('old.log'), await sessionsIn('new.log')]).toEqual([new Set(['s1']), new Set(['s2'])]);
  });

  it('when its log is switched off, then nothing more is written', async () => {
    const { logs, fail, linesIn, at } = await openProcess();
    logs.follow('/p', at('f.log'));
    logs.follow('/p', null);
    fail();
    await logs.flush();
    expect(await linesIn('f.log')).toEqual([]);
  });

  it('when another project has none, then its failures are in no log', async () => {
    const { logs, fail, linesIn, at } = await openProcess();
    logs.follow('/p', at('f.log'));
    fail('/q');
    await logs.flush();
    expect(await linesIn('f.log')).toEqual([]);
  });
});

describe('given a log that cannot be written', () => {
  it('when models fail again and again, then the user is told once for each of its two files, and nothing is thrown', async () => {
    const { logs, fail, told, folder, at } = await openProcess();
    await mkdir(join(folder, 'f.log'));
    await mkdir(join(folder, 'f.jsonl'));
    logs.follow('/p', at('f.log'));
    for (let times = 0; times < 3; times++) {
      fail();
      await logs.flush();
    }
    expect(told.sort()).toEqual([
      `The log cannot be written: ${join(folder, 'f.jsonl')} is not a file. Everything else still works.`,
      `The log cannot be written: ${join(folder, 'f.log')} is not a file. Everything else still works.`,
    ]);
  });
});
