import { describe, expect, it } from 'vitest';
import { builtInProviderMaps } from '../../src/core/built-in-providers';
import { createKindReader } from '../../src/core/kind-reader';
import { mergeMaps, parseProviderMap } from '../../src/core/providers';
import { classify, type Evidence } from '../../src/engine';
import { evidenceOfFixture, readProviderFixtures } from '../support/provider-fixtures';

const builtIn = createKindReader(builtInProviderMaps, []);

function classified(provider: string, evidence: Evidence, read = builtIn) {
  return classify({ ...evidence, ...read(provider, evidence) });
}

describe('given the example failures of every provider', () => {
  for (const fixture of readProviderFixtures()) {
    it(`when ${fixture.provider} says “${fixture.name}”, then it is ${fixture.kind}`, () => {
      const failure = classified(fixture.provider, evidenceOfFixture(fixture));
      expect([failure.kind, failure.lane === 'blocked' || fixture.needsUser !== true]).toEqual([fixture.kind, true]);
    });
  }
});

describe('given words that only the maps know', () => {
  it.each<[Partial<Evidence>, string]>([
    [{ message: '额度已用尽' }, 'quota'],
    [{ message: '余额不足' }, 'quota'],
    [{ message: 'The request was considered high risk.' }, 'content_policy'],
    [{ message: 'Not found the model kimi-9' }, 'model_not_found'],
    [{ message: 'tools are only supported by certain models' }, 'unsupported_input'],
    [{ code: 'UnrecognizedClientException' }, 'auth'],
    [{ code: 'ModelNotReadyException' }, 'overloaded'],
  ])('when a provider without a map of its own says %j, then it is %s', (said, kind) => {
    const evidence: Evidence = { phase: 'body', status: 400, ...said };
    expect([classify(evidence).kind, classified('nobody-knows-me', evidence).kind]).toEqual(['invalid_request', kind]);
  });
});

describe('given a phrase of the user’s own', () => {
  const read = createKindReader(builtInProviderMaps, [{ phrase: '额度已用尽', kind: 'quota' }]);

  it('when any provider says it, then it means what the user wrote, whatever the status', () => {
    const evidence: Evidence = { phase: 'body', status: 400, message: 'Fehler: 额度已用尽!' };
    expect(['openai', 'nobody-knows-me'].map((provider) => classified(provider, evidence, read).kind)).toEqual([
      'quota',
      'quota',
    ]);
  });

  it('when it is not said, then nothing changes', () => {
    const evidence: Evidence = { phase: 'body', status: 400, message: 'temperature must be at most 2' };
    expect(classified('nobody-knows-me', evidence, read).kind).toBe('invalid_request');
  });
});

describe('given a map that says what to do', () => {
  const map = parseProviderMap(
    '{ "version": 1, "provider": "mine", "codes": { "warming_up": { "kind": "overloaded", "steps": ["wait:9000", "switch"] } } }',
    'mine.json',
  ).map;
  const read = createKindReader(() => mergeMaps([], map ? [map] : []), []);

  it('when its code comes, then its row goes along in place of the policy’s', () => {
    const evidence: Evidence = { phase: 'body', status: 503, code: 'warming_up' };
    expect([classified('mine', evidence, read).steps, read('mine', { status: 503 })]).toEqual([
      [{ step: 'wait', ms: 9_000 }, { step: 'switch' }],
      null,
    ]);
  });
});

describe('given what a sensor observed by construction', () => {
  it('when a map would say otherwise, then the observation stands', () => {
    const evidence: Evidence = {
      phase: 'stream',
      observed: 'stream_interrupted',
      message: 'rate limit',
      mapped: { kind: 'rate_limit' },
    };
    expect(classify(evidence).kind).toBe('stream_interrupted');
  });
});
