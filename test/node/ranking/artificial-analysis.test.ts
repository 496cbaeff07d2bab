import { describe, expect, it, onTestFinished } from 'vitest';
import { fetchArtificialAnalysis } from '../../../src/features/ranking/node/artificial-analysis';
import { recorded, type Said, says, startArtificialAnalysis } from '../../support/artificial-analysis';

const KEY = 'aa_VeryOwnKey_0123456789';
const SPECIFIED = 'data/llms/models';
const PAID = 'language/models';
const FREE = 'language/models/free';

async function open(lists: Readonly<Record<string, Said>>) {
  const server = await startArtificialAnalysis(lists);
  onTestFinished(() => server.close());
  const paths = () => server.asked().map(({ path }) => path);
  return {
    ...server,
    paths,
    fetchWith: (more = {}) => fetchArtificialAnalysis({ key: KEY, base: server.base, ...more }),
  };
}

const page = (slug: string, hasMore: boolean): string =>
  JSON.stringify({ data: [{ name: slug, slug }], pagination: { has_more: hasMore } });

describe('given a list that answers', () => {
  it('when it is read, then the key goes along as a header, once, and 3 models come back', async () => {
    const server = await open({ [SPECIFIED]: says(await recorded('models.json')) });
    const answer = await server.fetchWith();
    expect(answer).toMatchObject({ ok: true, list: SPECIFIED });
    expect(answer.ok && answer.response.data.map(({ slug }) => slug)).toEqual([
      'example-one-high',
      'example-two',
      'example-three',
    ]);
    expect(server.asked()).toEqual([{ path: SPECIFIED, key: KEY }]);
  });

  it('when it comes in 3 pages, then all of them are read, in order', async () => {
    const server = await open({
      [SPECIFIED]: ({ url }, response) => {
        const at = Number(url?.split('page=')[1] ?? 1);
        response.end(page(`model-${at}`, at < 3));
      },
    });
    const answer = await server.fetchWith();
    expect(answer.ok && answer.response.data.map(({ slug }) => slug)).toEqual(['model-1', 'model-2', 'model-3']);
    expect(server.paths()).toEqual([SPECIFIED, `${SPECIFIED}?page=2`, `${SPECIFIED}?page=3`]);
  });

  it('when pages never end, then it is given up after 25', async () => {
    const server = await open({ [SPECIFIED]: says(page('again', true)) });
    expect(await server.fetchWith()).toMatchObject({ ok: false, code: 'too_large' });
    expect(server.paths()).toHaveLength(25);
  });
});

describe('given the retired list', () => {
  it('when it answers 410 and the key is paid for, then the list after it is read', async () => {
    const server = await open({ [PAID]: says(await recorded('language-models.json')) });
    expect(await server.fetchWith()).toMatchObject({ ok: true, list: PAID });
    expect(server.paths()).toEqual([SPECIFIED, PAID]);
  });

  it('when the key is a free one, then the free list is read', async () => {
    const server = await open({ [PAID]: says('{}', 403), [FREE]: says(await recorded('language-models-free.json')) });
    expect(await server.fetchWith()).toMatchObject({ ok: true, list: FREE });
    expect(server.paths()).toEqual([SPECIFIED, PAID, FREE]);
  });

  it('when all lists are gone, then a newer Understudy is called for', async () => {
    expect(await (await open({})).fetchWith()).toEqual({
      ok: false,
      code: 'gone',
      reason: 'Artificial Analysis has retired the address that Understudy uses. Update Understudy.',
    });
  });
});

describe('given a server that does not hand over its list', () => {
  const inAMinute = { 'retry-after': 'Thu, 26 Nov 2026 10:01:00 GMT', date: 'Thu, 26 Nov 2026 10:00:00 GMT' };

  it.each<readonly [string, Said, string, string]>([
    ['401', says('{}', 401), 'key', 'rejects this key'],
    ['403 everywhere', says('{}', 403), 'forbidden', 'has no access'],
    ['429 with seconds', says('{}', 429, { 'retry-after': '90' }), 'limit', 'Try again in 90 s.'],
    ['429 with a date', says('{}', 429, inAMinute), 'limit', 'Try again in 60 s.'],
    ['429 without a time', says('{}', 429), 'limit', 'Try again later.'],
    ['500', says('{}', 500), 'server', 'status 500'],
    ['503', says('{}', 503), 'server', 'status 503'],
    ['a web page', says('<html>'), 'unreadable', 'not answer with JSON'],
    ['another shape', says('{"data":[{"name":"a","slug":7}]}'), 'unreadable', 'unknown format: data.0.slug'],
    ['a list', says('[]'), 'unreadable', 'unknown format: the whole answer'],
    ['more than 10 MB', says(`"${'a'.repeat(10_000_001)}"`), 'too_large', 'more than 10 MB'],
    ['5,001 models', says(JSON.stringify({ data: Array(5_001).fill({ name: 'a', slug: 'a' }) })), 'unreadable', 'data'],
  ])('when it answers %s, then that is a value, said for people', async (_, said, code, words) => {
    const server = await open({ [SPECIFIED]: said, [PAID]: said, [FREE]: said });
    const answer = await server.fetchWith();
    expect(answer).toMatchObject({ ok: false, code, reason: expect.stringContaining(words) });
  });

  it('when it echoes the key in headers, in words and as a name, then no error holds it', async () => {
    const bodies = [KEY, `{"${KEY}":1}`, `{"data":[{"name":"${KEY}","slug":{"${KEY}":1}}]}`, `{"data":"${KEY}"}`];
    const statuses = [200, 400, 401, 403, 410, 429, 500];
    for (const status of statuses)
      for (const body of bodies) {
        const said = says(body, status, { 'x-api-key': KEY, 'retry-after': KEY });
        const server = await open({ [SPECIFIED]: said, [PAID]: said, [FREE]: said });
        const answer = await server.fetchWith();
        expect(answer.ok).toBe(false);
        expect(JSON.stringify(answer)).not.toContain(KEY);
      }
  });

  it('when it sends to another host, then the key does not go there', async () => {
    const other = await open({});
    const server = await open({ [SPECIFIED]: says('', 302, { location: `${other.base}/${SPECIFIED}` }) });
    expect(await server.fetchWith()).toMatchObject({ ok: false, code: 'elsewhere' });
    expect(other.asked()).toEqual([]);
  });

  it('when it takes longer than the limit, then it is late', async () => {
    const server = await open({ [SPECIFIED]: () => undefined });
    expect(await server.fetchWith({ limitMs: 20 })).toMatchObject({ ok: false, code: 'late' });
  });

  it('when it is stopped by a person, then that is said, and nothing else', async () => {
    const stop = new AbortController();
    const server = await open({ [SPECIFIED]: () => stop.abort() });
    expect(await server.fetchWith({ signal: stop.signal })).toMatchObject({ ok: false, code: 'stopped' });
  });

  it('when nobody listens, then the connection is to be checked', async () => {
    const server = await open({});
    await server.close();
    expect(await server.fetchWith()).toMatchObject({ ok: false, code: 'offline' });
  });
});

describe('given what is no key', () => {
  it.each(['', 'two words', `line\n${KEY}`, 'k'.repeat(501), 'schlüssel'])(
    'when it is %j, then nothing is asked',
    async (key) => {
      const server = await open({});
      const answer = await server.fetchWith({ key });
      expect(answer).toMatchObject({ ok: false, code: 'key' });
      expect(JSON.stringify(answer)).not.toContain(KEY);
      expect(server.asked()).toEqual([]);
    },
  );
});
