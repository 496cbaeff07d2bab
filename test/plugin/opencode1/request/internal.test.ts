import { describe, expect, it } from 'vitest';
import type { ScriptedStep } from '../../../../src/demo/scripted-provider';
import { standingOf } from '../../../../src/engine';
import { PRESETS } from '../../../../src/engine/policy/presets';
import { pairOf, refOf } from '../../../../src/plugin/opencode1/memory/model-ref';
import { noteNumbered } from '../../../../src/plugin/opencode1/memory/turn-memory';
import type { AssistantInfo, ModelPair } from '../../../../src/plugin/opencode1/memory/types';
import { tellUnseen } from '../../../../src/plugin/opencode1/message/unseen';
import { rejoinedSentence } from '../../../../src/plugin/opencode1/user/rejoin';
import {
  type AskOptions,
  ask,
  CHAT_PATH,
  type DoubleOptions,
  journalOf,
  openDouble,
  openProvider,
  SESSION,
  textIn,
} from '../../support/opencode-double';

const LIMITED: ScriptedStep = { kind: 'status', status: 429, headers: { 'retry-after': '60' } };
const TITLE: ScriptedStep = { kind: 'text', text: 'A TITLE' };
const OWN = { isInternal: true, agent: 'title' } as const;

/** OpenCode with sessions beside the first: a prompt there asks its model once, as OpenCode's own request. */
async function opened(steps: Readonly<Record<string, ScriptedStep>>, options: DoubleOptions = {}) {
  const provider = await openProvider();
  for (const [name, step] of Object.entries(steps)) provider.script(name, [step]);
  const double = openDouble({ chain: ['lead/one', 'spare/two', 'last/three'], ...options });
  const url = provider.url + CHAT_PATH;
  const { session } = double.instance.client;
  const seen = {
    created: [] as unknown[],
    prompted: [] as unknown[],
    deleted: [] as string[],
    aborted: [] as string[],
  };
  const request = (over: AskOptions['over'], init: RequestInit = {}) =>
    ask(double, { url, init, over: { ...OWN, ...over } });
  session.create = async ({ body }) => ({ data: { id: `ses_aside${seen.created.push(body)}` } });
  session.delete = async ({ path }) => void seen.deleted.push(path.id) as never;
  session.abort = async ({ path }) => void seen.aborted.push(path.id) as never;
  session.prompt = async ({ path, body }) => {
    seen.prompted.push(body);
    const model = refOf(body.model as ModelPair);
    const response = await request({ session: path.id, model });
    const info = { id: 'msg_a', role: 'assistant', ...(response.ok ? {} : { error: { name: 'APIError' } }) };
    return { data: { info: info as AssistantInfo, parts: [{ type: 'text', text: textIn(await response.text()) }] } };
  };
  const counts = () => ['one', 'two', 'three'].map((name) => provider.requests(name).length);
  return { double, provider, seen, request, counts };
}

describe('given a title request whose model answers 429', () => {
  it('when the next of the chain is well, then its text is the answer, and nothing stays of the session beside', async () => {
    const { double, seen, request, counts } = await opened({ one: LIMITED, two: TITLE });
    const response = await request({});
    expect([response.status, response.headers.get('content-type'), textIn(await response.text())]).toEqual([
      200,
      'text/event-stream',
      'A TITLE',
    ]);
    expect([counts(), seen]).toEqual([
      [1, 1, 0],
      {
        created: [{ parentID: 'ses_1', title: 'Understudy' }],
        prompted: [
          {
            model: pairOf('spare/two'),
            agent: 'title',
            tools: { '*': false },
            parts: [{ type: 'text', text: 'PROMPT WORDS' }],
          },
        ],
        deleted: ['ses_aside1'],
        aborted: [],
      },
    ]);
    const state = double.brain.state();
    expect([
      JSON.stringify([state.sessions, state.turns, state.speakers]).includes('aside'),
      journalOf(double.brain),
    ]).toEqual([false, ['attempt.started', 'attempt.failed', 'attempt.started', 'attempt.succeeded']]);
  });

  it('when the next is limited too, then its request ends without OpenCode’s retries, and the third answers', async () => {
    const { seen, request, counts } = await opened({ one: LIMITED, two: LIMITED, three: TITLE });
    expect([textIn(await (await request({})).text()), counts(), seen.deleted]).toEqual([
      'A TITLE',
      [1, 1, 1],
      ['ses_aside1', 'ses_aside2'],
    ]);
  });

  it('when all are limited, then OpenCode gets what came first', async () => {
    const { request, counts, seen } = await opened({ one: LIMITED, two: LIMITED, three: LIMITED });
    const response = await request({});
    expect([response.status, response.headers.get('retry-after'), counts(), seen.deleted.length]).toEqual([
      429,
      '60',
      [1, 1, 1],
      2,
    ]);
  });

  it('when it is asked again while it is out, then it is not', async () => {
    const { request, counts } = await opened({ one: LIMITED, two: TITLE });
    await request({});
    await request({});
    expect(counts()).toEqual([1, 2, 0]);
  });

  it('when the policy would ask the same model again first, then nobody waits for that', async () => {
    const scope = { agents: { '*': { chain: ['lead/one', 'spare/two'], policy: PRESETS.steady } } };
    const step: ScriptedStep = { kind: 'status', status: 503 };
    const { request, counts } = await opened({ one: step, two: TITLE }, { scope });
    expect([textIn(await (await request({})).text()), counts()]).toEqual(['A TITLE', [1, 1, 0]]);
  });

  it('when OpenCode opens no session, then it gets what came', async () => {
    const { double, request, counts } = await opened({ one: LIMITED, two: TITLE });
    double.instance.client.session.create = () => Promise.reject(new Error('no'));
    expect([(await request({})).status, counts()]).toEqual([429, [1, 0, 0]]);
  });

  it('when the other’s turn fails before anything is sent, then OpenCode gets what came', async () => {
    const { double, request, seen } = await opened({ one: LIMITED, two: TITLE });
    double.instance.client.session.prompt = () => Promise.reject(new Error('Model not found'));
    expect([(await request({})).status, seen.deleted]).toEqual([429, ['ses_aside1']]);
  });

  it('when the user stops it meanwhile, then the session beside is stopped and gone, and their reason surfaces', async () => {
    const { double, request, seen } = await opened({ one: LIMITED });
    const user = new AbortController();
    double.instance.client.session.prompt = async () => {
      user.abort();
      return { data: {} };
    };
    await expect(request({}, { signal: user.signal })).rejects.toMatchObject({ name: 'AbortError' });
    expect([seen.aborted, seen.deleted]).toEqual([['ses_aside1'], ['ses_aside1']]);
  });
});

