import { describe, expect, it, vi } from 'vitest';
import { pairOf } from '../../../../src/plugin/opencode1/memory/model-ref';
import { goOnWith, noteDrop, noteLeft, takeDrops } from '../../../../src/plugin/opencode1/memory/turn-memory';
import type { HistoryMessage, Part } from '../../../../src/plugin/opencode1/memory/types';
import {
  hideLeftovers,
  markPartial,
  sayContinue,
  tidyAtEnd,
  tidyAtIdle,
} from '../../../../src/plugin/opencode1/message/leftovers';
import { repoint } from '../../../../src/plugin/opencode1/message/repoint';
import { openDouble } from '../../support/opencode-double';

const STEP: Part[] = [{ type: 'step-start' }, { type: 'step-finish' }];

const assistant = (id: string, model: string, parts: Part[] = STEP, over: object = {}): HistoryMessage => ({
  info: { id, sessionID: 'ses_1', role: 'assistant', parentID: 'msg_1', ...pairOf(model), ...over },
  parts,
});

/** A turn whose lead has failed. */
function failedTurn(isKept = false) {
  const double = openDouble();
  noteDrop(double.turn(), { model: 'lead/one', isKept });
  const user: HistoryMessage = { info: double.user(), parts: [{ type: 'text', text: 'Hi' }] };
  return { double, user };
}

const ids = (messages: readonly HistoryMessage[]): string[] => messages.map(({ info }) => info.id);

describe('given the history the next model is sent', () => {
  it('when a step has failed, then its empty message is taken out of the very array, and noted', () => {
    const { double, user } = failedTurn();
    const messages = [user, assistant('msg_a', 'other/model'), assistant('msg_b', 'lead/one')];
    hideLeftovers(double.instance, messages);
    expect([ids(messages), [...double.instance.leftovers], double.turn().drops]).toEqual([
      ['msg_1', 'msg_a'],
      [['msg_b', 'ses_1']],
      [],
    ]);
  });

  it('when it is asked for again, then the message stays hidden', () => {
    const { double, user } = failedTurn();
    hideLeftovers(double.instance, [user, assistant('msg_b', 'lead/one')]);
    const messages = [user, assistant('msg_b', 'lead/one'), assistant('msg_c', 'spare/two')];
    hideLeftovers(double.instance, messages);
    expect(ids(messages)).toEqual(['msg_1', 'msg_c']);
  });

  it.each<[string, boolean, Part[]]>([
    ['a long partial answer', true, [{ type: 'text', text: 'long' }]],
    ['the work of a tool', false, [{ type: 'tool', tool: 'write' }]],
  ])('when the failed step holds %s, then it stays', (_, isKept, parts) => {
    const { double, user } = failedTurn(isKept);
    const messages = [user, assistant('msg_b', 'lead/one', parts)];
    hideLeftovers(double.instance, messages);
    expect(ids(messages)).toEqual(['msg_1', 'msg_b']);
  });

  it('when it holds a tool call nobody could read, then it goes', () => {
    const { double, user } = failedTurn();
    const messages = [user, assistant('msg_b', 'lead/one', [{ type: 'tool', tool: 'invalid' }])];
    hideLeftovers(double.instance, messages);
    expect(ids(messages)).toEqual(['msg_1']);
  });

  it('when newer messages were sent meanwhile, then the empty message of the first is found all the same', () => {
    const { double, user } = failedTurn();
    const newer: HistoryMessage = { info: { ...double.user(), id: 'msg_2' }, parts: [] };
    const messages = [user, assistant('msg_b', 'lead/one'), newer];
    hideLeftovers(double.instance, messages);
    expect([ids(messages), [...double.instance.leftovers.keys()]]).toEqual([['msg_1', 'msg_2'], ['msg_b']]);
  });

  it('when the list does not hold it, as a compaction’s does not, then it is found in the next one', () => {
    const { double, user } = failedTurn();
    hideLeftovers(double.instance, [user]);
    const messages = [user, assistant('msg_b', 'lead/one')];
    hideLeftovers(double.instance, messages);
    expect(ids(messages)).toEqual(['msg_1']);
  });

  it('when two steps with one model have failed, then both go', () => {
    const { double, user } = failedTurn();
    noteDrop(double.turn(), { model: 'lead/one', isKept: false });
    const messages = [user, assistant('msg_b', 'lead/one'), assistant('msg_c', 'lead/one')];
    hideLeftovers(double.instance, messages);
    expect(ids(messages)).toEqual(['msg_1']);
  });

  it('when the same model has answered in the same turn, then its answer stays', () => {
    const { double, user } = failedTurn();
    const messages = [user, assistant('msg_b', 'lead/one', STEP, { finish: 'stop' })];
    hideLeftovers(double.instance, messages);
    expect(ids(messages)).toEqual(['msg_1', 'msg_b']);
  });

  it('when another turn’s message has the same model, then it stays', () => {
    const { double, user } = failedTurn();
    const messages = [assistant('msg_0', 'lead/one', STEP, { parentID: 'msg_old' }), user];
    hideLeftovers(double.instance, messages);
    expect(ids(messages)).toEqual(['msg_0', 'msg_1']);
  });
});

