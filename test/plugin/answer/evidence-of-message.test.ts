import { describe, expect, it } from 'vitest';
import { classify } from '../../../src/engine';
import { evidenceOfMessage } from '../../../src/plugin/answer/evidence';

describe('given an error for which no request may have been sent', () => {
  it.each([
    ['claude process exited with code 1', 'server_error'],
    ['Cannot connect to API: ECONNREFUSED', 'network_transient'],
    ['Claude usage limit reached', 'quota'],
    ['Please log in again', 'login'],
    ['Unknown model ID: m1', 'model_not_found'],
  ])('when it is "%s", then it is %s', (message, kind) => {
    expect(classify(evidenceOfMessage(message)).kind).toBe(kind);
  });
});
