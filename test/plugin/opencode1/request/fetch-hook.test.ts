import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Fetch, releaseFetch } from '../../../../src/plugin/opencode1/memory/fetch-wrap';
import { installFetch, keepBack, noteRequest } from '../../../../src/plugin/opencode1/request/fetch-hook';
import { openDouble } from '../../support/opencode-double';

type Seen = Readonly<{ input: unknown; init: RequestInit | undefined }>;

const KEY = Symbol.for('understudy.fetch');
const globals = globalThis as typeof globalThis & { [KEY]?: unknown };
const before = globalThis.fetch;
let seen: Seen[] = [];
let host: typeof fetch;

beforeEach(() => {
  seen = [];
  const answer: Fetch = async (input, init) => {
    seen.push({ input, init });
    return new Response('{}', { headers: { 'content-type': 'application/json' } });
  };
  host = Object.assign(answer, { preconnect: (url: string) => url }) as typeof fetch;
  globalThis.fetch = host;
});
afterEach(() => {
  globalThis.fetch = before;
  delete globals[KEY];
});

const headersOf = ({ init }: Seen): Record<string, string> => Object.fromEntries(new Headers(init?.headers));

describe('given several instances in one process', () => {
  it('when they come and go, then the host’s fetch is wrapped once and comes back with the last', () => {
    installFetch();
    const wrapped = globalThis.fetch;
    installFetch();
    const stillWrapped = globalThis.fetch;
    releaseFetch();
    const afterOne = globalThis.fetch;
    releaseFetch();
    expect([wrapped !== host, stillWrapped === wrapped, afterOne === wrapped, globalThis.fetch === host]).toEqual(
      Array(4).fill(true),
    );
  });

  it('when the host’s fetch has properties, then callers still find them', () => {
    installFetch();
    expect((globalThis.fetch as unknown as { preconnect(url: string): string }).preconnect('u')).toBe('u');
    releaseFetch();
  });
});

describe('given two copies of the plugin in one process, of which either may have begun first', () => {
  const copies = async () => {
    vi.resetModules();
    const hook = '../../../../src/plugin/opencode1/request/fetch-hook';
    const later = (await import(hook)) as typeof import('../../../../src/plugin/opencode1/request/fetch-hook');
    installFetch();
    // The one that begins last answers.
    later.installFetch();
    return later;
  };

  it('when one numbers a request and the other answers, then it is guarded all the same', async () => {
    await copies();
    const double = openDouble();
    const { number: _, ...request } = double.request();
    const headers = { 'x-understudy': noteRequest(request) };
    await globalThis.fetch('https://host/v1/chat/completions', { method: 'POST', headers, body: '{}' });
    const started = double.brain.since(0).filter(({ event }) => event.type === 'attempt.started');
    expect([started.length, seen.map(headersOf)]).toEqual([1, [{}]]);
  });

  it('when one keeps words back and the other answers, then they do not leave', async () => {
    await copies();
    const { hits, end } = keepBack('check-42');
    await globalThis.fetch('https://provider/', { method: 'POST', body: '{"say":"check-42"}' });
    end();
    expect([hits(), seen]).toEqual([1, []]);
  });
});

describe('given words that must not leave the machine', () => {
  it('when a request without a number holds them, then it is answered here and counted, until that is over', async () => {
    installFetch();
    const { hits, end } = keepBack('check-42');
    const ask = (body: string) => globalThis.fetch('https://provider/', { method: 'POST', body });
    const statuses = [(await ask('{"say":"check-42"}')).status, (await ask('{"say":"hello"}')).status];
    end();
    statuses.push((await ask('{"say":"check-42"}')).status);
    releaseFetch();
    expect([statuses, hits(), seen.map(({ init }) => init?.body)]).toEqual([
      [204, 200, 200],
      1,
      ['{"say":"hello"}', '{"say":"check-42"}'],
    ]);
  });
});