describe('given a model that stopped too early and shall go on', () => {
  it('when it is asked again, then a last message of the user tells it so, once', () => {
    const { double, user } = failedTurn(true);
    goOnWith(double.turn(), 'Go on.');
    const messages = [user, assistant('msg_b', 'lead/one', [{ type: 'text', text: 'half' }])];
    sayContinue(double.instance, messages);
    sayContinue(double.instance, messages);
    expect(ids(messages)).toEqual(['msg_1', 'msg_b', 'msg_1']);
    expect(messages[2]).toEqual({ info: user.info, parts: [{ type: 'text', text: 'Go on.', synthetic: true }] });
  });

  it('when another message of the user has come since, then nothing is said', () => {
    const { double, user } = failedTurn(true);
    goOnWith(double.turn(), 'Go on.');
    const messages = [user, { ...user, info: { ...user.info, id: 'msg_2' } }];
    sayContinue(double.instance, messages);
    expect(messages).toHaveLength(2);
  });
});

describe('given a text that is complete', () => {
  it.each([
    ['another model goes on from it', true, true, 'half\n\n[one broke off here.]'],
    ['it will be dropped', false, true, 'half'],
    ['its own model goes on from it', true, false, 'half'],
  ])('when its model broke off and %s, then it says so accordingly', (_, isKept, isLeft, expected) => {
    const { double } = failedTurn(isKept);
    if (isLeft) noteLeft(double.turn(), 'lead/one');
    const output = { text: 'half' };
    markPartial(double.instance, 'ses_1', output);
    expect(output.text).toBe(expected);
  });

  it('when nothing broke off, or in another session, then it stays as it is', () => {
    const output = { text: 'whole' };
    markPartial(openDouble().instance, 'ses_1', output);
    const { double } = failedTurn(true);
    noteLeft(double.turn(), 'lead/one');
    markPartial(double.instance, 'ses_2', output);
    expect(output.text).toBe('whole');
  });
});

describe('given a session that comes to rest', () => {
  it('when OpenCode still writes the end of a stopped answer, then that stays until it is whole', async () => {
    const { double, user } = failedTurn();
    const { info } = assistant('msg_b', 'lead/one');
    hideLeftovers(double.instance, [user, { info, parts: STEP }]);
    double.instance.writing.set('msg_b', { info: info as never, counted: new Set() });
    await tidyAtIdle(double.instance, 'ses_1');
    expect([double.deleted, [...double.instance.leftovers.keys()]]).toEqual([[], ['msg_b']]);
    double.instance.writing.delete('msg_b');
    await tidyAtIdle(double.instance, 'ses_1');
    expect(double.deleted).toEqual(['msg_b']);
  });

  it('when a message is noted, then it is deleted and forgotten', async () => {
    const { double } = failedTurn();
    takeDrops(double.turn());
    double.instance.leftovers.set('msg_b', 'ses_1').set('msg_x', 'ses_other');
    await tidyAtIdle(double.instance, 'ses_1');
    expect([double.deleted, [...double.instance.leftovers.keys()]]).toEqual([['msg_b'], ['msg_x']]);
  });

  it('when OpenCode refuses the deletion, then it is tried at the next rest', async () => {
    const { double } = failedTurn();
    takeDrops(double.turn());
    double.instance.leftovers.set('msg_b', 'ses_1');
    double.control.isBusy = true;
    await tidyAtIdle(double.instance, 'ses_1');
    double.control.isBusy = false;
    await tidyAtIdle(double.instance, 'ses_1');
    expect([double.deleted, double.instance.leftovers.size]).toEqual([['msg_b'], 0]);
  });

  it('when the turn was stopped before its next step, then its empty message is looked for, and errors and work stay', async () => {
    const { double } = failedTurn();
    double.control.history = [
      assistant('msg_a', 'lead/one', [{ type: 'tool', tool: 'write' }]),
      assistant('msg_b', 'lead/one'),
      assistant('msg_c', 'lead/one', STEP, { error: { name: 'MessageAbortedError' } }),
      assistant('msg_d', 'spare/two'),
    ];
    await tidyAtIdle(double.instance, 'ses_1');
    expect(double.deleted).toEqual(['msg_b']);
  });

  it.each<[string, boolean, Part[]]>([
    ['was kept', true, [{ type: 'text', text: 'long' }]],
    ['holds the work of a tool', false, [{ type: 'tool', tool: 'write' }]],
  ])('when its last step %s, then what the same model said before stays as well', async (_, isKept, parts) => {
    const { double } = failedTurn(isKept);
    double.control.history = [
      assistant('msg_a', 'lead/one', [{ type: 'text', text: 'said before' }]),
      assistant('msg_b', 'lead/one', parts),
    ];
    await tidyAtIdle(double.instance, 'ses_1');
    expect(double.deleted).toEqual([]);
  });
});

describe('given an instance that goes', () => {
  it('when messages are noted, then all are deleted first', async () => {
    const { double } = failedTurn();
    double.instance.leftovers.set('msg_b', 'ses_1').set('msg_x', 'ses_other');
    await tidyAtEnd(double.instance);
    expect(double.deleted).toEqual(['msg_b', 'msg_x']);
  });

  it('when the message of its turn was moved, then it names the lead again first', async () => {
    const { double } = failedTurn();
    await repoint(double.instance, double.user(), 'spare/two');
    const moved = double.model();
    await tidyAtEnd(double.instance);
    expect([moved, double.model()]).toEqual(['spare/two', 'lead/one']);
  });

  it('when OpenCode does not answer, then it goes after 500 ms', async () => {
    vi.useFakeTimers();
    try {
      const { double } = failedTurn();
      double.instance.leftovers.set('msg_b', 'ses_1');
      double.instance.client._client.delete = () => new Promise(() => undefined);
      const end = tidyAtEnd(double.instance);
      await vi.advanceTimersByTimeAsync(500);
      await expect(end).resolves.toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });
});
