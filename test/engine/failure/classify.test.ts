import { describe, expect, it } from 'vitest';
import { classify, type Evidence, KIND_INFO } from '../../../src/engine';
import { PROVIDER_ERRORS } from '../../fixtures/provider-errors';

describe(`given ${PROVIDER_ERRORS.length} answers of real providers`, () => {
  it.each(PROVIDER_ERRORS.map((error) => [`${error.provider}: ${error.name}`, error] as const))(
    'when it is %s, then kind, lane and hint are as documented',
    (_, error) => {
      const { kind, lane, hintMs } = classify(error.evidence);
      expect({ kind, lane, hintMs }).toEqual({
        kind: error.kind,
        lane: error.needsUser ? 'blocked' : KIND_INFO[error.kind].lane,
        hintMs: error.hintMs,
      });
    },
  );
});

describe('given a status alone', () => {
  const body = (status: number): Evidence => ({ phase: 'body', status });
  it.each([
    [400, 'invalid_request'],
    [401, 'auth'],
    [402, 'quota'],
    [403, 'permission'],
    [404, 'model_not_found'],
    [405, 'invalid_request'],
    [407, 'network_permanent'],
    [408, 'timeout'],
    [410, 'model_not_found'],
    [413, 'invalid_request'],
    [415, 'invalid_request'],
    [418, 'invalid_request'],
    [422, 'invalid_request'],
    [429, 'rate_limit'],
    [500, 'server_error'],
    [501, 'server_error'],
    [502, 'server_error'],
    [503, 'server_error'],
    [504, 'server_error'],
    [529, 'overloaded'],
    [599, 'server_error'],
  ])('when it is %i, then it is %s', (status, kind) => {
    expect(classify(body(status)).kind).toBe(kind);
  });

  it('when it is 500, 502, 503 and 504, then only the gateways are NetworkTransient', () => {
    expect([500, 502, 503, 504].map((status) => classify(body(status)).class)).toEqual([
      'ProviderError',
      'NetworkTransient',
      'NetworkTransient',
      'NetworkTransient',
    ]);
  });

  it('when it is no HTTP status at all, then it is none', () => {
    expect(
      [Number.NaN, -1, 0, 99, 600, 429.5, 1e9, Number.POSITIVE_INFINITY].map((status) => classify(body(status))),
    ).toEqual(Array.from({ length: 8 }, () => classify({ phase: 'body' })));
  });
});

describe('given a status and a body that says more', () => {
  it.each<[string, Evidence, string]>([
    [
      '400 that wraps a rate limit',
      { phase: 'body', status: 400, message: 'upstream: rate limit exceeded' },
      'rate_limit',
    ],
    ['429 with insufficient_quota', { phase: 'body', status: 429, message: 'insufficient_quota' }, 'quota'],
    ['500 that says overloaded', { phase: 'body', status: 500, message: 'Overloaded' }, 'overloaded'],
    ['401 that talks of models', { phase: 'body', status: 401, message: 'model x does not exist' }, 'auth'],
    ['403 of a secondary rate limit', { phase: 'body', status: 403, message: 'secondary rate limit' }, 'rate_limit'],
    ['200 with an error in its stream', { phase: 'stream', status: 200, message: 'rate limit' }, 'rate_limit'],
    ['200 with an unknown error in its stream', { phase: 'stream', status: 200, message: 'hm' }, 'server_error'],
  ])('when it is a %s, then the body outranks it as far as it may', (_, evidence, kind) => {
    expect(classify(evidence).kind).toBe(kind);
  });
});

/** The phrases that published designs of fallbacks look for, in sentences, with what each means. */
const PUBLISHED: readonly (readonly [string, string])[] = [
  ['rate limit', 'rate_limit'],
  ['Usage limit hit, see you later', 'quota'],
  ['Too many requests', 'rate_limit'],
  ['Quota exceeded.', 'quota'],
  ['the quota has been exceeded for this key', 'quota'],
  ['overloaded', 'overloaded'],
  ['We are short of capacity right now', 'overloaded'],
  ['Credits exhausted', 'quota'],
  ['your credits have been exhausted', 'quota'],
  ['Billing limit reached', 'quota'],
  ['Billing hard limit has been reached', 'quota'],
  ['429', 'rate_limit'],
  ['error 429', 'rate_limit'],
  ['HTTP 429 from upstream', 'rate_limit'],
  ['Request failed with status code 429', 'rate_limit'],
  ['API Error: Request rejected (429) · later', 'rate_limit'],
  ['upstream returned 429, giving up', 'rate_limit'],
  ['{"code":429}', 'rate_limit'],
];

