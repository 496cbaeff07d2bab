import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AppLink, AppTalk } from '../../../src/node/socket/app-link';
import { createAsker } from '../../../src/node/socket/asker';
import type { Sent } from '../../../src/node/socket/line-channel';

afterEach(() => vi.useRealTimers());

/** A connection that sends nothing by itself. */
function linkThat(send: () => Sent = () => ({ ok: true })) {
  const listeners: ((message: AppTalk) => void)[] = [];
  const closers: (() => void)[] = [];
  const link = {
    send,
    onMessage: (listener: (message: AppTalk) => void) => void listeners.push(listener),
    onClose: (listener: () => void) => void closers.push(listener),
  } as unknown as AppLink;
  return {
    link,
    say: (message: AppTalk) => {
      for (const listener of listeners) listener(message);
    },
    close: () => {
      for (const closer of closers) closer();
    },
  };
}

/** How a question came out: its answer, or the reason why there is none. */
const outcomeOf = (answer: Promise<unknown>): Promise<unknown> => answer.catch((error: Error) => error.message);

describe('given a core in another process', () => {
  it.each([
    ['snapshot.get', 20],
    ['drill.run', 150],
  ] as const)('when it never answers %s, then the asker hears so after %d seconds', async (name, seconds) => {
    vi.useFakeTimers();
    const ask = createAsker(linkThat().link);
    const told: unknown[] = [];
    void outcomeOf(ask(name, null)).then((said) => told.push(said));
    await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(told).toEqual([`Understudy did not answer "${name}" within ${seconds} seconds.`]);
  });

  it('when it answers, refuses or goes away, then each asker hears its own, and no timer stays', async () => {
    vi.useFakeTimers();
    const { link, say, close } = linkThat();
    const ask = createAsker(link);
    const answers = [1, 2, 3].map(() => outcomeOf(ask('snapshot.get', null)));
    say({ type: 'answer', id: '2', ok: false, reason: 'too long' });
    say({ type: 'answer', id: '1', ok: true, value: 7 });
    close();
    expect([await Promise.all(answers), vi.getTimerCount()]).toEqual([
      [7, 'too long', 'The connection to Understudy was lost.'],
      0,
    ]);
  });

  it('when a question cannot be sent, then the asker hears why', async () => {
    const askOver = (code: 'gone' | 'unsendable', reason: string) =>
      outcomeOf(createAsker(linkThat(() => ({ ok: false, code, reason })).link)('snapshot.get', null));
    expect([await askOver('gone', 'closed'), await askOver('unsendable', '9 bytes, more than 8')]).toEqual([
      'The connection to Understudy was lost.',
      'The request cannot be sent: 9 bytes, more than 8.',
    ]);
  });
});