describe('given a title request whose model a person has taken out of use', () => {
  const taken = { type: 'health.isolated', model: 'lead/one', actor: 'panel' } as const;

  it('when the next of the chain is well, then its text is the answer', async () => {
    const { double, request, counts } = await opened({ two: TITLE });
    double.brain.tell(taken);
    expect([textIn(await (await request({})).text()), counts()]).toEqual(['A TITLE', [0, 1, 0]]);
  });

  it.each<[string, DoubleOptions, number]>([
    ['it is alone in its chain', { chain: ['lead/one'] }, 0],
    ['the others are limited', {}, 1],
  ])('when %s, then it is not asked all the same, and the error says why', async (_, options, others) => {
    const { double, request, counts } = await opened({ one: TITLE, two: LIMITED, three: LIMITED }, options);
    double.brain.tell(taken);
    const response = await request({});
    expect([response.ok, counts()]).toEqual([false, [0, others, others]]);
    expect(await response.text()).toContain('one is isolated by you, so no request is sent');
  });

  it('when switching is paused, then nobody is asked', async () => {
    const { double, request, counts } = await opened({ one: TITLE, two: TITLE });
    double.brain.tell(taken);
    double.brain.tell({ type: 'switching.paused', forMs: null, actor: 'panel' });
    expect([(await request({})).ok, counts()]).toEqual([false, [0, 0, 0]]);
  });
});

describe('given a turn that can only be watched, and a budget that is spent', () => {
  it('when its request is ended for that, then the error that OpenCode tells of it is no failure of the model', async () => {
    const { double, request, counts } = await opened({ one: TITLE });
    const level = {
      provider: null,
      agent: null,
      directory: null,
      session: null,
      maxPrice: null,
      endsInMs: 3_600_000,
      isAllowed: false,
    };
    const spent = { ...level, id: 'day', period: 'day', action: 'stop', limit: 5, spent: 5 } as const;
    double.brain.tell({ type: 'money.counted', levels: [spent] });
    double.submit();
    noteNumbered(double.turn(), {
      user: double.user(),
      ...{ isInternal: true, isHousekeeping: false },
      home: () => ({ model: 'lead/one', variant: null }),
    });
    const message = await (await request({ isInternal: true, agent: 'build', turn: double.turn() })).text();
    expect([message, counts()]).toEqual([expect.stringContaining('$5.00 of today’s $5.00 are spent'), [0, 0, 0]]);
    tellUnseen(double.instance, SESSION, { name: 'APIError', data: { message, statusCode: 400 } });
    expect(standingOf(double.brain.state(), 'lead/one', double.brain.now())).toMatchObject({ state: 'unseen' });
  });
});

