import { describe, expect, it } from 'vitest';
import { type ConfigSource, NO_HOST, parseConfig, parseForeign, resolveScope } from '../../../src/core/config';

const source = (path: string, config: unknown): ConfigSource => ({
  path,
  ...parseConfig(JSON.stringify(config), path),
});
const OWN = '/home/u/.config/opencode/model-fallback.json';
const PROJECT = '/p/.opencode/model-fallback.json';

/** Whose health a project with this file keeps apart. */
const apart = (project: unknown, own: unknown = {}) =>
  resolveScope({ global: source(OWN, own), project: source(PROJECT, project) }, NO_HOST).apart;
const defaults = (values: Readonly<Record<string, unknown>>) => ({ defaults: values });

describe('given a project with a say in what is found out about models', () => {
  it.each<readonly [string, unknown, unknown?]>([
    ['names a failure', { patterns: [{ phrase: 'moon', kind: 'quota' }] }],
    ['takes out the user’s words', { patterns: [] }, { patterns: ['moon'] }],
    ['cools longer', defaults({ cooldownMs: 300_001 })],
    ['cools a quota longer', defaults({ quotaCooldownMs: 3_600_001 })],
    ['prefers the lead later', defaults({ retryOriginalAfterMs: 900_001 })],
    ['rests longer', defaults({ restMs: 60_001 })],
    ['opens sooner', defaults({ circuitBreaker: { failureThreshold: 2 } })],
    ['counts longer', defaults({ circuitBreaker: { windowMs: 3_600_001 } })],
    ['counts shorter', defaults({ circuitBreaker: { windowMs: 3_599_999 } })],
    ['opens longer', defaults({ circuitBreaker: { cooldownMs: 3_600_001 } })],
    ['grows faster', defaults({ circuitBreaker: { growth: 2 } })],
    ['grows further', defaults({ circuitBreaker: { maxCooldownMs: 86_400_001 } })],
    ['opens nothing', defaults({ circuitBreaker: { shadow: true } })],
    ['opens sooner for one agent', { agents: { build: { circuitBreaker: { failureThreshold: 2 } } } }],
    ['opens longer for one agent', { agents: { build: { circuitBreaker: { cooldownMs: 3_600_001 } } } }],
    [
      'opens sooner for one agent than the user for all',
      { agents: { build: { circuitBreaker: { failureThreshold: 3 } } } },
      { agents: { '*': { circuitBreaker: { failureThreshold: 9 } } } },
    ],
    [
      'takes an agent out of what the user says of all',
      { agents: { build: { fallbackModels: ['a/b'] } } },
      { agents: { '*': { fallbackModels: ['a/c'], circuitBreaker: { failureThreshold: 9 } } } },
    ],
    [
      'opens sooner for all others',
      { agents: { '*': { circuitBreaker: { failureThreshold: 3 } } } },
      { agents: { '*': { circuitBreaker: { failureThreshold: 9 } } } },
    ],
    ['gives the network up sooner', defaults({ networkBreaker: { failureThreshold: 4 } })],
    ['gives the network up longer', defaults({ networkBreaker: { cooldownMs: 300_001 } })],
    ['waits less for a first word', defaults({ firstTokenTimeoutMs: 59_999 })],
    ['waits less in a silence', defaults({ stallTimeoutMs: 119_999 })],
    ['is harder than the user’s own', defaults({ cooldownMs: 2_000 }), defaults({ cooldownMs: 1_000 })],
  ])('when it %s, then health is its own', (_, project, own) => {
    expect(apart(project, own)).toEqual(['*']);
  });

  it.each<readonly [string, unknown, unknown?]>([
    ['says nothing of it', { agents: { '*': { fallbackModels: ['a/b'] } } }],
    [
      'is gentler',
      defaults({ cooldownMs: 1, restMs: 1, stallTimeoutMs: 600_000, circuitBreaker: { failureThreshold: 9 } }),
    ],
    ['is gentler for one agent', { agents: { build: { circuitBreaker: { failureThreshold: 4 } } } }],
    [
      'is harder than the standard, gentler than what the user says of all',
      { agents: { build: { circuitBreaker: { failureThreshold: 2 } } } },
      { agents: { '*': { circuitBreaker: { failureThreshold: 2 } } } },
    ],
    ['says what the user says', { patterns: ['moon'] }, { patterns: ['moon'] }],
    ['is gentler than the user’s own', defaults({ cooldownMs: 900_000 }), defaults({ cooldownMs: 1_000_000 })],
  ])('when it %s, then health is everybody’s', (_, project, own) => {
    expect(apart(project, own)).toEqual([]);
  });

  it('when its OpenCode file defines providers, then health of these is its own; the user’s own file may define any', () => {
    const path = '/p/opencode.json';
    const text = JSON.stringify({
      provider: { anthropic: { options: { baseURL: 'http://x' } } },
      providers: { local: {} },
    });
    const parsed = parseForeign(text, path, { type: 'opencode' });
    const foreign = (isProjects: boolean) => [
      { path, ...(parsed ?? parseConfig('{}', path)), ...(isProjects ? { isProjects } : {}) },
    ];
    const of = (isProjects: boolean) =>
      resolveScope({ global: null, project: null, foreign: foreign(isProjects) }, NO_HOST).apart;
    expect([of(true), of(false)]).toEqual([['anthropic', 'local'], []]);
  });
});
