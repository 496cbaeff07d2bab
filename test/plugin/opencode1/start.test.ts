import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { INCOMPLETE } from '../../../src/plugin/base/part';
import type { BusEvent, Hooks, OpenCodeConfig, PluginInput } from '../../../src/plugin/opencode1/memory/types';

type StartWhenCalm = typeof import('../../../src/plugin/opencode1/start').startWhenCalm;

const CALM_MS = 300;

/** A process in which nothing is loaded yet, and what the companion behind the hooks hears. */
async function startedIn({ fails = false } = {}) {
  vi.resetModules();
  const { startWhenCalm } = await import('../../../src/plugin/opencode1/start');
  const heard: string[] = [];
  const logged: string[] = [];
  const toasts: string[] = [];
  const hear =
    (name: string) =>
    async (input?: unknown): Promise<void> => {
      heard.push(`${name} ${JSON.stringify(input)}`);
    };
  const hooks: Hooks = {
    config: hear('config'),
    event: hear('event'),
    'chat.message': hear('message'),
    dispose: hear('dispose'),
  };
  const load = async () => {
    heard.push('load');
    if (fails) throw new Error('the file is torn');
    return { startOpenCode1: async () => hooks };
  };
  const client = {
    tui: { showToast: async ({ body }: { body: { message: string } }) => void toasts.push(body.message) },
    app: {
      log: async ({ body }: { body: { message: string } }) => void logged.push(body.message.split('\n')[0] ?? ''),
    },
  } as unknown as PluginInput['client'];
  /** OpenCode gives all plugins of one directory the same client, and those of another one another. */
  const start = async (own = { ...client }): ReturnType<StartWhenCalm> => {
    const given = await startWhenCalm({ client: own, directory: '/p' }, load);
    onTestFinished(() => given.dispose?.());
    return given;
  };
  return { heard, logged, toasts, start, client };
}

const idle = (session: string): { event: BusEvent } => ({
  event: { type: 'session.idle', properties: { sessionID: session } },
});
const message = { sessionID: 'ses_1' };
const said = { message: {}, parts: [] } as unknown as Parameters<NonNullable<Hooks['chat.message']>>[1];

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

describe('given the first directory of a process', () => {
  it('when OpenCode configures it, then our commands are there at once and nothing is loaded before 300 ms', async () => {
    const { heard, start } = await startedIn();
    const hooks = await start();
    const config: OpenCodeConfig = { model: 'openai/gpt-4o' };
    await hooks.config?.(config);
    expect(Object.keys(config.command ?? {})).toContain('fallback-status');
    await vi.advanceTimersByTimeAsync(CALM_MS - 1);
    expect(heard).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(heard.map((line) => line.split(' ')[0])).toEqual(['load', 'config']);
  });

  it('when OpenCode takes its time before it configures, then the 300 ms count from there', async () => {
    const { heard, start } = await startedIn();
    const hooks = await start();
    await vi.advanceTimersByTimeAsync(5 * CALM_MS);
    await hooks.config?.({});
    await vi.advanceTimersByTimeAsync(CALM_MS - 1);
    expect(heard).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(heard[0]).toBe('load');
  });

  it('when a message comes first, then it waits for the companion, which has heard all before it in order', async () => {
    const { heard, start } = await startedIn();
    const hooks = await start();
    await hooks.config?.({});
    await hooks.event?.(idle('a'));
    await hooks.event?.(idle('b'));
    expect(heard).toEqual([]);
    await hooks['chat.message']?.(message, said);
    await hooks.event?.(idle('c'));
    expect(heard.map((line) => line.slice(0, 16))).toEqual([
      'load',
      expect.stringContaining('config'),
      expect.stringContaining('event'),
      expect.stringContaining('event'),
      expect.stringContaining('message'),
      expect.stringContaining('event'),
    ]);
    expect(heard.flatMap((line) => /"sessionID":"([abc])"/.exec(line)?.[1] ?? [])).toEqual(['a', 'b', 'c']);
    await vi.advanceTimersByTimeAsync(2 * CALM_MS);
    expect(heard.filter((line) => line === 'load')).toHaveLength(1);
  });

  it('when OpenCode never configures it, then it is there after ten seconds', async () => {
    const { heard, start } = await startedIn();
    await start();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(heard).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(heard).toEqual(['load']);
  });

  it('when another plugin keeps the fetch it finds, then it is ours; closed, the host has its own again', async () => {
    const host = globalThis.fetch;
    const { start } = await startedIn();
    const hooks = await start();
    const found = globalThis.fetch;
    await hooks.dispose?.();
    await hooks.dispose?.();
    expect([found === host, globalThis.fetch === host]).toEqual([false, true]);
  });

  it('when it is closed before anything is loaded, then nothing ever is', async () => {
    const { heard, start } = await startedIn();
    const hooks = await start();
    await hooks.config?.({});
    await hooks.dispose?.();
    await hooks['chat.message']?.(message, said);
    await vi.advanceTimersByTimeAsync(2 * CALM_MS);
    expect(heard).toEqual([]);
  });

  it('when the companion cannot be loaded, then OpenCode goes on without it, its log says why, and the user is told', async () => {
    const { logged, toasts, start } = await startedIn({ fails: true });
    const hooks = await start();
    await hooks.config?.({});
    await hooks['chat.message']?.(message, said);
    await hooks.event?.(idle('a'));
    await hooks.dispose?.();
    expect([logged, toasts]).toEqual([['start: Error: the file is torn', INCOMPLETE], [INCOMPLETE]]);
  });
});

it('given a process in which it is loaded, when another directory starts, then its companion is there at once', async () => {
  const { heard, start } = await startedIn();
  const first = await start();
  await first['chat.message']?.(message, said);
  const second = await start();
  expect(heard.filter((line) => line === 'load')).toHaveLength(2);
  await second.config?.({});
  expect(heard.at(-1)).toContain('config');
});

it('given two copies of the plugin in one directory, when both start, then one serves it, and the other may once that has ended', async () => {
  const one = await startedIn();
  const other = await startedIn();
  const hooks = await one.start(one.client);
  expect([Object.keys(hooks).length > 0, await other.start(one.client)]).toEqual([true, {}]);
  await hooks.dispose?.();
  expect(Object.keys(await other.start(one.client))).toEqual(Object.keys(hooks));
});
