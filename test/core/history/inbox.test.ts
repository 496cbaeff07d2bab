import { describe, expect, it } from 'vitest';
import { UnknownPhrase } from '../../../src/contract/unknown-phrase';
import { createKindReader } from '../../../src/core/base/kind-reader';
import { parseConfig } from '../../../src/core/config';
import { createInbox, type Inbox } from '../../../src/core/history/inbox';
import { builtInProviderMaps } from '../../../src/core/providers/built-in-providers';
import { classify, type Evidence } from '../../../src/engine';

/** A failure as the engine notes it. */
function hear(inbox: Inbox, said: Partial<Evidence> & { message: string }, at = 0, model = 'acme/one'): void {
  const evidence: Evidence = { phase: 'body', ...said };
  const { kind, message } = classify(evidence);
  const facts = kind === 'unknown' ? [{ type: 'phrase.unknown', model, text: message } as const] : [];
  inbox.hear({
    event: { type: 'attempt.failed', attempt: 'a', evidence, durationMs: 1 },
    result: { facts },
    wall: at,
  });
}
function heard(...messages: readonly string[]): Inbox {
  const inbox = createInbox();
  messages.forEach((message, at) => {
    hear(inbox, { message }, at);
  });
  return inbox;
}
const all = (inbox: Inbox): UnknownPhrase[] => inbox.page({ offset: 0, limit: 100 }).entries;
const texts = (inbox: Inbox): string[] => all(inbox).map(({ text }) => text);

describe('given answers that ended for reasons that no list names', () => {
  it('when one reason comes twice, then it is one entry with its number', () => {
    const inbox = createInbox();
    for (const wall of [1, 2])
      inbox.hear({
        event: { type: 'attempt.succeeded', attempt: 'a', durationMs: 1, firstTokenMs: 1, outputChars: 1 },
        result: { facts: [{ type: 'phrase.unknown', model: 'acme/one', text: 'finish reason: because' }] },
        wall,
      });
    expect(all(inbox)).toMatchObject([{ text: 'finish reason: because', provider: 'acme', status: null, count: 2 }]);
  });
});

describe('given failures that nobody can name', () => {
  it('when one comes twice, then it is one entry with its number, its times and the last model', () => {
    const inbox = createInbox();
    hear(inbox, { message: 'The moon is in the way', code: 'MOON' }, 1_000);
    hear(inbox, { message: 'the  moon is in the way', code: 'moon' }, 5_000, 'acme/two');
    expect(all(inbox)).toEqual([
      {
        id: expect.any(String),
        provider: 'acme',
        status: null,
        code: 'moon',
        text: 'the moon is in the way',
        count: 2,
        firstSeen: 1_000,
        lastSeen: 5_000,
        model: 'acme/two',
        suggestion: 'the moon is in the way',
      },
    ]);
  });

  it.each([
    ['numbers', 'Moon at 17 degrees, 3.5 km away', 'Moon at 9 degrees, 12 km away'],
    ['ids', 'Moon (request req_011CabcD)', 'Moon (request req_92XyZ)'],
    ['UUIDs', 'Moon 5f2d9c1e-8a77-4a0e-9d6f-2b6a1c3e4d5f', 'Moon 00000000-0000-4000-8000-000000000000'],
    ['hex numbers', 'Moon at 0x7ffee3', 'Moon at 0x00ab12'],
    ['quoted names', 'Moon "luna" hides the sun', 'Moon “Io” hides the sun'],
    ['names in single quotes', "Moon 'luna' isn't up", "Moon 'io' isn't up"],
    ['addresses', 'Moon, see https://a.example/x?y=1', 'Moon, see https://b.example/longer/path'],
    ['dates', 'Moon until 2026-03-17T14:23:01Z', 'Moon until 2026-04-01T00:00:00Z'],
  ])('when two differ by %s alone, then they are one entry', (_, one, other) => {
    expect(all(heard(one, other)).map(({ count }) => count)).toEqual([2]);
  });

  it('when provider, code or words differ, then they are entries of their own, the latest first', () => {
    const inbox = heard('The moon is up', 'The sun is up');
    hear(inbox, { message: 'The sun is up', code: 'E_SUN' }, 2);
    hear(inbox, { message: 'The sun is up' }, 3, 'other/one');
    expect(all(inbox).map(({ provider, code, text }) => [provider, code, text])).toEqual([
      ['other', null, 'The sun is up'],
      ['acme', 'E_SUN', 'The sun is up'],
      ['acme', null, 'The sun is up'],
      ['acme', null, 'The moon is up'],
    ]);
  });

  it('when a failure has a name, or the user has called it unknown, then it is no entry', () => {
    const inbox = heard('rate limit reached');
    hear(inbox, { message: 'The moon is up', mapped: { kind: 'unknown' } });
    expect(inbox.count()).toBe(0);
  });

  it('when a 201st comes, then the one seen longest ago has left', () => {
    const inbox = createInbox();
    const name = (at: number): string => `moon ${'x'.repeat(at)} rises`;
    for (let at = 1; at <= 200; at++) hear(inbox, { message: name(at) }, at);
    hear(inbox, { message: name(1) }, 201);
    hear(inbox, { message: 'the sun rises' }, 202);
    expect([inbox.count(), texts(inbox)[0], texts(inbox)[1]]).toEqual([200, 'the sun rises', name(1)]);
    expect(inbox.page({ offset: 199, limit: 9 })).toMatchObject({ entries: [{ text: name(3) }], total: 200 });
  });

  it('when pages are read, then they follow on one another and end', () => {
    const inbox = heard('moon a', 'moon b', 'moon c', 'moon d', 'moon e');
    const pages = [0, 2, 4, 6].map((offset) => inbox.page({ offset, limit: 2 }));
    expect(pages.map(({ entries, total }) => [entries.map(({ text }) => text.at(-1)).join(''), total])).toEqual([
      ['ed', 5],
      ['cb', 5],
      ['a', 5],
      ['', 5],
    ]);
  });
});

