import { describe, expect, it } from 'vitest';
import { standingIn } from '../../../src/engine';
import { PRESETS } from '../../../src/engine/tools';
import { listenTo, onEvent } from '../../../src/plugin/opencode2/message/events';
import { onPrompt } from '../../../src/plugin/opencode2/message/prompt';
import { beginCall, failCall } from '../../../src/plugin/opencode2/request/calls';
import { onContext } from '../../../src/plugin/opencode2/request/context';
import { say } from '../../../src/plugin/opencode2/session/host-calls';
import type { CommandDefinition, ContextEvent } from '../../../src/plugin/opencode2/session/types';
import { addCommands } from '../../../src/plugin/opencode2/user/commands';
import type { Noted } from '../../../src/protocol';
import { asking, DIRECTORY, LEAD, openInstance, refOf, SESSION, SPARE } from '../support/opencode2-instance';

const step = { sessionID: SESSION, assistantMessageID: 'msg_9' };
const prompt = (messageID: string) => ({ sessionID: SESSION, messageID, prompt: { text: 'go' } });

/** The lead has failed for good. */
async function withoutLead() {
  const opened = openInstance();
  await beginCall(opened.instance, asking('title'));
  const error = { type: 'provider.auth', message: 'no', status: 401 };
  const call = opened.session.calls.get('title')!;
  opened.brain.tell({ type: 'attempt.failed', attempt: call.id, evidence: { phase: 'body', ...error }, durationMs: 1 });
  return opened;
}

describe('given a session of another project in the same OpenCode', () => {
  it('when it works and ends, then nothing is remembered and nothing is told', async () => {
    const { instance, events, host } = openInstance();
    const before = [events.length, instance.sessions.size];
    const data = { sessionID: 'ses_elsewhere' };
    await onEvent(instance, { type: 'session.execution.started', data });
    await onEvent(instance, {
      type: 'session.execution.failed',
      data: { ...data, error: { type: 'unknown', message: 'no' } },
    });
    await onEvent(instance, { type: 'session.execution.succeeded', data });
    expect([events.length, instance.sessions.size]).toEqual(before);
    expect(host.set).toEqual([]);
  });
});

describe('given a prompt', () => {
  it('when its lead is out, then the session goes to the next model, and home when it rests', async () => {
    const { instance, session, host } = await withoutLead();
    await onPrompt(instance, prompt('msg_2'));
    expect([host.model, session.turn?.id]).toEqual([refOf(SPARE), 'msg_2']);
    await onEvent(instance, { type: 'session.execution.succeeded', data: { sessionID: SESSION } });
    expect(host.model).toEqual(refOf(LEAD));
  });

  it('when it is told twice, then it is one prompt', async () => {
    const { instance, host, events } = await withoutLead();
    await onPrompt(instance, prompt('msg_2'));
    await onPrompt(instance, prompt('msg_2'));
    expect([host.set.length, events.filter(({ type }) => type === 'prompt.submitted').length]).toEqual([1, 1]);
  });

  it('when a turn is under way, then it joins that turn', async () => {
    const { instance, session, host } = await withoutLead();
    await beginCall(instance, asking());
    await onPrompt(instance, prompt('msg_2'));
    expect([host.set, session.turn?.id]).toEqual([[], 'msg_1']);
  });

  it('when the turn before has ended just now, then it is a turn of its own', async () => {
    const { instance, session } = openInstance();
    await beginCall(instance, asking());
    const prompted = onPrompt(instance, prompt('msg_2'));
    await onEvent(instance, { type: 'session.execution.succeeded', data: { sessionID: SESSION } });
    await prompted;
    expect(session.turn?.id).toBe('msg_2');
  });
});

