import { describe, expect, it } from 'vitest';
import type { ConfigSource, HostModels } from '../../../src/core/config';
import { parseConfig, resolveScope } from '../../../src/core/config';
import { DEFAULT_HEALTH, narrowPolicy, SWIFT } from '../../../src/engine';
import { ScopeConfig } from '../../../src/protocol';

const GLOBAL = '/home/u/.config/opencode/model-fallback.json';
const PROJECT = '/p/.opencode/model-fallback.json';
const NOBODY: HostModels = { leads: {}, defaultModel: null };

const source = (path: string, config: unknown): ConfigSource | null =>
  config === null ? null : { path, ...parseConfig(typeof config === 'string' ? config : JSON.stringify(config), path) };

function resolve(files: { global?: unknown; project?: unknown }, host: Partial<HostModels> = {}) {
  const sources = { global: source(GLOBAL, files.global ?? null), project: source(PROJECT, files.project ?? null) };
  return resolveScope(sources, { ...NOBODY, ...host });
}

/** The chains alone, by agent. */
function chains(files: { global?: unknown; project?: unknown }, host: Partial<HostModels> = {}) {
  const { agents } = resolve(files, host).config;
  return Object.fromEntries(Object.entries(agents).map(([name, plan]) => [name, plan.chain]));
}

const told = (result: ReturnType<typeof resolve>) =>
  result.problems.map(({ path, line, column, message }) => `${path}:${line}:${column} ${message}`);

const agents = (entries: Record<string, unknown>) => ({ agents: entries });

describe('given no file', () => {
  it('when it is resolved, then the defaults hold, each agent has its lead alone and nothing is logged', () => {
    const result = resolve({}, { leads: { build: 'a/lead', plan: null }, defaultModel: 'a/default' });
    expect(result).toEqual({
      config: {
        enabled: true,
        health: DEFAULT_HEALTH,
        maxFallbackDepth: 3,
        onExhausted: 'error',
        backupModel: null,
        agents: { build: { chain: ['a/lead'], policy: SWIFT }, plan: { chain: ['a/default'], policy: SWIFT } },
      },
      firstTokenTimeoutMs: 60_000,
      stallTimeoutMs: 120_000,
      patterns: [],
      logging: { isEnabled: false, path: null },
      problems: [],
      sources: {
        files: [],
        agents: {
          build: { chain: 'lead', path: null, policy: 'swift' },
          plan: { chain: 'lead', path: null, policy: 'swift' },
        },
      },
    });
  });

  it('when an agent has no model at all, then it is left out', () => {
    expect(chains({}, { leads: { build: null } })).toEqual({});
  });
});

describe('given chains', () => {
  it('when the lead is not listed, then it is position 0', () => {
    const global = agents({ build: { fallbackModels: ['b/two', 'c/three'] } });
    expect(chains({ global }, { leads: { build: 'a/one' } })).toEqual({ build: ['a/one', 'b/two', 'c/three'] });
  });

  it('when the lead is listed, then it stays where it is written', () => {
    const global = agents({ build: { fallbackModels: ['b/two', 'a/one'] } });
    expect(chains({ global }, { leads: { build: 'a/one' } })).toEqual({ build: ['b/two', 'a/one'] });
  });

  it('when a model is listed twice, then its first place counts', () => {
    const global = agents({ build: { fallbackModels: ['a/one', 'b/two', 'a/one', 'c/three', 'b/two'] } });
    expect(chains({ global })).toEqual({ build: ['a/one', 'b/two', 'c/three'] });
  });

  it('when tiers are written, then they follow in order, after single models', () => {
    const tiers = [{ name: 'top', models: ['t/1', 't/2'] }, { models: ['u/1', 't/1'] }];
    expect(chains({ global: agents({ o: { tiers, fallbackModels: ['s/1'] } }) })).toEqual({
      o: ['s/1', 't/1', 't/2', 'u/1'],
    });
  });

  it('when an id has several slashes and a colon, then it is kept whole', () => {
    const global = agents({ o: { fallbackModels: ['openrouter/vendor/model:free', 'free/openrouter/free'] } });
    expect(chains({ global })).toEqual({ o: ['openrouter/vendor/model:free', 'free/openrouter/free'] });
  });

  it('when an agent has no chain of its own, then it has that of "*", with its own lead first', () => {
    const global = agents({ '*': { fallbackModels: ['x/1', 'x/2'] }, build: { fallbackModels: ['b/1'] } });
    const host = { leads: { build: 'a/1', plan: 'p/1', review: null }, defaultModel: 'd/1' };
    expect(chains({ global }, host)).toEqual({
      '*': ['d/1', 'x/1', 'x/2'],
      build: ['a/1', 'b/1'],
      plan: ['p/1', 'x/1', 'x/2'],
      review: ['d/1', 'x/1', 'x/2'],
    });
  });

  it('when OpenCode’s configuration does not name an agent, then the default model leads its chain', () => {
    const global = agents({ build: { fallbackModels: ['g/1'] } });
    expect(chains({ global }, { leads: {}, defaultModel: 'd/1' })).toEqual({ build: ['d/1', 'g/1'] });
    expect(chains({ global }, { leads: {}, defaultModel: null })).toEqual({ build: ['g/1'] });
  });

  it('when its list is written and empty, then "*" does not stand in for it', () => {
    const global = agents({
      '*': { fallbackModels: ['x/1'] },
      build: { fallbackModels: [] },
      ghost: { fallbackModels: [] },
    });
    expect(chains({ global }, { leads: { build: 'a/1' } })).toEqual({ '*': ['x/1'], build: ['a/1'], ghost: [] });
  });

  it('when agents are called after things every object has, then they are agents like others', () => {
    const global = '{ "agents": { "constructor": { "fallbackModels": ["c/1"] } } }';
    const host = { leads: { toString: 't/1' } };
    expect(chains({ global }, host)).toEqual({ constructor: ['c/1'], toString: ['t/1'] });
  });

  it('when a chain has 120 models, then the first 100 are used and that is told', () => {
    const fallbackModels = Array.from({ length: 120 }, (_, index) => `m/${index}`);
    const result = resolve({ project: agents({ build: { fallbackModels } }) });
    expect(result.config.agents.build?.chain).toHaveLength(100);
    expect(told(result)).toEqual([`${PROJECT}:1:20 The chain of build has 120 models; the first 100 are used.`]);
  });
});

