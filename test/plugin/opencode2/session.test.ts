import { describe, expect, it } from 'vitest';
import { beginCall } from '../../../src/plugin/opencode2/calls';
import { addCommands } from '../../../src/plugin/opencode2/commands';
import { onContext } from '../../../src/plugin/opencode2/context';
import { listenTo, onEvent } from '../../../src/plugin/opencode2/events';
import { say } from '../../../src/plugin/opencode2/host-calls';
import { onPrompt } from '../../../src/plugin/opencode2/prompt';
import type { CommandDefinition, ContextEvent } from '../../../src/plugin/opencode2/types';
import { asking, LEAD, openInstance, refOf, SESSION, SPARE } from '../support/opencode2-instance';

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

describe('given a command', () => {
  const withCommands = async (options: Parameters<typeof openInstance>[0] = {}) => {
    const commands = new Map<string, CommandDefinition>();
    const opened = openInstance({
      ...options,
      context: {
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
    expect([...commands.keys()]).toEqual(['fallback-status', 'retry', 'yes', 'no']);
    for (const text of ['nobody', '/retry nobody'])
      await commands.get('retry')?.execute({ sessionID: SESSION, prompt: { text } });
    expect(host.said).toEqual(Array(2).fill('Understudy knows no model, provider or agent called nobody.'));
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

  it('when a turn is under way, then its answer waits for the end: it would make the turn go on', async () => {
    const { instance, commands, host } = await withCommands();
    await beginCall(instance, asking());
    await commands.get('yes')?.execute({ sessionID: SESSION });
    expect(host.said).toEqual([]);
    await onEvent(instance, { type: 'session.execution.succeeded', data: { sessionID: SESSION } });
    expect(host.said).toEqual(['Nobody asks you anything now.']);
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
