import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { instanceOf, runDrill } from '../../../src/plugin/opencode1/drill';
import { releaseFetch } from '../../../src/plugin/opencode1/memory/fetch-wrap';
import { REQUEST_HEADER } from '../../../src/plugin/opencode1/memory/guarded-request';
import { turnOf } from '../../../src/plugin/opencode1/memory/instance';
import { installFetch, noteRequest } from '../../../src/plugin/opencode1/request/fetch-hook';
import { openDouble } from '../support/opencode-double';

/** An OpenCode that opens sessions and counts them; no message comes back. */
function opened() {
  const double = openDouble();
  const { session } = double.instance.client;
  const calls: string[] = [];
  session.create = async ({ body }) => {
    calls.push(`create ${body.title}`);
    return { data: { id: 'ses_drill' } };
  };
  session.prompt = async ({ body }) => {
    calls.push(`prompt ${body.agent ?? 'the default'}`);
    return { error: { name: 'UnknownAgent' } };
  };
  session.delete = async ({ path }) => void calls.push(`delete ${path.id}`) as never;
  return { ...double, calls };
}

describe('given an OpenCode in which a drill cannot succeed', () => {
  it.each<[string, (of: ReturnType<typeof opened>) => void, string, string[]]>([
    [
      'no chain is in force',
      ({ instance }) => Object.assign(instance.companion, { refresh: async () => false }),
      'no chain is active in this project',
      [],
    ],
    [
      'turns cannot be moved',
      ({ control }) => {
        control.actuator = 'watch';
      },
      'this OpenCode cannot move a running turn to another model; understudy doctor shows what happens instead',
      [],
    ],
    [
      'the message is refused',
      () => undefined,
      'OpenCode did not accept the message',
      ['create Understudy drill', 'prompt build', 'delete ses_drill'],
    ],
    [
      'OpenCode is going down',
      ({ instance }) => {
        instance.client.session.create = () => Promise.reject(new Error('gone'));
      },
      'OpenCode did not answer',
      [],
    ],
  ])('when %s, then it says so and leaves nothing', async (_, prepare, reason, calls) => {
    const double = opened();
    prepare(double);
    const known = double.brain.since(0).length;
    expect([await runDrill(double.instance, 'build'), double.calls, double.brain.since(0).length]).toEqual([
      { ok: false, reason },
      calls,
      known,
    ]);
  });
});

describe('given the session of a drill', () => {
  it('when something is told of it, then the real engine hears nothing, then or later', async () => {
    const double = opened();
    await runDrill(double.instance, null);
    const inDrill = instanceOf(double.instance, 'ses_drill');
    const state = double.brain.state();
    inDrill.companion.brain.tell({ type: 'session.closed', session: 'ses_drill' });
    expect([
      inDrill === double.instance,
      double.brain.state() === state,
      instanceOf(double.instance, 'ses_1') === double.instance,
      instanceOf(double.instance, undefined) === double.instance,
      double.calls[1],
    ]).toEqual([false, true, true, true, 'prompt the default']);
  });
});

describe('given an OpenCode that closes the project while a drill is under way', () => {
  const MODEL = { agent: 'build', model: 'lead/one', npm: '@ai-sdk/openai-compatible' };
  const own = globalThis.fetch;
  let seen: string[] = [];
  const host: typeof fetch = async (input) => {
    seen.push(String(input));
    return Response.json({});
  };

  beforeEach(() => {
    seen = [];
    globalThis.fetch = host;
    installFetch();
  });
  afterEach(() => {
    globalThis.fetch = own;
  });

  /** OpenCode makes the next request of the drill, in one of its instances. @returns the status of its answer. */
  async function ask({ instance, user }: ReturnType<typeof opened>): Promise<number> {
    const drill = instance.apart.get('ses_drill');
    const asked = {
      ...{ session: 'ses_drill', user: user(), ...MODEL, isInternal: true },
      ...{ instance: drill?.instance ?? instance, turn: turnOf(instance, 'ses_drill', 'msg_1') },
      ...(drill?.answerFor ? { standIn: drill.answerFor(MODEL) } : {}),
    };
    const headers = { [REQUEST_HEADER]: noteRequest(asked) };
    const { status } = await globalThis.fetch('https://provider/v1/chat/completions', {
      method: 'POST',
      body: '{"stream":true}',
      headers,
    });
    return status;
  }

  it.each<[string, (double: ReturnType<typeof opened>) => Promise<number>]>([
    [
      'its request goes out after the project has let go of fetch',
      (double) => {
        releaseFetch();
        return ask(double);
      },
    ],
    [
      'the project is opened anew and its session goes on there',
      async ({ instance }) => {
        instance.isGone = true;
        installFetch();
        releaseFetch();
        releaseFetch();
        return await ask(opened());
      },
    ],
  ])(
    'when %s, then the made-up limit answers, no provider does, and the host has its own fetch back',
    async (_, act) => {
      const double = opened();
      const statuses: number[] = [];
      double.instance.client.session.prompt = async () => {
        statuses.push(await act(double));
        return { error: { name: 'Gone' } };
      };
      await runDrill(double.instance, 'build');
      expect([statuses, seen]).toEqual([[429], []]);
      await expect.poll(() => globalThis.fetch).toBe(host);
    },
  );
});
