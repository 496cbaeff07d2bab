import { describe, expect, it } from 'vitest';
import { turnIdOf } from '../../../../src/plugin/opencode1/memory/guarded-request';
import { beginTurn, turnOf } from '../../../../src/plugin/opencode1/memory/instance';
import { noteReplied } from '../../../../src/plugin/opencode1/memory/turn-memory';
import type { HistoryMessage, OpenCodeConfig, Part, UserMessage } from '../../../../src/plugin/opencode1/memory/types';
import { addCommands } from '../../../../src/plugin/opencode1/user/add-commands';
import { hideCommands, replyFor, takeCommand } from '../../../../src/plugin/opencode1/user/commands';
import { openDouble, SESSION, TURN } from '../../support/opencode-double';

const user = (id: string, text: string, over: Partial<Part> = {}): HistoryMessage => ({
  info: {
    ...{ id, sessionID: SESSION, role: 'user', agent: 'build', time: { created: 1 } },
    model: { providerID: 'lead', modelID: 'one' },
  },
  parts: [{ type: 'text', text, ...over }],
});
const answer = (id: string, parentID: string, text: string, finish = 'stop'): HistoryMessage => ({
  info: { id, sessionID: SESSION, role: 'assistant', parentID, providerID: 'lead', modelID: 'one', finish },
  parts: [{ type: 'text', text }],
});
const idsOf = (messages: readonly HistoryMessage[]): string[] => messages.map(({ info }) => info.id);

/** Where no council is called. */
const NO_COUNCIL = async () => null;

/** A session in which a command is typed, while a turn is under way or not. */
async function typed(text: string, { isBusy = false } = {}) {
  const double = openDouble();
  const { instance } = double;
  beginTurn(
    instance,
    { ...double.user(), model: { providerID: 'spare', modelID: 'two' } },
    { model: 'lead/one', variant: null },
  );
  if (isBusy) instance.working.add(SESSION);
  const { info, parts } = user('msg_2', text);
  const message = info as UserMessage;
  const isTaken = await takeCommand(instance, { message, parts }, NO_COUNCIL);
  return { ...double, instance, message, parts, isTaken, turn: turnOf(instance, SESSION, 'msg_2') };
}

describe('given OpenCode’s configuration', () => {
  it('when it has a command of one of our names, then that stays, and ours are added beside it', async () => {
    const own = { template: 'Try it again.' };
    const config: OpenCodeConfig = { command: { retry: own } };
    addCommands(config);
    expect([config.command?.retry, Object.keys(config.command ?? {}), config.command?.yes?.template]).toEqual([
      own,
      ['retry', 'fallback-status', 'yes', 'no', 'council'],
      '/yes $ARGUMENTS',
    ]);
  });
});

describe('given a session that rests', () => {
  it('when a command comes, then its turn is answered by us, titles included, and the message shows what was typed', async () => {
    const { turn, parts, message } = await typed('/yes');
    expect([parts, message.model, replyFor(turn, 'build'), replyFor(turn, 'title')]).toEqual([
      [{ type: 'text', text: '/yes', ignored: true }],
      { providerID: 'lead', modelID: 'one' },
      'Understudy: No question is open.',
      'Understudy',
    ]);
  });

  it('when a model says so to a sub-agent, then it is no command', async () => {
    const { instance } = openDouble();
    instance.parents.set(SESSION, 'ses_0');
    const { info, parts } = user('msg_2', '/retry all');
    expect(await takeCommand(instance, { message: info as UserMessage, parts }, NO_COUNCIL)).toBe(false);
  });

  it('when any other text comes, then nothing is touched', async () => {
    const { isTaken, parts, turn } = await typed('Say /yes');
    expect([isTaken, parts, replyFor(turn, 'build')]).toEqual([false, [{ type: 'text', text: 'Say /yes' }], null]);
  });

  it('when its history is sent, then the command stands alone, readable', async () => {
    const { instance } = await typed('/yes');
    const messages = [user(TURN, 'One'), answer('msg_1a', TURN, 'Two'), user('msg_2', '/yes', { ignored: true })];
    hideCommands(instance, messages);
    expect(messages).toEqual([user('msg_2', '/yes', { ignored: false })]);
  });

  it('when the conversation is compacted after it, then all but the command is in it', async () => {
    const { instance, turn } = await typed('/yes');
    noteReplied(turn);
    const reply = answer('msg_2a', 'msg_2', 'Understudy: Nobody asks.');
    const messages = [
      user(TURN, 'One'),
      answer('msg_1a', TURN, 'Two'),
      user('msg_2', '/yes', { ignored: true }),
      reply,
    ];
    hideCommands(instance, messages);
    expect(idsOf(messages)).toEqual([TURN, 'msg_1a']);
  });

  it('when a later message is sent, also after a restart, then neither command nor reply is in it', async () => {
    const messages = [
      ...[user(TURN, 'One'), answer('msg_1a', TURN, 'Two')],
      ...[user('msg_2', '/yes', { ignored: true }), answer('msg_2a', 'msg_2', 'Understudy: Nobody asks.')],
      ...[user('msg_3', '/yes'), user('msg_4', 'Three')],
    ];
    hideCommands(openDouble().instance, messages);
    expect(idsOf(messages)).toEqual([TURN, 'msg_1a', 'msg_3', 'msg_4']);
  });
});

describe('given a turn under way', () => {
  it('when a command comes, then it says what it did, and the turn goes on in its steps with the model it has', async () => {
    const { instance, turn, parts, message } = await typed('/yes', { isBusy: true });
    expect([parts[0]?.text, message.model, turn.home]).toEqual([
      '/yes\n\nNo question is open.',
      { providerID: 'spare', modelID: 'two' },
      'lead/one',
    ]);
    expect([replyFor(turn, 'build'), turnIdOf({ instance, session: SESSION, user: message })]).toEqual([null, TURN]);
  });

  it.each<[string, HistoryMessage]>([
    ['the user’s message', user(TURN, 'One')],
    ['a step that another follows', answer('msg_1a', TURN, 'Half', 'tool-calls')],
  ])('when its history ends with %s, then only the command is taken out', async (_, last) => {
    const { instance, turn } = await typed('/yes', { isBusy: true });
    const messages = [last, user('msg_2', '/yes\n\nNo question is open.', { ignored: true })];
    hideCommands(instance, messages);
    expect([idsOf(messages), replyFor(turn, 'build')]).toEqual([[last.info.id], null]);
  });

  it('when a second command comes, then it is the same turn that goes on', async () => {
    const { instance } = await typed('/yes', { isBusy: true });
    const { info, parts } = user('msg_3', '/no');
    await takeCommand(instance, { message: info as UserMessage, parts }, NO_COUNCIL);
    expect(turnOf(instance, SESSION, 'msg_3').continues).toBe(TURN);
  });

  it('when it has ended before the command’s step begins, then the command is answered by us', async () => {
    const { instance, turn } = await typed('/yes', { isBusy: true });
    const messages = [user(TURN, 'One'), answer('msg_1a', TURN, 'Two'), user('msg_2', '/yes', { ignored: true })];
    hideCommands(instance, messages);
    expect([idsOf(messages), replyFor(turn, 'build')]).toEqual([['msg_2'], 'Understudy: No question is open.']);
  });
});
