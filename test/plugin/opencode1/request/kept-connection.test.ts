import { describe, expect, it } from 'vitest';
import type { ScriptedStep } from '../../../../src/demo/scripted-provider';
import { CHAT_PATH, openDouble, openProvider, play } from '../../support/opencode-double';

const LEAD: ScriptedStep = { kind: 'text', text: 'LEAD ANSWERS' };
const RESET: ScriptedStep = { kind: 'reset' };

/** A lead that answers a first message; the clock then stands still for `idleMs` before the second. */
async function secondMessage(idleMs: number, then: readonly ScriptedStep[]) {
  const provider = await openProvider();
  provider.script('one', [LEAD, ...then]);
  provider.script('two', [{ kind: 'text', text: 'UNDERSTUDY ANSWERS' }]);
  let pauseMs = 0;
  const double = openDouble({ now: () => 1_000_000 + pauseMs });
  await play(double, { url: provider.url + CHAT_PATH });
  pauseMs = idleMs;
  double.nextMessage('msg_2');
  const { text } = await play(double, { url: provider.url + CHAT_PATH });
  return { text, asked: [provider.requests('one').length, provider.requests('two').length] };
}

describe('given a lead that has answered and whose server closes the connection under the next request', () => {
  it('when nothing was said for 1,500 ms, then the request is sent once more and the lead answers', async () => {
    expect(await secondMessage(1_500, [RESET, LEAD])).toEqual({ text: 'LEAD ANSWERS', asked: [3, 0] });
  });

  it('when the new connection is closed as well, then the understudy answers', async () => {
    expect(await secondMessage(1_500, [RESET, RESET, LEAD])).toEqual({ text: 'UNDERSTUDY ANSWERS', asked: [3, 1] });
  });

  it('when it had answered 1,499 ms ago, then it failed and is not asked again', async () => {
    expect(await secondMessage(1_499, [RESET, LEAD])).toEqual({ text: 'UNDERSTUDY ANSWERS', asked: [2, 1] });
  });

  it('when it says 503 after the pause, then it failed and is not asked again', async () => {
    const answers = await secondMessage(60_000, [{ kind: 'status', status: 503 }, LEAD]);
    expect(answers).toEqual({ text: 'UNDERSTUDY ANSWERS', asked: [2, 1] });
  });
});
