import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { proveSwitch, sweepProofs } from '../../../src/plugin/opencode1/proof';
import type { BrokenFact } from '../../../src/plugin/runtime/self-check';
import { DIRECTORY } from '../support/opencode-double';
import { type Knobs, LEAD, playOpenCode, SPARE } from '../support/played-opencode';

/** No process has it. */
const NOBODY = 2 ** 30;

describe('given an OpenCode that carries a failing turn on', () => {
  it('when it is proved, then no provider is asked, nobody hears of it, and nothing is left', async () => {
    const { instance, asked, sessions, told, seen, home } = await playOpenCode();
    const known = seen.length;
    expect(await proveSwitch(instance)).toEqual([]);
    expect([asked, [...sessions], told, seen.length - known, instance.turns.size]).toEqual([[], [], [], 0, 0]);
    expect(await readdir(join(home, 'proofs'))).toEqual([]);
  });

  it('when both models are of one provider, as most people have it, then it is proved with them', async () => {
    const { instance, asked } = await playOpenCode();
    Object.assign(instance.listed, { provable: [LEAD, `${LEAD}-small`, SPARE] });
    expect([await proveSwitch(instance), asked]).toEqual([[], []]);
  });

  it('when a session is there already, then the proof is made beneath it, and the session stays', async () => {
    const { instance, client, sessions, events } = await playOpenCode();
    const { data } = await client.session.create({ body: { title: 'Mine' } });
    expect(await proveSwitch(instance)).toEqual([]);
    const parents = events.flatMap(({ type, properties }) =>
      type === 'session.created' ? [properties.info.parentID ?? null] : [],
    );
    expect([parents, [...sessions.keys()]]).toEqual([[null, data?.id], [data?.id]]);
  });
});

describe('given an OpenCode that lacks an ability', () => {
  it.each<[string, Partial<Knobs>, readonly BrokenFact[]]>([
    ['reads the model once for all steps', { rereads: false }, ['moves']],
    ['ends a turn after an empty step', { goesOn: false }, ['moves']],
    ['reads the model once and answers no message twice', { rereads: false, answersAgain: false }, ['moves', 'asks']],
    [
      'has a plugin that writes the old model back',
      { other: (message, before) => before && Object.assign(message, { model: before.model }) },
      ['moves', 'asks'],
    ],
    [
      'has a plugin that writes the old model back while a turn runs',
      { other: (message, before, isBusy) => before && isBusy && Object.assign(message, { model: before.model }) },
      ['moves'],
    ],
    [
      'loses what else is in the message',
      { other: (message, before) => before && Object.assign(message, { system: 'Other words.' }) },
      ['keeps'],
    ],
    ['deletes no message', { deletes: false }, ['tidies']],
    ['does not tell whose a request is', { hasHeaders: false }, ['sees']],
  ])('when it %s, then that is what is found, and no provider is asked', async (_, knobs, broken) => {
    const { instance, asked, sessions, events } = await playOpenCode(knobs);
    expect([await proveSwitch(instance), asked, [...sessions]]).toEqual([broken, [], []]);
    // Other programs read the bus: an aborted turn is the only end that they may see.
    const errors = events.flatMap((event) => (event.type === 'session.error' ? [event.properties.error?.name] : []));
    expect(errors.filter((name) => name !== 'MessageAbortedError')).toEqual([]);
    expect(JSON.stringify(events)).not.toContain('This is a check.');
  });
});

describe('given an OpenCode in which nothing can be found out', () => {
  it.each<[string, (of: Awaited<ReturnType<typeof playOpenCode>>) => unknown]>([
    ['it has one model', ({ instance }) => Object.assign(instance.listed, { provable: ['lead/one'] })],
    ['the project is closed', ({ close }) => close()],
    ['it opens no session', ({ client }) => Object.assign(client.session, { create: async () => ({ error: {} }) })],
    ['it takes no message', ({ client }) => Object.assign(client.session, { prompt: async () => ({ error: {} }) })],
    ['a call throws', ({ client }) => Object.assign(client.session, { prompt: () => Promise.reject(new Error('no')) })],
  ])('when %s, then nothing is claimed, nobody is asked, and nothing is left', async (_, arrange) => {
    const played = await playOpenCode();
    await arrange(played);
    expect([await proveSwitch(played.instance), played.asked, [...played.sessions]]).toEqual([null, [], []]);
  });

  it('when the project is closed during the turn, then OpenCode is asked for nothing more, which would open it again', async () => {
    const { instance, client, close, home } = await playOpenCode();
    const calls: string[] = [];
    client.session.prompt = async () => {
      await close();
      for (const name of ['abort', 'delete', 'messages', 'create', 'prompt'] as const)
        Object.assign(client.session, { [name]: async () => calls.push(name) });
      return { error: {} } as never;
    };
    expect([await proveSwitch(instance), calls]).toEqual([null, []]);
    // The next process to open the project deletes the session.
    expect(await readdir(join(home, 'proofs'))).toHaveLength(1);
  });

  it('when another plugin asks past our fetch, then no session is opened', async () => {
    const { instance, events } = await playOpenCode();
    const ours = globalThis.fetch;
    globalThis.fetch = (async () => Response.json({})) as unknown as typeof fetch;
    const found = await proveSwitch(instance);
    globalThis.fetch = ours;
    expect([found, events]).toEqual([null, []]);
  });

  it('when a turn does not come to an end, then it is unknown after 30 s and its session is gone', async () => {
    const { instance, client, sessions } = await playOpenCode();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const asked = new Promise<unknown>((resolve) => {
        client.session.prompt = () => {
          resolve(null);
          return new Promise(() => undefined);
        };
      });
      const proving = proveSwitch(instance);
      await asked;
      await vi.advanceTimersByTimeAsync(30_000);
      expect([await proving, [...sessions]]).toEqual([null, []]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('given what a process that was killed has left of a proof', () => {
  it('when OpenCode opens the directory again, then that session goes, and no other', async () => {
    const { instance, client, sessions, home } = await playOpenCode();
    const folder = join(home, 'proofs');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const title = (name: string): string => `Understudy: a check of this OpenCode (${name})`;
    const [left, alive, other] = [`${NOBODY}-a`, `${process.pid}-b`, `${NOBODY}-c`];
    for (const name of [left, alive]) await writeFile(join(folder, name), DIRECTORY, { mode: 0o600 });
    await writeFile(join(folder, other), '/another');
    const ids = [];
    for (const name of [left, alive, other, 'mine'])
      ids.push((await client.session.create({ body: { title: title(name) } })).data?.id);
    await sweepProofs(instance);
    expect([[...sessions.keys()], await readdir(folder)]).toEqual([ids.slice(1), [other, alive].sort()]);
  });
});
