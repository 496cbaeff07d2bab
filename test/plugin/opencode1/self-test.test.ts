import { describe, expect, it } from 'vitest';
import { pairOf } from '../../../src/plugin/opencode1/model-ref';
import { selfTest } from '../../../src/plugin/opencode1/self-test';
import type { UserMessage } from '../../../src/plugin/opencode1/types';
import { openDouble } from '../support/opencode-double';

/** An OpenCode in which a session can be opened beside the first. */
function opened() {
  const double = openDouble();
  const { session } = double.instance.client;
  const calls: string[] = [];
  const message: UserMessage = {
    ...structuredClone(double.user()),
    ...{ id: 'msg_test', sessionID: 'ses_test', agent: 'build', system: 'This is a test of the switch.' },
    model: { ...pairOf('understudy/before'), variant: 'high' },
  };
  const repoint = session.prompt;
  let parts = [{ type: 'text', text: 'Nobody is asked this.' }];
  session.create = async ({ body }) => {
    calls.push(`create beside ${body.parentID}`);
    return { data: { id: 'ses_test' } };
  };
  session.prompt = async (call) => {
    if (call.body.messageID !== undefined) return repoint(call);
    calls.push(`prompt ${call.body.noReply === true ? 'without' : 'with'} a reply`);
    return { data: { info: message, parts } };
  };
  session.messages = async () => ({ data: [{ info: double.user(), parts }] });
  session.delete = async ({ path }) => void calls.push(`delete ${path.id}`) as never;
  const setParts = (next: typeof parts): void => {
    parts = next;
  };
  return { double, calls, message, setParts, run: () => selfTest(double.instance, 'ses_1') };
}

describe('given an OpenCode as the companion knows it', () => {
  it('when it is tested, then all holds, nobody is asked, and nothing stays', async () => {
    const { double, calls, run } = opened();
    expect([await run(), calls, double.deleted, double.user().model]).toEqual([
      [],
      ['create beside ses_1', 'prompt without a reply', 'delete ses_test'],
      ['msg_test'],
      { providerID: 'understudy', modelID: 'after', variant: 'high' },
    ]);
    expect(double.brain.since(0).map(({ event }) => event.type)).toEqual(['scope.configured']);
  });
});

describe('given an OpenCode that has changed', () => {
  it('when a message cannot be pointed elsewhere, then that is what does not hold', async () => {
    const { double, run } = opened();
    double.control.refusal = { name: 'BadRequest' };
    expect(await run()).toContain('moves');
  });

  it('when the message is not written with the new model, then neither', async () => {
    const { double, message, run } = opened();
    double.instance.client.session.messages = async () => ({
      data: [{ info: message, parts: [{ type: 'text', text: 'Nobody is asked this.' }] }],
    });
    expect(await run()).toEqual(['moves']);
  });

  it('when its parts are gone, or doubled, then it does not keep what it should', async () => {
    const results: unknown[] = [];
    for (const parts of [[], [1, 2].map(() => ({ type: 'text', text: 'Nobody is asked this.' }))]) {
      const { setParts, run } = opened();
      setParts(parts);
      results.push(await run());
    }
    expect(results).toEqual([['keeps'], ['keeps']]);
  });

  it('when an empty message cannot be deleted, then leftovers stay', async () => {
    const { double, run } = opened();
    double.control.isBusy = true;
    expect(await run()).toEqual(['tidies']);
  });
});

describe('given a moment in which it cannot be tested', () => {
  it.each<[string, (of: ReturnType<typeof opened>) => void]>([
    [
      'opens no session',
      ({ double }) => {
        double.instance.client.session.create = async () => ({ error: {} });
      },
    ],
    [
      'fails on the way',
      ({ double }) => {
        double.instance.client.session.messages = () => Promise.reject(new Error('gone'));
      },
    ],
    [
      'takes no message',
      ({ double }) => {
        double.instance.client.session.prompt = async () => ({ error: {} });
      },
    ],
    [
      'is going down',
      ({ double }) => {
        double.instance.isGone = true;
      },
    ],
  ])('when OpenCode %s, then nothing is known', async (_, prepare) => {
    const stage = opened();
    prepare(stage);
    expect(await stage.run()).toBeNull();
  });
});
