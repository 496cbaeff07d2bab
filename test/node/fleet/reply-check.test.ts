import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReplyCheck } from '../../../src/features/fleet/node/reply-check';

const LIMITS = { elements: 100, bytes: 10_000, textBytes: 1_000 };

type Reply = string | number | null | readonly Reply[] | Readonly<{ status: string }> | Readonly<{ error: string }>;

/** A reply as a server writes it. */
function written(reply: Reply): string {
  if (reply === null) return '$-1\r\n';
  if (typeof reply === 'number') return `:${reply}\r\n`;
  if (typeof reply === 'string') return `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`;
  if ('status' in reply) return `+${reply.status}\r\n`;
  if ('error' in reply) return `-${reply.error}\r\n`;
  return `*${reply.length}\r\n${reply.map(written).join('')}`;
}

/** Checks bytes in pieces. @returns the fault, or null. */
function checked(text: string, { asked = 1, isSubscribed = false, piece = 7 } = {}): string | null {
  const check = new ReplyCheck(LIMITS);
  for (let count = 0; count < asked; count++) check.sent();
  if (isSubscribed) check.subscribed();
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length; at += piece) check.take(bytes.subarray(at, at + piece));
    return null;
  } catch (fault) {
    return (fault as Error).message;
  }
}

describe('given replies as a server sends them', () => {
  const line = fc.stringMatching(/^[ -~]{0,40}$/);
  const { reply } = fc.letrec<{ reply: Reply }>((tie) => ({
    reply: fc.oneof(
      { depthSize: 'small', maxDepth: 3 },
      fc.string({ maxLength: 60 }),
      fc.integer(),
      fc.constant(null),
      line.map((status) => ({ status })),
      line.map((error) => ({ error })),
      fc.array(tie('reply'), { maxLength: 4 }),
    ),
  }));

  it('when they come in pieces of any size, then none is a fault', () => {
    fc.assert(
      fc.property(fc.array(reply, { maxLength: 5 }), fc.integer({ min: 1, max: 40 }), (replies, piece) => {
        expect(checked(replies.map(written).join(''), { asked: replies.length, piece })).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  it('when one more comes than was asked for, then that is a fault', () => {
    expect(checked('+OK\r\n+OK\r\n')).toBe('The server sent a reply without a request.');
    expect(checked('$-1\r\n', { asked: 0 })).toBe('The server sent a reply without a request.');
  });

  it('when they are of channels, then messages, confirmations and errors pass', () => {
    const news: Reply[] = [['subscribe', 'a', 1], ['message', 'a', ''], ['unsubscribe', 'a', 0], { error: 'ERR' }];
    for (const piece of [1, 5, 1_000])
      expect(checked(news.map(written).join(''), { isSubscribed: true, piece })).toBeNull();
  });
});

describe('given replies that no server of a fleet sends', () => {
  it.each<[string, string, string]>([
    ['is nested', '*1\r\n'.repeat(100_000), 'a reply nested more than 4 levels deep'],
    ['has a negative length', '$-2\r\n', 'an invalid length'],
    ['has a negative count', '*-7\r\n', 'an invalid length'],
    ['has a length of words', '$many\r\n', 'an invalid length'],
    ['has a number of words', ':one\r\n', 'an invalid number'],
    ['has a text that is too long', '$1001\r\n', 'a text of more than 1000 bytes'],
    ['has too many elements', '*101\r\n', 'more than 100 elements'],
    ['has too many elements in all', `*60\r\n${'*1\r\n:1\r\n'.repeat(60)}`, 'more than 100 elements'],
    ['is too long', `*90\r\n${`$900\r\n${'a'.repeat(900)}\r\n`.repeat(90)}`, 'a reply of more than 10000 bytes'],
    ['is an error of 2 MB', `-${'e'.repeat(2_000_000)}`, 'a line of more than 4096 bytes'],
    ['ends a line with one byte', '+OK\n', 'a line with an invalid end'],
    ['has a return in a line', '+O\rK\r\n', 'a line with an invalid end'],
    ['has a return in a line that does not end', ':1\r5', 'a line with an invalid end'],
    ['ends a text wrongly', '$2\r\nOKOK', 'a text with an invalid end'],
  ])('when one %s, then it is a fault before the library reads it', (_, text, fault) => {
    for (const piece of [1, 1_000, 5_000_000])
      expect(checked(text.slice(0, 300_000), { piece })).toBe(`The server sent ${fault}.`);
  });

  it('when it is of another protocol, then the message says so', () => {
    expect(checked('HTTP/1.1 400 Bad Request\r\n')).toBe('Protocol error, got "H" as reply type byte');
  });

  it.each([
    ['$-1\r\n', '+\r\n', '+OK\r\n', '*-1\r\n', '*0\r\n', ':1\r\n'],
    [
      [null, 'a', 1],
      ['', 'a', 1],
      ['psubscribe', 'a', 1],
      ['subscribe', null, 1],
      ['subscribe', '', 1],
    ].map(written),
    [
      ['subscribe', 'a', '1'],
      ['message', 'a', 1],
      ['message', 'a', null],
      ['subscribe', 'a'],
    ].map(written),
    [
      [['subscribe'], 'a', 1],
      ['subscribe', ['a'], 1],
      ['message', 'a', ['b']],
    ].map(written),
  ])('when a channel is followed, then %j is a fault, and so are its likes', (...replies) => {
    for (const reply of replies)
      expect([reply, checked(reply, { isSubscribed: true })]).toEqual([
        reply,
        'The server sent an invalid channel message.',
      ]);
  });
});