describe('given a published phrase and neither a status nor a configuration', () => {
  it.each(PUBLISHED)('when it says %j, then it is %s', (message, kind) => {
    const kinds = (['headers', 'body', 'stream'] as const).map((phase) => classify({ phase, message }).kind);
    expect(kinds).toEqual([kind, kind, kind]);
  });

  it('when credits are exhausted, then no clock heals it', () => {
    expect(classify({ phase: 'stream', message: 'Credits exhausted' }).lane).toBe('blocked');
  });

  it('when a limit of a minute is called a quota, then it is no spent plan', () => {
    const says = [
      "Quota exceeded for quota metric 'Requests' and limit 'Requests per minute'",
      'Quota exceeded for metric: generativelanguage.googleapis.com/input_token_count, limit: 4000000',
      'Quota exceeded: 60 per minute',
    ];
    const kinds = says.map((message) => classify({ phase: 'body', status: 429, message }).kind);
    expect(kinds).toEqual(['rate_limit', 'rate_limit', 'rate_limit']);
  });

  it('when the request is too long, then that is said before any limit', () => {
    const says = ['token limit exceeded', 'Daily token limit exceeded'];
    expect(says.map((message) => classify({ phase: 'body', message }).kind)).toEqual(['context_length', 'quota']);
  });

  it.each([
    [{ code: 'INVALID_INPUT', message: 'temperature' }, 'invalid_request'],
    [{ code: 'INVALID_INPUT', message: 'Token limit exceeded' }, 'context_length'],
    [{ code: 'no_providers', message: 'sorry' }, 'server_error'],
  ])('when a provider says %j, then it is %s', (said, kind) => {
    expect(classify({ phase: 'body', ...said }).kind).toBe(kind);
  });
});

describe('given a login plugin that fails before its request', () => {
  it.each([
    ['Token refresh failed: 401', 'login'],
    ['Token refresh failed: 400 invalid_grant', 'login'],
    ['Failed to refresh access token (401)', 'login'],
    ['invalid_grant', 'login'],
    ['Please log in again', 'login'],
    ['You are not logged in. Run opencode auth login', 'login'],
    ['Your session has expired, please sign in', 'login'],
    ['The refresh token has expired', 'login'],
    ['Re-authenticate to go on', 'login'],
    ['Token refresh failed: 503', 'network_transient'],
    ['Token refresh failed: fetch failed', 'network_transient'],
    ['All accounts rate limited. Try again in 42s', 'rate_limit'],
  ])('when it throws %j, then that is %s', (message, kind) => {
    expect(classify({ phase: 'headers', message }).kind).toBe(kind);
  });
});

describe('given a text with numbers in it and no status', () => {
  it.each([
    'The prompt has 4290 tokens',
    'id 500429401',
    'took 503 ms',
    'took 429 ms',
    'error: 429 files are open',
    'received 429 bytes',
    'broke in main.js:429:12',
    'got 1.429 and 429.1',
    'line 429',
  ])('when it is %j, then no number is read as a status', (message) => {
    expect(classify({ phase: 'body', message }).kind).toBe('unknown');
  });
});

describe('given what a sensor knows by construction', () => {
  it.each(['early_termination', 'empty_response', 'stream_interrupted', 'timeout', 'aborted'] as const)(
    'when it says %s, then status, code and text do not matter',
    (observed) => {
      const evidence: Evidence = { phase: 'stream', observed, status: 429, code: 'invalid_api_key', message: 'quota' };
      expect(classify(evidence).kind).toBe(observed);
    },
  );
});

describe('given codes that are names of every object', () => {
  it.each(['constructor', '__proto__', 'hasOwnProperty', 'toString', 'valueOf'])(
    'when the code is %s, then the status decides',
    (code) => {
      expect(classify({ phase: 'body', status: 429, code }).kind).toBe('rate_limit');
    },
  );
});

