import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readJournal } from '../../../src/features/council/node/journal';
import { emptyFolder, isPlayed, RUN_VARIABLE, STARTER_VARIABLE } from '../../../src/features/council/node/run-folder';
import { leavePlayed, playAppointed } from '../../../src/features/council/plugin/begun';
import { beginWritten, FIRST_RUN, runsHome } from '../../support/council-home';

const never = () => new Promise<never>(() => undefined);

describe('given an OpenCode that was started for a run', () => {
  it('when its starter is gone, then it leaves the run as it is, and ends', async () => {
    const home = await runsHome();
    const directory = emptyFolder(home, FIRST_RUN);
    await beginWritten(home, FIRST_RUN);
    const starter = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const variables = { UNDERSTUDY_HOME: home, [RUN_VARIABLE]: FIRST_RUN, [STARTER_VARIABLE]: String(starter.pid) };
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const ended = new Promise((resolve) => {
      vi.spyOn(process, 'exit').mockImplementation((code) => resolve(code) as never);
    });
    onTestFinished(async () => {
      vi.restoreAllMocks();
      vi.useRealTimers();
      vi.unstubAllEnvs();
      starter.kill('SIGKILL');
      await leavePlayed(directory);
    });
    const host = { open: never, prompt: never, recover: never, abort: async () => undefined };
    await playAppointed(directory, { generation: 1, warn: () => undefined, hostIn: () => host });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await isPlayed(home, FIRST_RUN)).toBe(true);
    starter.kill('SIGKILL');
    await once(starter, 'exit');
    await vi.advanceTimersByTimeAsync(10_000);
    expect([await ended, await isPlayed(home, FIRST_RUN)]).toEqual([0, false]);
    expect((await readJournal(home, FIRST_RUN)).map(({ event }) => event.type)).toEqual(['run.begun', 'run.resumed']);
  });
});
