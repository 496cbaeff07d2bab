import { describe, expect, it } from 'vitest';
import { createKindReader } from '../../../src/core/base/kind-reader';
import { builtInProviderMaps } from '../../../src/core/providers/built-in-providers';
import { mergeMaps, parseProviderMap } from '../../../src/core/providers/providers';
import { classify, type Evidence } from '../../../src/engine';

const builtIn = createKindReader(builtInProviderMaps, []);

function classified(provider: string, evidence: Evidence, read = builtIn) {
  return classify({ ...evidence, ...read(provider, evidence) });
}

describe('given words of the map that answers for every provider', () => {
  it.each<[Partial<Evidence>, string]>([
    [{ message: '额度已用尽' }, 'quota'],
    [{ message: '余额不足' }, 'quota'],
    [{ message: 'The request was considered high risk.' }, 'content_policy'],
    [{ message: 'Not found the model kimi-9' }, 'model_not_found'],
    [{ message: 'tools are only supported by certain models' }, 'unsupported_input'],
    [{ code: 'UnrecognizedClientException' }, 'auth'],
    [{ code: 'ModelNotReadyException' }, 'overloaded'],
  ])('when a provider without a map of its own says %j, then it is %s, with the map and without', (said, kind) => {
    const evidence: Evidence = { phase: 'body', status: 400, ...said };
    expect([classify(evidence).kind, classified('nobody-knows-me', evidence).kind]).toEqual([kind, kind]);
  });

  it('when words are of one provider’s own map, then they mean that of this provider alone', () => {
    const evidence: Evidence = { phase: 'body', status: 400, message: '套餐已到期' };
    const kinds = ['zai', 'nobody-knows-me'].map((provider) => classified(provider, evidence).kind);
    expect(kinds).toEqual(['quota', 'invalid_request']);
  });
});

describe('given a router that has nobody to ask', () => {
  it.each([
    ['a code and no status', { code: 'no_providers' }],
    ['a 503 with the word alone', { status: 503, message: 'no_providers' }],
    ['a sentence around it', { status: 502, message: 'Error: no_providers (model x)' }],
  ])('when it says so by %s, then the turn moves at once under every policy', (_, said) => {
    const read = builtIn('any-router', said);
    expect([read?.mapped.kind, read?.steps]).toEqual(['server_error', [{ step: 'switch' }]]);
  });
});

describe('given a bare pattern of the user’s, which says of no kind what it means', () => {
  const read = createKindReader(builtInProviderMaps, [{ phrase: 'limit' }, { phrase: 'capacity' }, { phrase: 'busy' }]);
  const kind = (provider: string, said: Partial<Evidence>) =>
    classified(provider, { phase: 'body', ...said }, read).kind;

  it('when no map knows the words, then it is a rate limit, whatever the status', () => {
    const said = [{ message: 'all lines busy' }, { status: 400, message: 'all lines busy' }];
    expect(said.map((each) => kind('groq', each))).toEqual(['rate_limit', 'rate_limit']);
  });

  it('when a map has a word for the failure, be it a phrase, a code or a status, then that is what it is', () => {
    expect([
      kind('openai', { status: 429, message: "You've hit your usage limit." }),
      kind('openai', { status: 503, message: 'busy' }),
      kind('openai', { status: 429, code: 'insufficient_quota', message: 'over the limit' }),
      kind('groq', { status: 500, message: 'the model is at capacity' }),
    ]).toEqual(['quota', 'overloaded', 'quota', 'overloaded']);
  });

  it('when the user names a kind or a provider, then the user knows better', () => {
    const said = { phase: 'body', message: "You've hit your usage limit." } as const;
    const kinds = [{ kind: 'overloaded' as const }, { provider: 'openai' }].map(
      (more) =>
        classified('openai', said, createKindReader(builtInProviderMaps, [{ phrase: 'usage limit', ...more }])).kind,
    );
    expect(kinds).toEqual(['overloaded', 'rate_limit']);
  });
});

describe('given a phrase of one agent', () => {
  const read = createKindReader(builtInProviderMaps, [
    { phrase: 'usage limit', agent: 'oracle' },
    { phrase: 'all lines busy', kind: 'overloaded', provider: 'groq', agent: 'build' },
  ]);
  const kind = (provider: string, agent: string | undefined, message: string) => {
    const evidence: Evidence = { phase: 'body', message };
    return classify({ ...evidence, ...read(provider, evidence, agent) }).kind;
  };

  it('when that agent meets it, then it means what the user wrote, and to others what it meant before', () => {
    const said = "You've hit your usage limit.";
    expect(['oracle', 'build', undefined].map((agent) => kind('openai', agent, said))).toEqual([
      'rate_limit',
      'quota',
      'quota',
    ]);
  });

  it('when it names a provider as well, then both must be right', () => {
    const met = [
      ['groq', 'build'],
      ['groq', 'oracle'],
      ['openai', 'build'],
    ] as const;
    expect(met.map(([provider, agent]) => kind(provider, agent, 'all lines busy'))).toEqual([
      'overloaded',
      'unknown',
      'unknown',
    ]);
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
