import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { windowsIn } from '../../../src/core/headroom/read-windows';
import type { SeenWindow } from '../../../src/engine/base/window';
import { shortestMs } from '../../support/best-of';

type Fixture = Readonly<{
  name: string;
  source: string;
  recordedFrom: string;
  provider: string;
  seenAt: string;
  headers: Readonly<Record<string, string>>;
  windows: readonly SeenWindow[];
  unknown: readonly string[];
}>;

const FOLDER = join(import.meta.dirname, '..', '..', 'fixtures', 'limits');
const FIXTURES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => {
    const { dialect, fixtures } = JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));
    return (fixtures as Fixture[]).map((fixture) => ({ dialect: dialect as string, ...fixture }));
  });

const SEEN_AT = Date.parse('2026-10-01T12:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const inSeconds = (ms: number): string => String((SEEN_AT + ms) / 1_000);

type Headers = Readonly<Record<string, string>>;
const read = (headers: Headers, provider = 'openai') =>
  windowsIn(Object.entries(headers), { provider, seenAt: SEEN_AT });
const plan = (headers: Headers) =>
  windowsIn(
    Object.entries(headers).map(([name, value]) => [`anthropic-ratelimit-unified-${name}`, value] as const),
    { provider: 'anthropic', seenAt: SEEN_AT },
  ).windows;
const codex = (headers: Headers) =>
  read(Object.fromEntries(Object.entries(headers).map(([name, value]) => [`x-codex-${name}`, value]))).windows;
const tokens = (limit: string, remaining: string, reset?: string): readonly SeenWindow[] =>
  read({
    'x-ratelimit-limit-tokens': limit,
    'x-ratelimit-remaining-tokens': remaining,
    ...(reset === undefined ? {} : { 'x-ratelimit-reset-tokens': reset }),
  }).windows;

describe('given the headers of providers', () => {
  it.each(FIXTURES)('when $dialect tells of $name, then its windows are read', (fixture) => {
    const { headers, provider, seenAt, windows, unknown, source, recordedFrom } = fixture;
    expect([source, recordedFrom]).toEqual([expect.stringMatching(/^https:\/\//), expect.stringMatching(/\w/)]);
    expect(windowsIn(Object.entries(headers), { provider, seenAt: Date.parse(seenAt) })).toEqual({ windows, unknown });
  });

  it('when names are in capitals, and the headers are those of fetch, then they are read the same', () => {
    const headers = new Headers({ 'X-RateLimit-Limit-Tokens': '10', 'X-RateLimit-Remaining-Tokens': '9' });
    expect(windowsIn(headers, { provider: 'openai', seenAt: SEEN_AT }).windows).toHaveLength(1);
    const raw = [...headers].map(([name, value]) => [name.toUpperCase(), value] as const);
    expect(windowsIn(raw, { provider: 'openai', seenAt: SEEN_AT }).windows).toHaveLength(1);
  });

  it('when a gateway sends what two dialects call the same, then the fuller one is told', () => {
    const headers = {
      ...{ 'x-ratelimit-limit-tokens': '100', 'x-ratelimit-remaining-tokens': '90' },
      ...{ 'anthropic-ratelimit-tokens-limit': '100', 'anthropic-ratelimit-tokens-remaining': '20' },
    };
    expect(read(headers).windows.map(({ id, used }) => [id, used])).toEqual([['tokens', 0.8]]);
  });
});

describe('given a plan of Anthropic', () => {
  it('when it has windows that nobody has heard of, then their names tell their length and family', () => {
    const windows = plan({
      ...{ '12h-utilization': '0.1', '12h-reset': inSeconds(HOUR) },
      ...{ '30d_haiku-utilization': '0.2', '30d_haiku-reset': inSeconds(DAY) },
      ...{ 'season-utilization': '0.3', 'season-reset': inSeconds(DAY) },
      ...{ 'grace-5h-utilization': '0.4', 'grace-5h-reset': inSeconds(DAY) },
    });
    expect(windows.map(({ id, lengthMs, of }) => [id, lengthMs, of])).toEqual([
      ['unified-12h', 12 * HOUR, 'account'],
      ['unified-30d_haiku', 30 * DAY, { family: 'haiku' }],
      ['unified-season', null, 'account'],
    ]);
  });

  it.each([
    ['five_hour', 'unified-5h'],
    ['seven_day', 'unified-7d'],
    ['seven_day_opus', 'unified-7d_opus'],
    ['seven_day_overage_included', 'unified-7d_oi'],
    ['overage', undefined],
    ['fortnight', undefined],
  ])('when %s is its claim, then %s rules', (claim, id) => {
    const used = (window: string) => ({ [`${window}-utilization`]: '0.5', [`${window}-reset`]: inSeconds(HOUR) });
    const windows = plan({
      ...{ ...used('5h'), ...used('7d'), ...used('7d_opus'), ...used('7d_oi'), ...used('overage') },
      'representative-claim': claim,
    });
    expect(windows).toHaveLength(5);
    expect(windows.filter(({ isRuling }) => isRuling).map((window) => window.id)).toEqual(id === undefined ? [] : [id]);
  });

  it('when a window is refused whose share is not told, then it is spent until its reset', () => {
    const windows = plan({
      '7d_opus-status': 'rejected',
      '7d_opus-reset': inSeconds(DAY),
      '7d_sonnet-status': 'allowed',
    });
    expect(windows).toMatchObject([{ id: 'unified-7d_opus', used: 1, resetInMs: DAY, isRefusing: true }]);
  });

  it('when only the whole is refused, then the window of its claim is, until the reset of the whole', () => {
    const windows = plan({ status: 'rejected', reset: inSeconds(HOUR), 'representative-claim': 'five_hour' });
    expect(windows).toMatchObject([{ id: 'unified-5h', used: 1, resetInMs: HOUR, isRuling: true, isRefusing: true }]);
    expect(plan({ status: 'rejected', reset: inSeconds(HOUR) })).toEqual([]);
  });

  it.each([
    ['allowed', 'true', { isOverdrawable: true }],
    ['allowed_warning', undefined, { isOverdrawable: true }],
    ['allowed', 'false', { isRefusing: true }],
    ['rejected', 'true', { isRefusing: true }],
    [undefined, undefined, { isRefusing: true }],
  ])('when it is spent, and going on is %s and in use %s, then it says so', (status, inUse, flags) => {
    const [window] = plan({
      ...{ '5h-utilization': '1.0', '5h-status': 'rejected', '5h-reset': inSeconds(HOUR) },
      ...(status === undefined ? {} : { 'overage-status': status }),
      ...(inUse === undefined ? {} : { 'overage-in-use': inUse }),
    });
    const { isRefusing, isOverdrawable } = window ?? {};
    expect({ isRefusing, isOverdrawable }).toEqual({ isRefusing: undefined, isOverdrawable: undefined, ...flags });
  });

  it("when what it goes on with is spent, then that is told and in nobody's way", () => {
    const windows = plan({
      ...{ '5h-utilization': '0.2', '5h-reset': inSeconds(HOUR) },
      ...{ 'overage-utilization': '1.0', 'overage-status': 'rejected', 'overage-reset': inSeconds(DAY) },
      'representative-claim': 'overage',
    });
    expect(
      windows.map(({ id, unit, isRefusing, isRuling, isShownOnly }) => [id, unit, isRefusing, isRuling, isShownOnly]),
    ).toEqual([
      ['unified-5h', 'share', undefined, undefined, undefined],
      ['unified-overage', 'credits', undefined, undefined, true],
    ]);
  });

  it('when a reset is 0, then nobody knows it', () => {
    expect(plan({ '7d_opus-utilization': '0.0', '7d_opus-status': 'allowed', '7d_opus-reset': '0' })).toMatchObject([
      { used: 0, resetInMs: null },
    ]);
  });
});

describe('given a plan of ChatGPT', () => {
  const primary = (percent: string) => ({
    ...{ 'primary-used-percent': percent, 'primary-window-minutes': '300', 'primary-reset-after-seconds': '60' },
  });

  it('when it has credits, then it goes on for money', () => {
    expect(codex({ ...primary('100'), 'credits-has-credits': 'True', 'credits-unlimited': 'False' })).toMatchObject([
      { id: 'codex-primary', used: 1, isOverdrawable: true },
    ]);
    expect(codex({ ...primary('100'), 'credits-has-credits': 'False' })[0]).not.toHaveProperty('isOverdrawable');
  });

  it('when it writes zeros for a window that it does not have, then there is none', () => {
    const nothing = { 'secondary-used-percent': '0', 'secondary-window-minutes': '0' };
    expect(codex({ ...primary('0'), ...nothing }).map(({ id }) => id)).toEqual(['codex-primary']);
  });

  it('when the clocks differ, then the time from the response on counts', () => {
    const window = { ...primary('10'), 'primary-reset-at': inSeconds(-HOUR) };
    expect(codex(window)).toMatchObject([{ resetInMs: 60_000 }]);
  });

  it('when the limit of this request has windows of its own, then those without a name only repeat them', () => {
    const headers = { ...primary('100'), 'luna-primary-used-percent': '100', 'luna-primary-window-minutes': '300' };
    expect(codex({ ...headers, 'active-limit': 'codex_luna' }).map(({ id, of }) => [id, of])).toEqual([
      ['codex-luna-primary', 'model'],
    ]);
    expect(codex({ ...headers, 'active-limit': 'premium' }).map(({ id, of }) => [id, of])).toEqual([
      ['codex-primary', 'account'],
    ]);
  });
});

describe('given Copilot', () => {
  const premium = (value: string) => read({ 'x-quota-snapshot-premium_interactions': value }, 'github-copilot').windows;

  it('when more than all is used, then it is overdrawn by that', () => {
    expect(premium('ent=300&ov=30&ovPerm=true&rem=0.0&rst=2026-11-01T00%3A00%3A00Z')).toMatchObject([
      { used: 1.1, limit: 300, remaining: 0, lengthMs: 31 * DAY, isOverdrawable: true },
    ]);
  });

  it.each(['ent=-1&rem=100.0', 'ent=0&rem=0.0', 'ent=oops&rem=nope', 'ent=300', '', '&&=&'])(
    'when it says %j, then there is no limit to tell of',
    (value) => {
      expect(premium(value)).toEqual([]);
    },
  );
});

describe('given figures that are none', () => {
  it.each([
    ['-1', '-1'],
    ['-1', '50'],
    ['100', '-1'],
    ['0', '0'],
    ['0', '50'],
    ['NaN', '50'],
    ['Infinity', '50'],
    ['1e30', '50'],
    [`1${'0'.repeat(30)}`, '50'],
    ['', '50'],
    ['100', ''],
    ['100', 'many'],
    ['0x10', '1'],
    ['100, 200', '50'],
    ['100', '50, x'],
  ])('when the limit is %j and %j remain, then no window is told of', (limit, remaining) => {
    expect(tokens(limit, remaining)).toEqual([]);
  });

  it.each([
    ['100', '250', { used: 0, limit: 100, remaining: 100 }],
    ['100', '0', { used: 1, limit: 100, remaining: 0 }],
    ['100, 100', '50, 20', { used: 0.8, limit: 100, remaining: 20 }],
    [' 100 ', '99.5', { used: 0.005, limit: 100, remaining: 99.5 }],
  ])('when the limit is %j and %j remain, then the careful reading counts', (limit, remaining, level) => {
    expect(tokens(limit, remaining)).toMatchObject([level]);
  });

  it.each([
    ['0.5, 0.9', 0.9],
    ['1.2', 1.2],
    ['99', 10],
    ['1e-5', 0.00001],
  ])('when %j is used, then that is %d', (utilization, used) => {
    expect(plan({ '5h-utilization': utilization, '5h-reset': inSeconds(HOUR) })).toMatchObject([{ used }]);
  });

  it.each(['-0.5', 'NaN', 'Infinity', '1e30', '', 'half'])(
    'when %j is used, then no window is told of',
    (utilization) => {
      expect(plan({ '5h-utilization': utilization, '5h-reset': inSeconds(HOUR), '5h-status': 'allowed' })).toEqual([]);
    },
  );
});

describe('given resets in all their forms', () => {
  it.each([
    ['12ms', 12],
    ['1s', 1_000],
    ['6m0s', 360_000],
    ['1h2m3.5s', 3_723_500],
    ['7.66s', 7_660],
    ['500µs', 1],
    ['11.382867097854614', 11_383],
    ['30', 30_000],
    ['30, 45', 45_000],
    ['0', null],
    ['0s', null],
    ['-5', null],
    ['-5s', null],
    ['5 minutes', null],
    ['1h2', null],
    ['99999h', null],
    ['34560001', null],
    ['NaN', null],
    ['1e30', null],
    ['', null],
  ])('when %j is written, then it is in %s ms', (reset, resetInMs) => {
    expect(tokens('100', '50', reset)).toMatchObject([{ used: 0.5, resetInMs }]);
  });

  it('when a full window is as good as new at once, then that is so', () => {
    expect(tokens('100', '100', '0s')).toMatchObject([{ used: 0, resetInMs: 0 }]);
  });

  it.each([
    [HOUR, HOUR],
    [0, 0],
    [-2_000, 0],
  ])('when the point is %d ms from the response, then it is in %d ms', (ms, resetInMs) => {
    expect(plan({ '7d-utilization': '0.5', '7d-reset': inSeconds(ms) })).toMatchObject([{ resetInMs }]);
    const date = new Date(SEEN_AT + ms).toISOString();
    expect(plan({ '7d-utilization': '0.5', '7d-reset': date })).toMatchObject([{ resetInMs }]);
  });

  it.each([
    [-2_001, 'has passed'],
    [-DAY, 'has long passed'],
  ])('when the point is %d ms from the response, then it %s, and nothing is known of the window', (ms) => {
    expect(plan({ '7d-utilization': '0.5', '7d-reset': inSeconds(ms) })).toEqual([]);
  });

  it('when the point is more than 400 days ahead, then it is not believed', () => {
    expect(plan({ '7d-utilization': '0.5', '7d-reset': inSeconds(401 * DAY) })).toMatchObject([{ resetInMs: null }]);
  });

  it('when it is further ahead than the window is long, then nobody knows how long that is', () => {
    expect(tokens('200', '199', '59s')).toMatchObject([{ lengthMs: 60_000 }]);
    expect(tokens('200', '199', '7m12s')).toMatchObject([{ lengthMs: null, resetInMs: 432_000 }]);
  });
});

describe('given the fields of the IETF', () => {
  const fields = (headers: Headers) => read(headers, 'acme').windows;

  it.each([
    ['"day;x";r=1;t=5', '"day;x";q=10;w=60', []],
    ['"Per Day";r=1;t=5', '"Per Day";q=10;w=60', ['ratelimit-60s']],
    ['quota;r=1;t=5', 'quota;q=10;w=60', ['ratelimit-60s']],
    ['"a";r=1, "b";r=2', '"a";q=10, "b";q=10', ['ratelimit']],
    ['"a";r=1', '"b";q=10', []],
    ['"a;r=1', '"a";q=10', []],
    ['"a";r=-1', '"a";q=10', []],
    ['"a";r=1', '"a";q=10, "a";q=20', []],
    ['"a";r=1', '"a";q=10;qu="concurrent-requests"', []],
    ['"a";r=1', '"a";q=10;qu="constructor"', []],
    ['"constructor";r=1', '"constructor";q=10', ['ratelimit']],
    ['"0123456789abcdef0123456789";r=1', '"0123456789abcdef0123456789";q=10', []],
  ])('when it says %s of %s, then its windows are %j', (ratelimit, policy, ids) => {
    expect(fields({ ratelimit, 'ratelimit-policy': policy }).map(({ id }) => id)).toEqual(ids);
  });

  it.each([
    ['100, 100;w=60', 60_000],
    ['15, 100;w=60', 60_000],
    ['100', null],
    ['100, 10;w=1, 50;w=60', null],
  ])('when the limit is %s, then the window is %s ms long', (limit, lengthMs) => {
    const headers = { 'ratelimit-limit': limit, 'ratelimit-remaining': '1', 'ratelimit-reset': '5' };
    expect(fields(headers)).toMatchObject([{ id: 'ratelimit', lengthMs }]);
  });
});

describe('given headers that sound like a limit and that nobody reads', () => {
  it('when there are some, then their names are told in lower case, and never what they say', () => {
    const headers = {
      ...{
        'X-Acme-Quota-Left': 'secret',
        'x-rate-limit-window': '1',
        'x-usage-total': '3',
        'llm_provider-x-ratelimit-x': '4',
      },
      ...{ 'content-type': 'text/html', 'retry-after': '5', 'anthropic-ratelimit-unified-fallback-percentage': '0.5' },
    };
    expect(read(headers)).toEqual({
      windows: [],
      unknown: ['x-acme-quota-left', 'x-rate-limit-window', 'x-usage-total', 'llm_provider-x-ratelimit-x'],
    });
  });

  it('when there are very many, or long ones, then 20 of them are told, by 80 characters', () => {
    const names = Array.from({ length: 300 }, (_, index) => `x-quota-${'ab-'.repeat(40)}${index}`);
    const { unknown } = windowsIn(
      names.map((name) => [name, '1'] as const),
      { provider: 'openai', seenAt: SEEN_AT },
    );
    expect([unknown.length, unknown[0]?.length]).toEqual([20, 80]);
  });

  it.each([
    'x-quota-0123456789abcdef01234567',
    'x-usage-QWxhZGRpbjpvcGVuIHNlc2FtZQ',
    'x-ratelimit-limit-requests-3f2504e0-4f89-11d3-9a0c-0305e82c3301',
    'anthropic-ratelimit-unified-0123456789abcdef01234567-utilization',
    'x-quota-\u202etxt',
  ])('when %s may hold a secret, then it is left out', (name) => {
    expect(read({ [name]: '0.5' })).toEqual({ windows: [], unknown: [] });
  });
});

describe('given values that were made to take long', () => {
  it.each([
    '1'.repeat(2_000),
    '1h'.repeat(1_000),
    ','.repeat(2_000),
    '"'.repeat(2_000),
    '"a";'.repeat(500),
    'a=b;'.repeat(500),
    '%'.repeat(2_000),
    'x'.repeat(1_000_000),
  ])('when one of %# is read, then that takes no time', (value) => {
    const headers = [
      ...['x-ratelimit-reset-tokens', 'ratelimit', 'ratelimit-policy', 'ratelimit-limit', 'x-quota-snapshot-chat'],
      ...['anthropic-ratelimit-unified-5h-reset', 'x-codex-active-limit', 'x-codex-a-limit-name'],
    ].map((name) => [name, value] as const);
    const took = shortestMs(() => windowsIn(headers, { provider: 'openai', seenAt: SEEN_AT }));
    expect(took).toBeLessThan(50);
  });
});