describe('given entries that stand for several models', () => {
  const models = [
    'lmstudio-local/qwen',
    'lmstudio-local/llama/8b',
    'openai/gpt',
    'openrouter/a/x:free',
    'openrouter/b/y',
  ];

  it('when the models are known, then the entry becomes them, in its place', () => {
    const global = agents({ o: { fallbackModels: ['a/1', 'lmstudio-local/*', 'z/9'] } });
    expect(chains({ global }, { models: [...models, 'a/1', 'z/9'] })).toEqual({
      o: ['a/1', 'lmstudio-local/qwen', 'lmstudio-local/llama/8b', 'z/9'],
    });
  });

  it('when the star stands inside, then it fits there', () => {
    expect(chains({ global: agents({ o: { fallbackModels: ['openrouter/*:free'] } }) }, { models })).toEqual({
      o: ['openrouter/a/x:free'],
    });
  });

  it.each([[undefined], [['openai/gpt', 'a/1']]])(
    'when OpenCode knows %j, then it is left out with a warning',
    (known) => {
      const global = '{\n  "agents": {\n    "o": { "tiers": [{ "models": ["a/1", "lmstudio-local/*"] }] }\n  }\n}';
      const result = resolve({ global }, known === undefined ? {} : { models: known });
      expect(result.config.agents.o?.chain).toEqual(['a/1']);
      expect(told(result)).toEqual([
        `${GLOBAL}:3:42 No model fits "lmstudio-local/*": OpenCode knows none. The entry is left out.`,
      ]);
    },
  );
});

describe('given the models OpenCode has', () => {
  it('when the chain names another one, then it is left out and told, and the lead stays whatever it is', () => {
    const global = agents({ build: { fallbackModels: ['b/1', 'typo/1'] } });
    const result = resolve({ global }, { leads: { build: 'a/1' }, models: ['b/1'] });
    expect(result.config.agents.build?.chain).toEqual(['a/1', 'b/1']);
    expect(result.problems.map(({ code, message }) => [code, message])).toEqual([
      ['model.unknown', 'OpenCode has no model typo/1 (unknown, or no login): it is left out.'],
    ]);
  });
});

