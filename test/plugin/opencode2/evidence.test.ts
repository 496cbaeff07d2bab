import { describe, expect, it } from 'vitest';
import { classify } from '../../../src/engine';
import { evidenceOfError } from '../../../src/plugin/opencode2/session/evidence';

describe('given a failure of which only OpenCode’s word is known', () => {
  it.each([
    ['provider.rate-limit', 'no', undefined, 'rate_limit'],
    ['provider.quota', 'no', undefined, 'quota'],
    ['provider.auth', 'no', 401, 'auth'],
    ['provider.internal', 'no', undefined, 'server_error'],
    ['provider.transport', 'socket closed', undefined, 'network_transient'],
    ['provider.invalid-output', 'a frame is no JSON', undefined, 'early_termination'],
    ['provider.no-route', 'no', undefined, 'model_not_found'],
    ['provider.invalid-request', 'no', 400, 'invalid_request'],
    ['provider.invalid-request', 'maximum context length is 8192 tokens', 400, 'context_length'],
    ['provider.content-filter', 'rate limit of bad words', 429, 'content_policy'],
    ['provider.unknown', 'the server is overloaded', undefined, 'overloaded'],
    ['provider.unknown', 'something', undefined, 'server_error'],
    ['provider.unknown', 'no answer within 3000 ms', undefined, 'timeout'],
    ['provider.unknown', 'the answer was empty', undefined, 'empty_response'],
    ['provider.unknown', 'OpenCode cannot start this model: made up', undefined, 'model_not_found'],
    ['unknown', 'something', undefined, 'server_error'],
    ['unknown', 'Token refresh failed: 401', undefined, 'login'],
    ['other', 'something', undefined, 'unknown'],
    ['aborted', 'Step interrupted', undefined, 'aborted'],
  ])('when it is %s: %s (%s), then it is %s', (type, message, status, kind) => {
    const error = { type, message, ...(status === undefined ? {} : { status }) };
    expect(classify(evidenceOfError(error)).kind).toBe(kind);
  });
});