describe('given somebody who wraps fetch after us', () => {
  it('when we go, then theirs stays, ours passes all through, and coming back wraps nothing twice', async () => {
    installFetch();
    const ours = globalThis.fetch;
    const theirs: typeof fetch = (input, init) => ours(input, init);
    globalThis.fetch = theirs;
    releaseFetch();
    await globalThis.fetch('https://host/a', { headers: { 'x-understudy': '999' } });
    installFetch();
    await globalThis.fetch('https://host/b', { headers: { 'x-understudy': '999' } });
    expect([globalThis.fetch === theirs, seen.length, seen.map(headersOf)]).toEqual([
      true,
      2,
      [{ 'x-understudy': '999' }, {}],
    ]);
  });
});

describe('given a request', () => {
  beforeEach(() => installFetch());

  it('when it has no header of ours, then it goes out as the very same objects', async () => {
    const input = new URL('https://host/a');
    const init = { headers: { a: '1' } };
    await globalThis.fetch(input, init);
    expect([seen[0]?.input === input, seen[0]?.init === init]).toEqual([true, true]);
  });

  it.each<[string, NonNullable<RequestInit['headers']>]>([
    ['a record', { 'x-understudy': '999', a: '1' }],
    [
      'pairs',
      [
        ['X-Understudy', '999'],
        ['a', '1'],
      ],
    ],
    ['Headers', new Headers({ 'x-understudy': '999', a: '1' })],
  ])(
    'when its number is unknown and its headers are %s, then ours is taken out and the rest goes',
    async (_, headers) => {
      await globalThis.fetch('https://host/a', { method: 'POST', headers });
      expect([seen.map(headersOf), seen[0]?.init?.method]).toEqual([[{ a: '1' }], 'POST']);
    },
  );

  it('when it is a Request of its own, then its header is found too', async () => {
    await globalThis.fetch(new Request('https://host/a', { headers: { 'x-understudy': '999', a: '1' } }));
    expect(seen.map(headersOf)).toEqual([{ a: '1' }]);
  });

  it('when it is signed and its number is unknown, then nothing of it is changed', async () => {
    const headers = { 'x-understudy': '999', authorization: 'AWS4-HMAC-SHA256 Credential=x' };
    await globalThis.fetch('https://host/a', { headers });
    expect(seen.map(headersOf)).toEqual([headers]);
  });

  it('when its number is noted, then it is guarded: the engine hears of it, each time it is sent', async () => {
    const double = openDouble();
    const { number: _, ...request } = double.request();
    const number = noteRequest(request);
    await globalThis.fetch('https://host/v1/chat/completions', {
      method: 'POST',
      headers: { 'x-understudy': number },
      body: '{}',
    });
    await globalThis.fetch('https://host/v1/chat/completions', {
      method: 'POST',
      headers: { 'x-understudy': number },
      body: '{}',
    });
    const started = double.brain.since(0).filter(({ event }) => event.type === 'attempt.started');
    expect([started.length, seen.map(headersOf)]).toEqual([2, [{}, {}]]);
  });

  it('when its instance has gone, then it passes without the header', async () => {
    const double = openDouble();
    const { number: _, ...request } = double.request();
    const number = noteRequest(request);
    double.instance.isGone = true;
    await globalThis.fetch('https://host/a', { headers: { 'x-understudy': number } });
    expect([seen.map(headersOf), double.brain.since(0).length]).toEqual([[{}], 1]);
  });

  it('when 501 are noted, then each has a number of its own and the oldest is forgotten', async () => {
    const double = openDouble();
    const { number: _, ...request } = double.request();
    const numbers = Array.from({ length: 501 }, () => noteRequest(request));
    for (const number of [numbers[0], numbers[1]])
      await globalThis.fetch('https://host/v1/chat/completions', {
        method: 'POST',
        headers: { 'x-understudy': number ?? '' },
        body: '{}',
      });
    const started = double.brain.since(0).filter(({ event }) => event.type === 'attempt.started');
    expect([new Set(numbers).size, started.length]).toEqual([501, 1]);
  });
});
