import { describe, expect, it, onTestFinished } from 'vitest';
import type { RpcMethods } from '../../../src/plugin/opencode2/session/types';
import { openVoice } from '../../../src/plugin/opencode2/session/voice';
import { openTuiLink } from '../../../src/plugin/opencode2/user/tui-link';
import { statusIn, TUI_RPC } from '../../../src/plugin/tui/messages';
import { LEAD, openInstance, SESSION, TURN } from '../support/opencode2-instance';

const NOTICE = { message: 'build switched', variant: 'info' } as const;

/** A host that carries what the parts of a plugin say to each other, or does something else once it is asked for that. */
async function open(register?: () => Promise<never>, dispose?: () => Promise<void>) {
  const emitted: (readonly [string, unknown])[] = [];
  let methods: RpcMethods = {};
  const rpc = {
    register: async (_: unknown, given: RpcMethods) => {
      methods = given;
      return (
        (await register?.()) ?? {
          events: { emit: async (name: string, value: unknown) => void emitted.push([name, value]) },
          ...(dispose ? { dispose } : {}),
        }
      );
    },
  };
  const { instance, brain, lines } = openInstance({ context: { rpc } });
  const link = await openTuiLink(instance);
  onTestFinished(link.close);
  return {
    ...{ link, brain, emitted, lines },
    ask: async () => statusIn(await methods[TUI_RPC.status]?.()),
    told: (name: string) => emitted.filter(([each]) => each === name).map(([, value]) => value),
    prompt: () =>
      brain.tell({
        ...{ type: 'prompt.submitted', turn: TURN, session: SESSION, directory: instance.directory, agent: 'build' },
        ...{ model: LEAD, hostLead: LEAD, isExplicit: false },
      } as never),
  };
}

describe('given the terminals of OpenCode 2', () => {
  it('when none has asked, then none is told anything', async () => {
    const { prompt, emitted } = await open();
    prompt();
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(emitted).toEqual([]);
  });

  it('when one asks, then it is told, and all are told of each change from then on, once for each moment', async () => {
    const { ask, prompt, told } = await open();
    expect(await ask()).toEqual({ home: { text: 'build: one not used yet', tone: 'well' }, sessions: {} });
    prompt();
    await expect
      .poll(() => told(TUI_RPC.status))
      .toEqual([
        {
          home: { text: 'build: one not used yet', tone: 'well' },
          sessions: {
            [SESSION]: { text: expect.stringMatching(/^build: one, running since \d\d:\d\d$/), tone: 'well' },
          },
        },
      ]);
  });

  it('when something happens before one is there, then it is shown once one is, the newest five of it', async () => {
    const { link, ask, told } = await open();
    for (const count of [1, 2, 3, 4, 5, 6]) link.notify({ ...NOTICE, message: `${count}` });
    await ask();
    await expect
      .poll(() => told(TUI_RPC.notice).map((value) => (value as typeof NOTICE).message))
      .toEqual(['2', '3', '4', '5', '6']);
    link.notify(NOTICE);
    await expect.poll(() => told(TUI_RPC.notice).at(-1)).toEqual(NOTICE);
  });

  it('when what is to be told cannot be said, then that is in the log, the terminal is told nothing, and the next change again', async () => {
    const { ask, brain, prompt, told, lines } = await open();
    await ask();
    const { state } = brain;
    Object.assign(brain, {
      state: () => {
        throw new Error('nobody knows');
      },
    });
    prompt();
    await expect.poll(() => lines).toEqual([expect.stringContaining('terminal: Error: nobody knows')]);
    expect([await ask(), told(TUI_RPC.status)]).toEqual([{ home: null, sessions: {} }, []]);
    Object.assign(brain, { state });
    prompt();
    await expect.poll(() => told(TUI_RPC.status).length).toBe(1);
  });

  it.each([
    ['takes it back', async () => undefined],
    ['cannot', () => Promise.reject(new Error('no'))],
    [
      'does otherwise than it was seen',
      () => {
        throw new Error('no');
      },
    ],
  ])('when it is closed and OpenCode %s, then it has been asked to, and nothing is thrown', async (_, host) => {
    let disposed = 0;
    const { link } = await open(undefined, () => {
      disposed += 1;
      return host();
    });
    link.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(disposed).toBe(1);
  });

  it('when OpenCode has no such door, or refuses it, then nothing is thrown', async () => {
    const refused = await open(() => Promise.reject(new Error('no')));
    refused.link.notify(NOTICE);
    const { instance } = openInstance();
    (await openTuiLink(instance)).notify(NOTICE);
    expect(refused.emitted).toEqual([]);
  });
});

describe('given the voice of a plugin in OpenCode 2', () => {
  it('when something is said before anybody shows it, then it is in the log at once, and shown later', () => {
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    const voice = openVoice({ info: log, warn: log, error: log });
    voice.warn('Mind this.');
    voice.fail('inside');
    const shown: unknown[] = [];
    voice.shownBy((notice) => void shown.push(notice));
    voice.notify(NOTICE);
    expect(lines).toEqual(['Understudy: Mind this.', 'Understudy: inside', 'Understudy: build switched']);
    expect(shown).toEqual([{ message: 'Mind this.', variant: 'warning' }, NOTICE]);
  });
});