describe('given a failure that repeats what it was sent', () => {
  const KEY = 'sk-proj-abcdefghijklmnop1234';
  it.each([
    ['a key', `The moon refused ${KEY}`],
    ['an e-mail address', 'The moon refused ada@example.com'],
    ['the prompt in quotes', 'The moon refused "please write my secret diary"'],
    ['the prompt in single quotes', "The moon refused 'please don't write my secret diary'"],
    ['the prompt in JSON', 'The moon refused {"role":"user","content":"my \\"secret diary\\" please"}'],
    ['the prompt up to where the text was cut', `The moon refused "my secret diary ${'and more '.repeat(100)}`],
    [
      'the prompt in quotes of other languages',
      'The moon refused „my secret diary“ «secret diary» 「secret diary」 `secret`',
    ],
  ])('when that is %s, then it is not kept', (_, message) => {
    const inbox = heard(message);
    hear(inbox, { message: 'The moon is up', code: message });
    const kept = JSON.stringify(all(inbox));
    expect(['abcdefgh', 'ada@', 'secret', 'diary'].filter((word) => kept.includes(word))).toEqual([]);
    expect(texts(inbox)[1]).toMatch(/^The moon refused/);
  });

  it('when anything is said at any length, then every entry keeps to the contract', () => {
    const inbox = createInbox();
    for (const message of ['', ' ', '"', '…'.repeat(900), 'moon '.repeat(1_000_000), '月'.repeat(5_000), '\u0000'])
      hear(inbox, { message, code: `CODE ${message}` });
    expect(all(inbox).map((entry) => UnknownPhrase.safeParse(entry).success)).toEqual(Array(inbox.count()).fill(true));
  });
});

describe('given an entry that is taught', () => {
  const taught = (message: string) => {
    const [entry] = all(heard(message));
    return entry?.suggestion ? ({ phrase: entry.suggestion, kind: 'quota' } as const) : null;
  };

  it.each([
    ['Moon 17 hides your allowance until 4 pm', 'hides your allowance until'],
    ['The "luna" moon hides the sun.', 'moon hides the sun'],
    ['限额5小时后恢复正常使用', '小时后恢复正常使用'],
  ])('when it says %j, then the pattern is its longest stretch that does not change: %j', (message, phrase) => {
    expect(taught(message)).toEqual({ phrase, kind: 'quota' });
  });

  it.each(['', '17', 'Moon 17', '"all of it in quotes"', '!!! ??? --- ...'])(
    'when it says only %j, then there is nothing to teach',
    (message) => {
      expect(taught(message)).toBeNull();
    },
  );

  it('when the pattern stands in a configuration, then that is right, and the entry and its like are gone', () => {
    const message = 'Moon 17 hides your allowance until 4 pm';
    const inbox = heard(message, 'The sun is up');
    const pattern = taught(message);
    const { config, problems } = parseConfig(JSON.stringify({ patterns: [pattern] }), 'model-fallback.json');
    inbox.setReaders([createKindReader(builtInProviderMaps, pattern ? [pattern] : [])]);
    hear(inbox, { message: 'Moon 4 hides your allowance until 5 pm' });
    expect([config?.patterns, problems, texts(inbox)]).toEqual([[pattern], [], ['The sun is up']]);
  });

  it('when a phrase is believed of one provider alone, then the same words of another are named by nobody', () => {
    const inbox = createInbox();
    for (const model of ['acme/one', 'other/one']) hear(inbox, { message: 'The moon hides the sun' }, 0, model);
    const reader = createKindReader(() => [], [{ phrase: 'hides the sun', kind: 'quota', provider: 'acme' }]);
    expect(inbox.namedBy(reader).map(({ provider }) => provider)).toEqual(['acme']);
    inbox.setReaders([reader]);
    expect(all(inbox).map(({ provider }) => provider)).toEqual(['other']);
  });

  it('when a provider map comes to know its code, then it is gone as well', () => {
    const inbox = createInbox();
    hear(inbox, { message: 'The moon is up', code: 'E_MOON' });
    const [google] = builtInProviderMaps().filter(({ provider }) => provider === 'google');
    const map = { ...google, provider: 'acme', codes: { e_moon: { kind: 'quota' } } } as NonNullable<typeof google>;
    inbox.setReaders([createKindReader(() => [map], [])]);
    expect(inbox.count()).toBe(0);
  });
});