describe('given steps that end', () => {
  it('when tokens are told, then they count once, for the model and the agent that took the step', async () => {
    const { instance, notes } = openInstance();
    const started = { ...step, agent: 'build', model: refOf(SPARE) };
    await onEvent(instance, { type: 'session.step.started', data: started });
    const ended = { ...step, cost: 0.5, tokens: { input: 10, output: 2, cache: { read: 3 } } };
    await onEvent(instance, { type: 'session.step.ended', data: ended });
    await onEvent(instance, { type: 'session.step.ended', data: ended });
    expect(notes).toEqual([
      {
        type: 'usage.recorded',
        session: SESSION,
        turn: 'msg_1',
        directory: '/project',
        agent: 'build',
        model: SPARE,
        purpose: 'turn',
        tokens: { input: 10, output: 2, reasoning: 0, cacheRead: 3, cacheWrite: 0 },
        cost: 0.5,
      },
    ]);
  });

  it('when no response came by, then the end of the step is the end of the call', async () => {
    const { instance, session, events } = openInstance();
    const started = { type: 'session.step.started', data: { ...step, agent: 'build', model: refOf(LEAD) } } as const;
    const failed = { ...step, error: { type: 'provider.internal', message: 'no' } };
    await beginCall(instance, asking());
    await onEvent(instance, started);
    await onEvent(instance, { type: 'session.step.ended', data: step });
    await beginCall(instance, asking());
    await onEvent(instance, started);
    await onEvent(instance, { type: 'session.step.failed', data: failed });
    const ends = events.map(({ type }) => type).filter((type) => /^attempt\.(succeeded|failed|aborted)$/.test(type));
    expect([ends, session.calls.get('primary')?.decision?.action.kind]).toEqual([
      ['attempt.succeeded', 'attempt.failed'],
      'switch',
    ]);
  });

  it('when the news of a step come after its model was left, then the next one is not blamed', async () => {
    const { instance, session } = openInstance();
    await onEvent(instance, { type: 'session.step.started', data: { ...step, agent: 'build', model: refOf(LEAD) } });
    await beginCall(instance, asking('primary', SPARE));
    const error = { type: 'provider.internal', message: 'no' };
    await onEvent(instance, { type: 'session.step.failed', data: { ...step, error } });
    expect(session.calls.get('primary')?.end).toBe('open');
  });
});

describe('given calls of tools', () => {
  const call = (id: string) => ({ ...step, id });
  const failed = (id: string, type: string, message = 'no') =>
    ({ type: 'session.tool.failed', data: { ...call(id), error: { type, message } } }) as const;
  const ABOUT = { session: SESSION, turn: 'msg_1', agent: 'build', model: SPARE };

  /** What is told of a step of the understudy and these calls in it. */
  async function told(...ends: readonly Parameters<typeof onEvent>[1][]) {
    const { instance, notes } = openInstance();
    await onEvent(instance, { type: 'session.step.started', data: { ...step, agent: 'build', model: refOf(SPARE) } });
    for (const end of ends) await onEvent(instance, end);
    return notes;
  }

  it('when one fails after its step has ended, and is told twice, then it counts once, for the model that called it', async () => {
    const ended = { type: 'session.step.ended', data: step } as const;
    const unknown = failed('call_1', 'tool.unknown', 'Unknown tool: fly');
    expect(await told(ended, unknown, unknown)).toEqual([
      { type: 'tool.failed', ...ABOUT, reason: 'not_found', isRepeated: false },
    ]);
  });

  it('when they fail, then why is told by the type of the error, else by its words', async () => {
    const ends = [
      failed('1', 'tool.input-json'),
      failed('2', 'permission.rejected'),
      failed('3', 'tool.execution', 'File not found: notes.md'),
      failed('4', 'tool.execution', 'Request timed out'),
      failed('5', 'tool.execution'),
      failed('6', 'aborted', 'Tool execution interrupted'),
      failed('7', 'aborted'),
      failed('8', 'aborted', 'The user declined this tool call'),
    ];
    const reasons = (await told(...ends)).map((note) => (note as { reason: string }).reason);
    expect(reasons).toEqual(['validation', 'permission', 'not_found', 'timeout', 'execution', 'permission']);
  });

  it('when a command ends well because its time was over, then it timed out', async () => {
    const ended = { type: 'session.tool.success', data: { ...call('1'), metadata: { timeout: true } } } as const;
    expect(await told(ended)).toEqual([{ type: 'tool.failed', ...ABOUT, reason: 'timeout', isRepeated: false }]);
  });

  it('when two in a row fail alike, then the second repeats, unless one has worked between them', async () => {
    const worked = { type: 'session.tool.success', data: call('3') } as const;
    const [broken, again, third] = ['1', '2', '4'].map((id) => failed(id, 'tool.execution'));
    const notes = await told(broken!, again!, worked, third!);
    expect(notes.map((note) => (note as { isRepeated: boolean }).isRepeated)).toEqual([false, true, false]);
  });

  it('when OpenCode tells its events, then attempts say so; else they do not', async () => {
    const { instance, events } = openInstance();
    await beginCall(instance, asking());
    instance.hearsEnds = false;
    await beginCall(instance, asking());
    const begun = events.flatMap((event) => (event.type === 'attempt.started' ? [event.tellsFlaws] : []));
    expect(begun).toEqual([true, undefined]);
  });
});