describe('given a limit per day of one Google model', () => {
  const told = 'You exceeded your current quota, please check your plan and billing details.';
  const whole = (evidence: Partial<Evidence>) => {
    const { kind, scope, lane, hintMs } = classify({ phase: 'body', status: 429, message: told, ...evidence });
    return { kind, scope, lane, hintMs };
  };
  const SPENT = { kind: 'quota', scope: 'model', lane: 'cooldown', hintMs: null };

  it.each<[string, Partial<Evidence>]>([
    ['by the code of the sensor', { code: 'RESOURCE_EXHAUSTED:PerDay' }],
    ['by the map as well', { code: 'RESOURCE_EXHAUSTED:PerDay', mapped: { kind: 'quota' } }],
    [
      'far behind in a text',
      { message: `${told} ${'.'.repeat(900)} "quotaId":"GenerateRequestsPerDayPerProjectPerModel"` },
    ],
  ])('when it is known %s, then only this model is out, for as long as a spent quota is', (_, evidence) => {
    expect([whole(evidence), whole({ ...evidence, hintMs: 36_000 })]).toEqual([SPENT, SPENT]);
  });

  it('when it asks to wait 60 s, then that is no reset; 61 s is one', () => {
    const code = 'RESOURCE_EXHAUSTED:PerDay';
    const hints = ['60', '61', '31447'].map((seconds) => whole({ code, headers: { 'retry-after': seconds } }).hintMs);
    expect(hints).toEqual([null, 61_000, 31_447_000]);
  });

  it('when it is one per minute, then it stays a rate limit with its delay', () => {
    expect(whole({ code: 'RESOURCE_EXHAUSTED', message: `${told} Please retry in 36s.` })).toEqual({
      kind: 'rate_limit',
      scope: 'model',
      lane: 'cooldown',
      hintMs: 36_000,
    });
  });

  it('when the request itself is refused and repeats such a word, then it is still that', () => {
    expect(whole({ status: 400, message: 'Unknown name "costPerDay"' }).kind).toBe('invalid_request');
  });
});

describe('given a code that no list names', () => {
  it.each([
    ['project_spend_limit_exceeded', 'quota'],
    ['user_weekly_rate_limited', 'rate_limit'],
    ['provider-overloaded', 'overloaded'],
    ['AuthenticationError', 'auth'],
    ['CERT_NOT_YET_VALID', 'network_permanent'],
    ['E_NO_IDEA', 'unknown'],
  ])('when its words are those of %s, then they are read like a phrase: %s', (code, kind) => {
    expect(classify({ phase: 'body', code }).kind).toBe(kind);
  });

  it('when permission is denied for want of credit, then it is that: quota, and a person has to act', () => {
    const evidence: Evidence = { phase: 'body', status: 403, code: 'permission_denied', message: 'Out of credits.' };
    const { kind, lane } = classify(evidence);
    expect({ kind, lane }).toEqual({ kind: 'quota', lane: 'blocked' });
  });
});

describe('given nothing but where it failed', () => {
  it('when it failed before headers, in the body and in the stream, then 3 kinds say so', () => {
    const kinds = (['headers', 'body', 'stream'] as const).map((phase) => classify({ phase }).kind);
    expect(kinds).toEqual(['network_transient', 'unknown', 'server_error']);
  });
});

describe('given a whole failure', () => {
  it('when it is classified, then every field says what was seen', () => {
    expect(
      classify({
        phase: 'stream',
        status: 429,
        code: 'rate_limit_exceeded',
        message: 'Rate limit for jane@example.com, try again in 2s',
        outputChars: 41,
      }),
    ).toEqual({
      kind: 'rate_limit',
      class: 'ProviderRateLimit',
      scope: 'model',
      lane: 'cooldown',
      status: 429,
      message: 'Rate limit for [e-mail], try again in 2s',
      hintMs: 2_000,
      outputChars: 41,
    });
  });
});

describe('given messages of 5 MB', () => {
  const size = 5_000_000;
  it.each([
    ['one word', 'a'],
    ['words', 'model '],
    ['white space', ' '],
    ['hyphens', 'a-1-'],
    ['e-mail signs', 'a@b.'],
    ['durations', 'try again in 1 '],
    ['numbers', '1 '],
    ['half phrases', 'model does '],
  ])('when it is %s, then what follows its beginning is not read and 500 characters are kept', (_, unit) => {
    const message = unit.repeat(Math.ceil(size / unit.length));
    const failure = classify({ phase: 'body', message: `${message} insufficient_quota` });
    expect([failure, failure.message.length <= 500]).toEqual([classify({ phase: 'body', message }), true]);
  });
});