describe('given a global and a project file', () => {
  it('when both set values, then the project wins key by key, in nested objects too', () => {
    const global = {
      enabled: false,
      defaults: { cooldownMs: 1, restMs: 2, circuitBreaker: { growth: 2, windowMs: 5 } },
    };
    const project = { defaults: { restMs: 3, circuitBreaker: { windowMs: 6 } } };
    const { config } = resolve({ global, project });
    expect(config).toMatchObject({
      enabled: false,
      health: { cooldownMs: 1, restMs: 3, breaker: { growth: 2, windowMs: 6 } },
    });
  });

  it("when both name an agent, then the project's chain replaces the other as a whole, tiers and all", () => {
    const global = agents({ o: { tiers: [{ models: ['g/1'] }], policy: 'swift' }, build: { fallbackModels: ['g/2'] } });
    const project = agents({ o: { fallbackModels: ['p/1'] }, plan: { fallbackModels: ['p/2'] } });
    expect(chains({ global, project })).toEqual({ o: ['p/1'], build: ['g/2'], plan: ['p/2'] });
  });

  it('when the project only names a policy, then the chain of the other file stays, and each part says where it is from', () => {
    const global = agents({ o: { fallbackModels: ['g/1'] } });
    const project = agents({ o: { policy: 'steady' } });
    const result = resolve({ global, project });
    expect(result.sources).toEqual({
      files: [PROJECT, GLOBAL],
      agents: { o: { chain: 'own', path: GLOBAL, policy: 'swift' } },
    });
    expect(told(result)).toEqual([
      `${PROJECT}:1:26 The policy "steady" is not available in this version; "swift" is used.`,
    ]);
  });

  it('when the project file is malformed, then the global one holds and the error is told', () => {
    const result = resolve({ global: agents({ o: { fallbackModels: ['g/1'] } }), project: '{ "agents": ' });
    expect(result.config.agents.o?.chain).toEqual(['g/1']);
    expect(told(result)).toEqual([`${PROJECT}:1:13 The file cannot be read: a value is missing.`]);
  });
});

describe('given policies', () => {
  const lists = { fallbackModels: ['a/1'] };

  it('when fallbackOn names words, then the policy is narrowed to them for every agent', () => {
    const global = { defaults: { fallbackOn: ['rate_limit', '5xx'] }, agents: { o: lists } };
    expect(resolve({ global }, { leads: { build: 'b/1' } }).config.agents).toEqual({
      o: { chain: ['a/1'], policy: narrowPolicy(SWIFT, ['rate_limit', '5xx']) },
      build: { chain: ['b/1'], policy: narrowPolicy(SWIFT, ['rate_limit', '5xx']) },
    });
  });

  it('when a policy is not available, then it is told once for each place it is written', () => {
    const global =
      '{ "defaults": { "policy": "patient" },\n"agents": { "*": { "policy": "mine", "fallbackModels": ["x/1"] } } }';
    const result = resolve({ global }, { leads: { a: 'a/1', b: 'b/1' } });
    expect(told(result)).toEqual([
      `${GLOBAL}:2:30 The policy "mine" is not available in this version; "swift" is used.`,
    ]);
    const own = { defaults: { policy: 'patient' }, agents: { a: lists, b: lists } };
    expect(told(resolve({ global: own }))).toEqual([
      `${GLOBAL}:1:23 The policy "patient" is not available in this version; "swift" is used.`,
    ]);
  });
});

describe('given settings that this version cannot keep', () => {
  it('when they are on, then it says so instead of ignoring them in silence', () => {
    const global = { defaults: { vendorLock: true, maxPriceRatio: 2 } };
    expect(told(resolve({ global }))).toEqual([
      `${GLOBAL}:1:27 defaults.vendorLock is not available in this version and has no effect.`,
      `${GLOBAL}:1:48 defaults.maxPriceRatio is not available in this version and has no effect.`,
    ]);
  });
});

describe('given all the other values', () => {
  it('when they are set, then they arrive, and what arrives passes the wire', () => {
    const project = {
      enabled: false,
      defaults: {
        quotaCooldownMs: 1,
        retryOriginalAfterMs: 2,
        networkBreaker: { failureThreshold: 9 },
        firstTokenTimeoutMs: 7,
        stallTimeoutMs: 8,
        maxFallbackDepth: 5,
        onExhausted: 'native',
        backupModel: 'b/up',
      },
      agents: { '*': { fallbackModels: ['x/1'] } },
      patterns: ['cap reached', { phrase: '额度已用尽', kind: 'quota' }, { phrase: 'slow down' }],
      logPath: '~/f.log',
    };
    const result = resolve({ project });
    expect(result).toMatchObject({
      config: {
        enabled: false,
        health: {
          quotaCooldownMs: 1,
          retryOriginalAfterMs: 2,
          cooldownMs: 300_000,
          network: { failureThreshold: 9, cooldownMs: 300_000 },
        },
        maxFallbackDepth: 5,
        onExhausted: 'native',
        backupModel: 'b/up',
      },
      firstTokenTimeoutMs: 7,
      stallTimeoutMs: 8,
      patterns: [
        { phrase: 'cap reached', kind: 'rate_limit' },
        { phrase: '额度已用尽', kind: 'quota' },
        { phrase: 'slow down', kind: 'rate_limit' },
      ],
      logging: { isEnabled: true, path: '~/f.log' },
    });
    expect(result.problems.map(({ code, message }) => [code, message])).toEqual([
      ['setting.unavailable', 'logPath is not available in this version and has no effect.'],
    ]);
    expect(ScopeConfig.parse(result.config)).toEqual(result.config);
  });

  it('when logging is off, then it is off', () => {
    expect(resolve({ global: { logging: false } }).logging.isEnabled).toBe(false);
  });
});