describe('given an answer that breaks off', () => {
  const brokenAfter = (outputChars: number) =>
    ({ phase: 'stream', observed: 'stream_interrupted', outputChars }) as const;

  it.each([
    [12, [{ type: 'answer.continued', session: SESSION, turn: 'msg_1', agent: 'build', model: LEAD }]],
    [0, []],
  ])(
    'when it had %i characters and another model goes on, then what was continued is told',
    async (chars, expected) => {
      const { instance, session, notes } = openInstance();
      await beginCall(instance, asking());
      failCall(instance, session.calls.get('primary')!, brokenAfter(chars));
      await beginCall(instance, asking('primary', SPARE));
      expect(notes).toEqual(expected);
    },
  );

  it('when the turn ends there and another begins, then nothing was continued', async () => {
    const { instance, session, notes } = openInstance();
    await beginCall(instance, asking());
    failCall(instance, session.calls.get('primary')!, brokenAfter(12));
    await onEvent(instance, { type: 'session.execution.interrupted', data: { sessionID: SESSION, reason: 'user' } });
    await beginCall(instance, asking());
    expect(notes).toEqual([]);
  });
});

describe('given an execution that fails where no hook was asked', () => {
  const fail = {
    type: 'session.execution.failed',
    data: { sessionID: SESSION, error: { type: 'provider.internal', message: 'no' } },
  } as const;

  it('when another model can speak, then it takes the turn up, once', async () => {
    const { instance, host } = openInstance({ chain: [LEAD, SPARE, 'third/three'] });
    await beginCall(instance, asking());
    await onEvent(instance, fail);
    expect([host.model, host.said.length]).toEqual([refOf(SPARE), 1]);
    await beginCall(instance, asking('primary', SPARE));
    await onEvent(instance, fail);
    expect([host.model, host.said.length]).toEqual([refOf(LEAD), 1]);
  });

  it('when the user stopped it, then nobody takes it up', async () => {
    const { instance, host, events } = openInstance();
    await beginCall(instance, asking());
    await onEvent(instance, { type: 'session.execution.interrupted', data: { sessionID: SESSION, reason: 'user' } });
    expect([host.set, host.said, events.at(-2)?.type]).toEqual([[], [], 'attempt.aborted']);
  });

  it('when a parent waits for it, then the parent is told, and nobody takes it up', async () => {
    const { instance, host } = openInstance();
    await onEvent(instance, { type: 'session.created', data: { sessionID: SESSION, parentID: 'ses_0' } });
    await beginCall(instance, asking());
    await onEvent(instance, fail);
    expect([host.set, host.said]).toEqual([[], []]);
  });
});

