import { describe, expect, it } from 'vitest';
import { evidenceOf, failureOf } from '../../../src/engine/fallback/create-fallback';
import { HOUR, SECOND } from '../world';

const errorWith = (message: string, fields: object): Error => Object.assign(new Error(message), fields);

describe('given errors as clients of providers throw them', () => {
  it.each([
    ['status on the error', errorWith('Too Many Requests', { status: 429 }), 'rate_limit'],
    ['statusCode', errorWith('Overloaded', { statusCode: 529 }), 'overloaded'],
    ['a code that outranks its status', errorWith('Quota', { status: 429, code: 'insufficient_quota' }), 'quota'],
    [
      'a body two deep',
      errorWith('529', { error: { type: 'error', error: { type: 'overloaded_error' } } }),
      'overloaded',
    ],
    ['a response with data', errorWith('failed', { response: { status: 401, data: { error: {} } } }), 'auth'],
    [
      'a code that is a status, and a status that is a code',
      { error: { code: 503, status: 'UNAVAILABLE' } },
      'server_error',
    ],
    ['the metadata of a response', errorWith('slow down', { $metadata: { httpStatusCode: 429 } }), 'rate_limit'],
    [
      'a body kept as text',
      errorWith('Bad Request', { responseBody: '{"message":"prompt is too long"}' }),
      'context_length',
    ],
    ['the name of its class', Object.assign(new Error('no'), { name: 'AuthError' }), 'auth'],
    ['a time limit of the platform', new DOMException('signal timed out', 'TimeoutError'), 'timeout'],
    ['a stop that nobody asked for', new DOMException('This operation was aborted', 'AbortError'), 'aborted'],
    ['a text', 'rate limit exceeded', 'rate_limit'],
    ['nothing', undefined, 'unknown'],
    ['null', null, 'unknown'],
    ['a number, which is no status', 429, 'unknown'],
    ['a bug', new TypeError('x is not a function'), 'unknown'],
    ['digits inside a text', new Error('used 4290 tokens'), 'unknown'],
  ])('when it is %s, then its kind is read', (_, error, kind) => {
    expect(failureOf(error).kind).toBe(kind);
  });
});

describe('given an error with causes', () => {
  const nested = (depth: number): Error => {
    let error: Error = errorWith('connect ECONNREFUSED 127.0.0.1:443', { code: 'ECONNREFUSED' });
    for (let at = 0; at < depth; at++) error = new Error(`wrapper ${at}`, { cause: error });
    return error;
  };

  it.each([
    [0, 'network_transient'],
    [3, 'network_transient'],
    [4, 'unknown'],
  ])('when the reason is %i deep, then it is %s', (depth, kind) => {
    expect(failureOf(nested(depth)).kind).toBe(kind);
  });

  it('when the wrapper has a code of its own, then the provider is heard all the same', () => {
    const cause = errorWith('no', { code: 'insufficient_quota' });
    expect(failureOf(Object.assign(new Error('failed', { cause }), { code: 'ORACLE_FAILED' })).kind).toBe('quota');
  });

  it('when the causes run in a circle, then reading ends', () => {
    const error = errorWith('outer', { status: 500 });
    const inner = new Error('inner', { cause: error });
    error.cause = inner;
    expect(evidenceOf(error)).toEqual({ phase: 'body', status: 500, message: 'outer: inner' });
  });

  it('when each getter throws, then it says nothing and nothing is thrown', () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('not for you');
        },
        ownKeys: () => {
          throw new Error('not for you');
        },
      },
    );
    expect(evidenceOf(hostile)).toEqual({ phase: 'body' });
    expect(evidenceOf({ status: 429, headers: hostile })).toEqual({ phase: 'body', status: 429 });
  });
});

describe('given headers', () => {
  it.each([
    ['Headers', new Headers({ 'Retry-After': '7', 'x-request-id': '1' })],
    ['a record in any case', { 'Retry-After': '7', Authorization: 'Bearer secret' }],
    ['a number', { 'retry-after': 7 }],
    ['a list', { 'retry-after': ['7'] }],
  ])('when they are %s, then only hints are kept: 7 s', (_, headers) => {
    const evidence = evidenceOf({ status: 429, headers });
    expect(evidence.headers).toEqual({ 'retry-after': '7' });
    expect(failureOf({ status: 429, headers }).hintMs).toBe(7 * SECOND);
  });

  it('when a limit names a point in time, then the wall clock of the host says how far away it is: 1 h', () => {
    const now = Date.UTC(2026, 2, 17, 13, 0, 0);
    const error = { status: 429, response: { headers: { 'retry-after': 'Tue, 17 Mar 2026 14:00:00 GMT' } } };
    expect([evidenceOf(error, now).seenAt, failureOf(error).hintMs]).toEqual([now, null]);
    expect(failureOf(error, now).hintMs).toBe(HOUR);
  });
});
