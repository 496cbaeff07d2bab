import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../src/contract/snapshot';
import { CHAIN, DIRECTORY } from '../core/virtual-core';
import { cliUser, startApp } from './real-cli';

const [LEAD] = CHAIN;

/** A user whose app has logged a switch of build in session s1. */
async function userWithEvents() {
  const user = await cliUser();
  const core = await startApp(user);
  const logs = async (...args: string[]): Promise<readonly EventRow[]> =>
    JSON.parse((await user.run(['logs', ...args, '--json'])).said);
  return { ...user, core, logs };
}

describe('given a running app with events', () => {
  it('when a number, a time, an agent or a session is given, then only the matching events are printed, oldest first', async () => {
    const { logs } = await userWithEvents();
    const all = await logs();
    expect(all.length).toBeGreaterThan(2);
    expect(await logs('-n', '2')).toEqual(all.slice(-2));
    expect(await logs('-n', '0')).toEqual([]);
    expect(await logs('--since', '1h')).toEqual(all);
    expect(await logs('--since', '2999-01-01')).toEqual([]);
    const agent = await logs('--agent', 'build');
    expect(agent).toEqual(all.filter((event) => event.agent === 'build'));
    const [{ session } = { session: null }] = agent.filter((event) => event.session !== null);
    expect(await logs('--session', session ?? '')).toEqual(all.filter((event) => event.session === session));
  });

  it('when no event is of a session, then the existing sessions are listed: 5', async () => {
    const { run } = await userWithEvents();
    expect(await run(['logs', '--session', 'none'])).toEqual({
      code: 5,
      said: expect.stringMatching(/^There is no session 'none'\. Sessions: \S+\.$/),
    });
  });

  it('when it follows an agent, then new events of others are left out, and it ends with the app: 4', async () => {
    const { run, core } = await userWithEvents();
    const lines: string[] = [];
    const print = (text: string): void => void lines.push(text);
    const signal = new AbortController().signal;
    const followed = run(['logs', '-n', '0', '--follow', '--json'], { signal, print });
    const ofBuild = run(['logs', '-n', '1', '--agent', 'build', '--follow'], { signal, print: () => undefined });
    await run(['agent', 'pin', 'build', LEAD], { directory: DIRECTORY });
    await expect.poll(() => lines.length).toBeGreaterThan(0);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ agent: 'build', actor: 'cli' });
    await core.close();
    expect([(await followed).code, (await ofBuild).code]).toEqual([4, 4]);
  });

  it('when it is interrupted, then it ends with 0', async () => {
    const { run } = await userWithEvents();
    const stop = new AbortController();
    const print = (): void => stop.abort();
    expect((await run(['logs', '-n', '1', '--follow'], { signal: stop.signal, print })).code).toBe(0);
  });
});

describe('given no running app', () => {
  it('when options are given, then they apply to the stored log, and --follow ends with 3', async () => {
    const { core, logs, run } = await userWithEvents();
    await core.close();
    const all = await logs();
    const latest = await logs('-n', '2');
    expect([latest.length, latest.every(({ id }) => all.some((event) => event.id === id))]).toEqual([2, true]);
    expect(await logs('--agent', 'build')).toEqual(all.filter((event) => event.agent === 'build'));
    expect((await run(['logs', '--follow'])).code).toBe(3);
  });

  it('when the number is none, then it is a usage error', async () => {
    expect((await (await cliUser()).run(['logs', '-n', 'many'])).code).toBe(2);
  });
});