describe('given events that end or break', () => {
  it('when the stream ends, then it is opened again until the location is gone', async () => {
    const gone = new AbortController();
    let opened = 0;
    const { instance, session, lines } = openInstance({
      context: {
        event: {
          async *subscribe() {
            opened++;
            yield { type: 'session.deleted', data: null };
            yield { type: 'session.execution.started', data: { sessionID: SESSION } };
            gone.abort();
            throw new Error('lost');
          },
        },
      },
    });
    await listenTo(instance, gone.signal);
    expect([opened, session.isWorking, instance.hearsEnds, lines]).toEqual([1, false, false, []]);
  });
});

describe('given an OpenCode with several projects, which tells all of them of each', () => {
  it('when steps and calls of tools end, then those of this one count here, and those that name no project', async () => {
    const gone = new AbortController();
    const { instance, notes } = openInstance({
      context: {
        event: {
          async *subscribe() {
            for (const [number, place] of [{ directory: DIRECTORY }, { directory: '/project2' }, null].entries()) {
              const about = { ...step, assistantMessageID: `msg_${number}` };
              const at = place ? { location: place } : {};
              const error = { type: 'tool.unknown', message: 'no' };
              yield {
                type: 'session.step.started',
                ...at,
                data: { ...about, agent: `a${number}`, model: refOf(SPARE) },
              };
              yield { type: 'session.tool.failed', ...at, data: { ...about, id: 'call_1', error } };
              yield { type: 'session.step.ended', ...at, data: { ...about, tokens: { input: 10 } } };
            }
            gone.abort();
          },
        },
      },
    });
    await listenTo(instance, gone.signal);
    expect(notes.map((note) => [(note as Noted).agent, (note as Noted).type])).toEqual([
      ['a0', 'tool.failed'],
      ['a0', 'usage.recorded'],
      ['a2', 'tool.failed'],
      ['a2', 'usage.recorded'],
    ]);
  });
});

/** The lead's model by another of the user's accounts. */
const LAB = 'lead@lab/one';