describe('given failures of OpenCode’s own requests that are not a model’s', () => {
  it.each<[string, ScriptedStep, DoubleOptions]>([
    ['the request is refused', { kind: 'status', status: 422 }, {}],
    ['the chain has one model', LIMITED, { chain: ['lead/one'] }],
    ['fallback is off', LIMITED, { scope: { enabled: false } }],
  ])('when %s, then OpenCode gets what came and no session is opened', async (_, step, options) => {
    const { seen, request, counts } = await opened({ one: step, two: TITLE }, options);
    expect([(await request({})).ok, counts(), seen.created]).toEqual([false, [1, 0, 0], []]);
  });

  it('when a person has paused switching, then nothing is switched here either', async () => {
    const { double, seen, request } = await opened({ one: LIMITED, two: TITLE });
    double.brain.tell({ type: 'switching.paused', forMs: null, actor: 'panel' });
    expect([(await request({})).status, seen.created]).toEqual([429, []]);
  });

  it('when an agent of the user’s is only watched, then no session is opened', async () => {
    const { seen, request } = await opened({ one: LIMITED, two: TITLE });
    expect([(await request({ agent: 'build' })).status, seen.created]).toEqual([429, []]);
  });
});

describe('given a conversation too long for the model that shall compact it', () => {
  it('when a later one holds more, then it compacts', async () => {
    const models = { 'lead/one': { context: 1_000 }, 'spare/two': { context: 900 }, 'last/three': { context: 5_000 } };
    const body = { error: { message: 'too long', code: 'context_length_exceeded' } };
    const step: ScriptedStep = { kind: 'status', status: 400, body };
    const { request, counts } = await opened({ one: step, two: TITLE, three: TITLE }, { scope: { models } });
    expect([(await request({ agent: 'compaction' })).ok, counts()]).toEqual([true, [1, 0, 1]]);
  });
});

describe('given a session of ours', () => {
  it('when OpenCode asks in it once more, then that is not sent', async () => {
    const { double, request, counts } = await opened({ one: TITLE });
    double.instance.asides.set('ses_aside', { system: '', isAsked: false, evidence: null });
    const statuses = [
      (await request({ session: 'ses_aside' })).status,
      (await request({ session: 'ses_aside' })).status,
    ];
    expect([statuses, counts()]).toEqual([
      [200, 400],
      [1, 0, 0],
    ]);
  });
});

describe('given an agent that its user has brought back', () => {
  const REJOINING = { agent: 'build', model: 'lead/one' };
  it.each<[string, ScriptedStep, RegExp]>([
    ['answers', TITLE, /^build has rejoined this session: one answers\.$/],
    [
      'is still limited',
      LIMITED,
      /^build is back in this session, but one is still unavailable: rate limited \(429\)\./,
    ],
  ])(
    'when its model %s, then one smallest request shows it, the user is told, and nobody else is asked',
    async (_, step, said) => {
      const { double, seen, counts } = await opened({ one: step, two: TITLE });
      const place = { instance: double.instance, session: 'ses_1', signal: null };
      expect(await rejoinedSentence(place, REJOINING)).toMatch(said);
      expect([counts(), seen.deleted]).toEqual([[1, 0, 0], ['ses_aside1']]);
    },
  );

  it('when OpenCode opens no session for it, then nothing is asked, and that is what is said', async () => {
    const { double, counts } = await opened({});
    double.instance.client.session.create = async () => ({});
    const place = { instance: double.instance, session: 'ses_1', signal: null };
    expect(await rejoinedSentence(place, REJOINING)).toBe(
      'build is back in this session. one could not be tried; Understudy asks you before build uses another model.',
    );
    expect(counts()).toEqual([0, 0, 0]);
  });

  it('when the user stops it while its session is being opened, then nothing is asked, and the session is gone', async () => {
    const { double, seen, counts } = await opened({ one: TITLE });
    const { session } = double.instance.client;
    const { create } = session;
    const abort = new AbortController();
    session.create = async (call) => {
      abort.abort(new DOMException('stopped', 'AbortError'));
      return create(call);
    };
    const place = { instance: double.instance, session: 'ses_1', signal: abort.signal };
    await expect(rejoinedSentence(place, REJOINING)).rejects.toThrow('stopped');
    expect([seen.prompted, counts(), seen.deleted]).toEqual([[], [0, 0, 0], ['ses_aside1']]);
  });

  it('when its provider’s map has a word of its own for the failure, then that word is said', async () => {
    const map = { kind: 'quota' as const };
    const { double } = await opened({ one: { kind: 'status', status: 500 } });
    const { companion } = double.instance;
    const named: typeof companion.named = (_, evidence) => ({ ...evidence, mapped: map });
    const instance = { ...double.instance, companion: { ...companion, named } };
    // The provider is asked through the host it was opened with.
    const said = await rejoinedSentence({ instance, session: 'ses_1', signal: null }, REJOINING);
    expect(said).toMatch(/one is still unavailable: out of quota/);
  });

  it('when the user stops it meanwhile, then it ends with their reason', async () => {
    const { double } = await opened({ one: TITLE });
    const abort = new AbortController();
    abort.abort(new DOMException('stopped', 'AbortError'));
    const place = { instance: double.instance, session: 'ses_1', signal: abort.signal };
    await expect(rejoinedSentence(place, REJOINING)).rejects.toThrow('stopped');
  });
});
