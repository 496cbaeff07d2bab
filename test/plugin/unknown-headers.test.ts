import { describe, expect, it } from 'vitest';
import { createUnknownHeaderBook } from '../../src/core/headroom/unknown-headers';
import { createUnknownHeaders } from '../../src/plugin/stores/unknown-headers';
import { type HeadersUnknown, parsePeerMessage } from '../../src/protocol';

const named = (count: number, start = 0): string[] => Array.from({ length: count }, (_, at) => `x-quota-${start + at}`);

describe('given headers that sound like a limit and that nobody reads', () => {
  it('when a response has them again, then only what is new of a provider is told', () => {
    const headers = createUnknownHeaders();
    const told: HeadersUnknown[] = [];
    const end = headers.onNote((news) => told.push(news));
    headers.note('gateway', ['x-quota']);
    headers.note('gateway', ['x-quota', 'x-usage']);
    headers.note('gateway', ['x-usage']);
    headers.note('gateway', []);
    end();
    headers.note('other', ['x-quota']);
    expect(told).toEqual([
      { type: 'headers.unknown', provider: 'gateway', names: ['x-quota'] },
      { type: 'headers.unknown', provider: 'gateway', names: ['x-usage'] },
    ]);
    expect(headers.all()).toEqual([
      { type: 'headers.unknown', provider: 'gateway', names: ['x-quota', 'x-usage'] },
      { type: 'headers.unknown', provider: 'other', names: ['x-quota'] },
    ]);
  });

  it('when a server makes up new ones each time, then 20 of a provider are told, of 50 providers, and each message passes', () => {
    const headers = createUnknownHeaders();
    for (let at = 0; at < 60; at++) for (const start of [0, 15, 30]) headers.note(`p${at}`, named(15, start));
    headers.note('p'.repeat(201), named(1));
    const told = headers.all();
    expect(told.map(({ names }) => names.length)).toEqual(Array(50).fill(20));
    for (const message of told) expect(parsePeerMessage(JSON.stringify(message))).toMatchObject({ ok: true });
  });

  it('when a peer tells a name that is none, then its message is refused', () => {
    for (const names of [['X-Quota'], ['x quota'], ['x'.repeat(81)], [], named(21)]) {
      const message = { type: 'headers.unknown', provider: 'gateway', names };
      expect(parsePeerMessage(JSON.stringify(message)).ok).toBe(false);
    }
  });

  it('when the app is told by several companions, then it has each name once, 20 of a provider, and forgets them when asked to', () => {
    const book = createUnknownHeaderBook();
    expect(book.add('z', ['x-b', 'x-a'])).toEqual(['x-b', 'x-a']);
    expect(book.add('z', ['x-a'])).toEqual([]);
    expect(book.add('a', named(20))).toEqual(named(20));
    expect(book.add('a', named(20, 20))).toEqual([]);
    expect(book.rows()).toEqual([
      { provider: 'a', names: named(20).sort() },
      { provider: 'z', names: ['x-a', 'x-b'] },
    ]);
    book.forget();
    expect(book.rows()).toEqual([]);
  });
});
