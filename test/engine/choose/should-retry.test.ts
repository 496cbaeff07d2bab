import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../../src/engine';
import { PRESETS } from '../../../src/engine/policy/presets';
import { createEngine, SERVER_ERROR, scope } from '../harness';

const said = (evidence: Evidence, word?: string): Evidence =>
  word === undefined ? evidence : { ...evidence, headers: { ...evidence.headers, 'x-should-retry': word } };
const decided = (evidence: Evidence): string => {
  const engine = createEngine(scope({ policy: PRESETS.steady }));
  engine.prompt('t');
  return engine.fail('t', 'a/1', evidence).code;
};

const LIMIT: Evidence = { phase: 'body', status: 429, message: 'slow down', headers: { 'retry-after': '2' } };
const GATEWAY: Evidence = { phase: 'body', status: 503, message: 'no' };
const REFUSAL: Evidence = { phase: 'body', status: 400, message: 'something' };
const CONTEXT: Evidence = { phase: 'body', status: 400, code: 'context_length_exceeded', message: 'too long' };

describe('given a provider that says whether to try again', () => {
  it.each<[string, Evidence, string | undefined, string]>([
    ['a short limit', LIMIT, undefined, 'hold.rate_limit'],
    ['a short limit', LIMIT, 'maybe', 'hold.rate_limit'],
    ['a short limit', LIMIT, 'true', 'hold.rate_limit'],
    ['a refusal without a reason', REFUSAL, 'constructor', 'pass.invalid_request'],
    ['a short limit', LIMIT, 'false', 'switch.rate_limit'],
    ['a gateway error', GATEWAY, undefined, 'hold.server_error'],
    ['a gateway error', GATEWAY, 'false', 'switch.server_error'],
    ['an error of a server', SERVER_ERROR, undefined, 'switch.server_error'],
    ['an error of a server', SERVER_ERROR, 'true', 'hold.server_error'],
    ['a refusal without a reason', REFUSAL, undefined, 'pass.invalid_request'],
    ['a refusal without a reason', REFUSAL, 'false', 'pass.invalid_request'],
    ['a refusal without a reason', REFUSAL, 'true', 'hold.server_error'],
  ])('when it answers %s %j with x-should-retry %j, then the decision is %s', (_, evidence, word, code) => {
    expect(decided(said(evidence, word))).toBe(code);
  });

  it('when it names a reason that no other try changes, then its word changes nothing', () => {
    expect(decided(said(CONTEXT, 'true'))).toBe(decided(CONTEXT));
  });

  it('when it says false after a first try, then no second one follows', () => {
    const engine = createEngine(scope({ policy: PRESETS.steady }));
    engine.prompt('t');
    engine.fail('t', 'a/1', said(GATEWAY));
    expect(engine.fail('t', 'a/1', said(GATEWAY, 'false')).code).toBe('switch.server_error');
  });
});
