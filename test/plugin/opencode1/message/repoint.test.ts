import { describe, expect, it, vi } from 'vitest';
import { beginTurn } from '../../../../src/plugin/opencode1/memory/instance';
import { pairOf, refOf } from '../../../../src/plugin/opencode1/memory/model-ref';
import { noteLeft, noteUser } from '../../../../src/plugin/opencode1/memory/turn-memory';
import type { UserMessage } from '../../../../src/plugin/opencode1/memory/types';
import { applyRepoint, mendStaleWrite, pointHome, repoint } from '../../../../src/plugin/opencode1/message/repoint';
import { deferred } from '../../../node/socket-support';
import { inVariants, openDouble } from '../../support/opencode-double';

/** A turn that has left its lead for its understudy. */
async function switched() {
  const double = openDouble({ chain: ['lead/one', 'spare/two', 'last/three'] });
  const request = double.request();
  noteLeft(double.turn(), 'lead/one');
  expect(await repoint(double.instance, request.user, 'spare/two')).toBe(true);
  return double;
}

describe('given a re-point', () => {
  it('when OpenCode carries it out, then only the model changes, and the turn expects it', async () => {
    const double = openDouble();
    const before = structuredClone(double.user());
    expect(await repoint(double.instance, double.request().user, 'spare/vendor/two')).toBe(true);
    expect([double.user(), double.turn().expected]).toEqual([
      { ...before, model: { providerID: 'spare', modelID: 'vendor/two' } },
      'spare/vendor/two',
    ]);
    await expect.poll(() => [double.instance.pending.size, double.instance.written.size]).toEqual([0, 0]);
  });

  it('when the message has a variant and a format, then the body carries them and the hook leaves the format alone', async () => {
    const double = openDouble();
    const format = { type: 'json_schema', schema: {} };
    const user = { ...double.request().user, format, model: { providerID: 'lead', modelID: 'one', variant: 'high' } };
    await repoint(double.instance, user, 'spare/two');
    expect([double.prompts[0]?.body, double.user().model, double.user().format]).toEqual([
      expect.objectContaining({ variant: 'high', format, model: { providerID: 'lead', modelID: 'one' } }),
      { providerID: 'spare', modelID: 'two', variant: 'high' },
      format,
    ]);
  });

  it('when the chain asks a variant of the next model, then that is what it has, and the message goes home with its own', async () => {
    const double = openDouble({ scope: inVariants({ 'spare/two': 'max' }) });
    const user = { ...double.request().user, model: { providerID: 'lead', modelID: 'one', variant: 'high' } };
    await repoint(double.instance, user, 'spare/two');
    expect([double.prompts[0]?.body, double.user().model]).toEqual([
      expect.objectContaining({ variant: 'high', model: { providerID: 'lead', modelID: 'one' } }),
      { providerID: 'spare', modelID: 'two', variant: 'max' },
    ]);
    await repoint(double.instance, double.user(), 'lead/one');
    expect([double.prompts[1]?.body, double.user().model]).toEqual([
      expect.objectContaining({ variant: 'high', model: { providerID: 'lead', modelID: 'one' } }),
      { providerID: 'lead', modelID: 'one', variant: 'high' },
    ]);
  });

  it('when OpenCode has written the message, then it is over before the call returns', async () => {
    const double = openDouble();
    const { prompt } = double.instance.client.session;
    double.instance.client.session.prompt = async (call) => {
      await prompt(call);
      return new Promise(() => undefined);
    };
    expect(await repoint(double.instance, double.request().user, 'spare/two')).toBe(true);
  });

  it.each([
    ['answers with an error', async () => ({ error: { name: 'NotFound' } })],
    ['throws', async () => Promise.reject(new Error('gone'))],
    ['never calls our hook', async () => ({ data: {} })],
  ])('when OpenCode %s, then it says so and nothing is left behind', async (_, prompt) => {
    const double = openDouble();
    double.instance.client.session.prompt = prompt;
    expect([
      await repoint(double.instance, double.request().user, 'spare/two'),
      double.model(),
      double.turn().expected,
      double.instance.pending.size,
    ]).toEqual([false, 'lead/one', null, 0]);
  });

  it('when OpenCode takes 10 s, then it has failed', async () => {
    vi.useFakeTimers();
    try {
      const double = openDouble();
      double.instance.client.session.prompt = () => new Promise(() => undefined);
      const result = repoint(double.instance, double.request().user, 'spare/two');
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await result).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });

  it('when messages to the same model are queued behind, then they move with it, and the session stays as the newest asked', async () => {
    const double = openDouble();
    const user = double.request().user;
    const queue = (id: string, over: Partial<UserMessage>) =>
      beginTurn(double.instance, { ...structuredClone(user), id, ...over }, { model: 'lead/one', variant: null });
    const queued = [
      queue('msg_2', {}),
      queue('msg_3', { model: pairOf('own/choice') }),
      queue('msg_4', { agent: 'plan' }),
    ];
    queue('msg_0', {});
    await repoint(double.instance, user, 'spare/two');
    expect(double.prompts.map(({ body }) => [body.messageID, body.agent, body.model])).toEqual(
      ['msg_1', 'msg_2', 'msg_4'].map((id) => [id, 'plan', pairOf('lead/one')]),
    );
    expect(queued.map(({ user, expected, left }) => [user && refOf(user.model), expected, [...left]])).toEqual([
      ['spare/two', 'spare/two', ['lead/one']],
      ['own/choice', null, []],
      ['spare/two', 'spare/two', ['lead/one']],
    ]);
  });

  it('when the turn moves on a second time, then the session still names the lead', async () => {
    const double = await switched();
    await repoint(double.instance, double.request().user, 'last/three');
    expect([double.model(), double.prompts.map(({ body }) => body.model)]).toEqual([
      'last/three',
      [pairOf('lead/one'), pairOf('lead/one')],
    ]);
  });

  it('when OpenCode comes to it after 10 s, then it is still ours, and the message is as it was', async () => {
    vi.useFakeTimers();
    try {
      const double = openDouble();
      const before = structuredClone(double.user());
      const gate = deferred<void>();
      double.control.before = () => gate.promise;
      const result = repoint(double.instance, double.request().user, 'spare/two');
      await vi.advanceTimersByTimeAsync(10_000);
      const isMoved = await result;
      gate.resolve();
      await vi.advanceTimersByTimeAsync(1);
      expect([isMoved, double.ours, double.user(), double.instance.pending.size]).toEqual([false, [true], before, 0]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('given a session that comes to rest', () => {
  it('when its message was moved, then it names the lead again, and a stale write after that is mended', async () => {
    const double = await switched();
    await pointHome(double.instance, 'ses_1');
    const named = double.model();
    await double.staleWrite('spare/two');
    expect([named, double.model(), double.prompts.length]).toEqual(['lead/one', 'lead/one', 3]);
  });

  it('when a late summary brought new fields, then they stay', async () => {
    const double = await switched();
    const summary = { diffs: ['one'] };
    await double.write({ ...structuredClone(double.user()), model: pairOf('spare/two'), summary } as UserMessage);
    await pointHome(double.instance, 'ses_1');
    expect(double.user()).toMatchObject({ model: pairOf('lead/one'), summary });
  });

  it('when nothing was moved, then OpenCode is not called, and a later write is nobody’s mistake', async () => {
    const double = openDouble();
    double.request();
    await pointHome(double.instance, 'ses_1');
    await double.staleWrite('spare/two');
    expect(double.prompts).toEqual([]);
  });

  it('when it is told twice, then the message is written once', async () => {
    const double = await switched();
    await Promise.all([pointHome(double.instance, 'ses_1'), pointHome(double.instance, 'ses_1')]);
    await pointHome(double.instance, 'ses_1');
    expect(double.prompts).toHaveLength(2);
  });

  it('when the user has undone its end, then nothing is written that would make it final', async () => {
    const double = await switched();
    double.instance.reverted.add('ses_1');
    await pointHome(double.instance, 'ses_1');
    expect([double.model(), double.prompts.length]).toEqual(['spare/two', 1]);
  });

  it('when this OpenCode takes no re-points, then none is tried', async () => {
    const double = await switched();
    double.control.actuator = 'watch';
    await pointHome(double.instance, 'ses_1');
    expect(double.prompts).toHaveLength(1);
  });

  it('when OpenCode keeps writing an old copy, then it is mended three times at most', async () => {
    const double = await switched();
    double.instance.client.session.prompt = async (call) => {
      double.prompts.push(call);
      applyRepoint(double.instance, 'ses_1', { message: structuredClone(double.user()), parts: [] });
      noteUser(double.turn(), { ...double.user(), model: pairOf('spare/two') });
      return { data: {} };
    };
    await pointHome(double.instance, 'ses_1');
    expect(double.prompts).toHaveLength(4);
  });
});

describe('given the chat.message hook', () => {
  it('when a message is new, or has parts, then it is not one of ours', async () => {
    const double = openDouble();
    const message = structuredClone(double.user());
    double.instance.pending.set('ses_1|msg_1', { user: message, next: 'spare/two', waiting: 1, hits: 0 });
    expect([
      applyRepoint(double.instance, 'ses_1', { message: { ...message, id: 'msg_9' }, parts: [] }),
      applyRepoint(double.instance, 'ses_1', { message, parts: [{ type: 'text' }] }),
      applyRepoint(double.instance, 'ses_1', { message, parts: [] }),
    ]).toEqual([false, false, true]);
  });
});

describe('given a message that OpenCode writes back from an old copy', () => {
  it('when it names the model that was left, then it is pointed again at once', async () => {
    const double = await switched();
    await double.staleWrite('lead/one');
    expect([double.model(), double.prompts.length, double.ours]).toEqual(['spare/two', 2, [true, true]]);
  });

  it('when it names the model that is expected, then nothing is done', async () => {
    const double = await switched();
    await double.staleWrite('spare/two');
    expect(double.prompts).toHaveLength(1);
  });

  it('when the turn has never been moved, then nothing is done', async () => {
    const double = openDouble();
    double.request();
    await double.staleWrite('spare/two');
    expect(double.prompts).toEqual([]);
  });

  it('when two stale writes arrive while it is mended, then it is mended once', async () => {
    const double = await switched();
    const gate = deferred<void>();
    double.control.before = () => gate.promise;
    const first = double.staleWrite('lead/one');
    await double.staleWrite('lead/one');
    expect(double.prompts).toHaveLength(2);
    gate.resolve();
    await first;
    expect(double.model()).toBe('spare/two');
  });

  it('when the turn switches on while it is mended and the mend returns last, then the newer model has the last word', async () => {
    const double = await switched();
    const mending = deferred<void>();
    double.control.before = (_, count) => (count === 2 ? mending.promise : Promise.resolve());
    const mend = double.staleWrite('lead/one');
    expect(await repoint(double.instance, double.request().user, 'last/three')).toBe(true);
    mending.resolve();
    await mend;
    expect([double.model(), double.turn().expected, double.ours, double.instance.pending.size]).toEqual([
      'last/three',
      'last/three',
      [true, true, true],
      0,
    ]);
    await mendStaleWrite(double.instance, structuredClone(double.user()));
    expect([double.model(), double.prompts.length]).toEqual(['last/three', 3]);
  });
});