describe('given a command', () => {
  const withCommands = async (options: Parameters<typeof openInstance>[0] = {}) => {
    const commands = new Map<string, CommandDefinition>();
    const opened = openInstance({
      ...options,
      context: {
        ...options.context,
        command: {
          async transform(callback) {
            callback({ add: (definition) => void commands.set(definition.name, definition) });
            return { dispose: async () => undefined };
          },
        },
      },
    });
    await addCommands(opened.instance);
    return { ...opened, commands };
  };

  it('when it is typed, then it is answered in the session, and no model is shown that', async () => {
    const { instance, commands, host } = await withCommands();
    expect([...commands.keys()]).toEqual(['fallback-status', 'retry', 'yes', 'no', 'council']);
    for (const text of ['nobody', '/retry nobody'])
      await commands.get('retry')?.execute({ sessionID: SESSION, prompt: { text } });
    expect(host.said).toEqual(Array(2).fill('No model, provider or agent is named nobody.'));
    const event: ContextEvent = {
      ...asking(),
      system: [],
      tools: {},
      messages: [
        { role: 'user', content: [{ type: 'text', text: host.said[0] ?? '' }] },
        { role: 'user', content: host.said[0] ?? '' },
        { role: 'user', content: [{ type: 'text', text: 'go' }] },
      ],
    };
    onContext(instance, event);
    expect(event.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'go' }] }]);
  });

  it.each([
    ['it answers', 'OK', 'attempt.succeeded', 'ready'],
    ['it says nothing', '', 'attempt.aborted', 'blocked'],
  ])('when /retry tries a model and %s, then the engine hears of that request alone', async (_, text, end, state) => {
    const { instance, commands, brain, events } = await withCommands({
      scope: { abilities: ['ask'], agents: { '*': { chain: [LEAD, SPARE], policy: PRESETS.council } } },
      context: { generate: { text: async () => ({ text }) } },
    });
    await beginCall(instance, asking());
    const call = instance.sessions.get(SESSION)?.calls.get('primary');
    if (call) failCall(instance, call, { phase: 'body', status: 401 });
    brain.tell({ type: 'question.answered', yes: false, actor: 'ann' });
    await onEvent(instance, { type: 'session.execution.interrupted', data: { sessionID: SESSION } });
    const before = events.length;
    await commands.get('retry')?.execute({ sessionID: SESSION, prompt: { text: 'build' } });
    const told = events.slice(before).filter(({ type }) => type.startsWith('attempt.') || type === 'health.reset');
    expect(told.map(({ type }) => type)).toEqual(['attempt.started', end]);
    expect(told[0]).toMatchObject({ model: LEAD, purpose: 'internal', session: SESSION, agent: 'build' });
    expect(standingIn(brain.state(), DIRECTORY, LEAD, brain.now()).state).toBe(state);
  });

  it('when /retry brings back who was left out at another account, then nobody is asked in its place, and how it is asked is said', async () => {
    const asked: unknown[] = [];
    const account = { type: 'credential', id: 'cred_2', label: 'lab', method: 'key' } as const;
    const { instance, session, commands, brain, events, host } = await withCommands({
      scope: { abilities: ['ask'], agents: { '*': { chain: [LAB, SPARE], policy: PRESETS.council } } },
      context: { generate: { text: async (of) => asked.push(of) } },
    });
    instance.accounts = new Map([['lead', [{ label: 'lab', integration: 'lead', connection: account }]]]);
    session.account = { model: LAB, of: LEAD };
    await beginCall(instance, asking());
    const call = session.calls.get('primary');
    if (call) failCall(instance, call, { phase: 'body', status: 401 });
    brain.tell({ type: 'question.answered', yes: false, actor: 'ann' });
    await onEvent(instance, { type: 'session.execution.interrupted', data: { sessionID: SESSION } });
    const before = events.length;
    await commands.get('retry')?.execute({ sessionID: SESSION, prompt: { text: 'build' } });
    expect(host.said).toEqual([
      'build is back in this session. one (lab) could not be tried: OpenCode calls another account only within a conversation. Type /retry lead@lab/one to use it for your next message; while it is unavailable, Understudy asks you before build uses another model.',
    ]);
    expect([asked, events.slice(before).map(({ type }) => type)]).toEqual([[], ['speaker.retried']]);
    await commands.get('retry')?.execute({ sessionID: SESSION, prompt: { text: LAB } });
    const about = { session: SESSION, directory: DIRECTORY, agent: 'build', model: LEAD, hostLead: LEAD };
    const next = brain.decide({ type: 'prompt.submitted', turn: 'next', ...about, isExplicit: false });
    expect(next?.action).toMatchObject({ to: LAB });
  });

  it('when a turn is under way, then its answer waits for the end: it would make the turn go on', async () => {
    const { instance, commands, host } = await withCommands();
    await beginCall(instance, asking());
    await commands.get('yes')?.execute({ sessionID: SESSION });
    expect(host.said).toEqual([]);
    await onEvent(instance, { type: 'session.execution.succeeded', data: { sessionID: SESSION } });
    expect(host.said).toEqual(['No question is open.']);
  });

  it('when nothing can be said in a session, then it stands in the log', async () => {
    const { instance, session, lines } = openInstance({
      session: { synthetic: async () => Promise.reject(new Error()) },
    });
    await say(instance, session, 'All is well.');
    expect(lines).toEqual(['Understudy: All is well.']);
  });
});

describe('given a history that is about to be sent', () => {
  it('when it holds a picture since the last answer, then the next call asks for eyes; earlier ones are past', () => {
    const { instance, session } = openInstance();
    const picture = { type: 'media', media: { source: { data: 'A'.repeat(99_999) } } };
    const event = { ...asking(), system: [], tools: { read: {} }, messages: [{ role: 'user', content: [picture] }] };
    onContext(instance, event);
    expect(session.needs).toEqual({ contextTokens: 1_000, vision: true, tools: true });
    const answer = { role: 'assistant', content: 'x'.repeat(400) };
    onContext(instance, { ...event, tools: {}, messages: [...event.messages, answer, { role: 'user', content: '' }] });
    expect(session.needs).toEqual({ contextTokens: 1_100 });
  });
});
