import { describe, expect, it } from 'vitest';
import type { ConfigSource, HostModels } from '../../../src/core/config';
import { parseConfig, resolveScope } from '../../../src/core/config';
import { type Catalogue, DEFAULT_HEALTH, SWIFT } from '../../../src/engine';
import { narrowPolicy, PRESETS } from '../../../src/engine/tools';
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

describe('given agents that OpenCode has and that have no plan', () => {
  const unplanned = (files: Parameters<typeof resolve>[0], host: Partial<HostModels>) =>
    resolve(files, host).config.unplanned;

  it('when nothing is written, then they are told of with the model they are asked with, and planned ones are not', () => {
    const host = { leads: { build: 'a/lead', docs: null }, others: ['build', 'plan', 'explore', 'title'] };
    expect(unplanned({}, host)).toEqual({ docs: null, plan: null, explore: null });
    expect(unplanned({}, { ...host, defaultModel: 'a/usual' })).toEqual({ plan: 'a/usual', explore: 'a/usual' });
  });

  it('when all have a plan, or none is known, then nothing is told', () => {
    expect([
      unplanned({}, { others: [] }),
      unplanned({ global: agents({ plan: { fallbackModels: ['a/1'] } }) }, { others: ['plan'] }),
    ]).toEqual([undefined, undefined]);
  });

  it('when there are too many, or names that no message carries, then those are left out', () => {
    const others = ['x'.repeat(101), '__proto__', ...Array.from({ length: 300 }, (_, n) => `a${n}`)];
    const { config } = resolve({}, { others });
    expect(Object.keys(config.unplanned ?? {})).toHaveLength(200);
    expect(ScopeConfig.safeParse(JSON.parse(JSON.stringify(config))).success).toBe(true);
  });
});

describe('given no file', () => {
  it('when it is resolved, then the defaults hold, each agent has its lead alone and nothing is logged', () => {
    const result = resolve({}, { leads: { build: 'a/lead', plan: null }, defaultModel: 'a/default' });
    expect(result).toEqual({
      config: {
        enabled: true,
        health: DEFAULT_HEALTH,
        headroom: { act: 'move', moveAt: 0.97 },
        maxFallbackDepth: 100,
        maxRetries: 3,
        retryBudget: { perSession: 30, warnAt: 20 },
        backoff: { baseMs: 1_000, capMs: 30_000, jitter: 0.2 },
        vendorLock: false,
        maxPriceRatio: null,
        panicProbe: false,
        guessProbe: true,
        onExhausted: 'error',
        backupModel: null,
        agents: { build: { chain: ['a/lead'], policy: SWIFT }, plan: { chain: ['a/default'], policy: SWIFT } },
      },
      firstTokenTimeoutMs: 60_000,
      stallTimeoutMs: 120_000,
      patterns: [],
      logging: { isEnabled: false, path: null, isConfined: false },
      triage: { isEnabled: false, isOff: false, formats: ['json'], metrics: null, path: null, isConfined: false },
      showsTitles: false,
      kept: [],
      apart: [],
      repriced: null,
      ownWordsOnly: false,
      problems: [],
      sources: {
        files: [],
        agents: {
          build: { chain: 'lead', path: null, line: null, policy: 'swift' },
          plan: { chain: 'lead', path: null, line: null, policy: 'swift' },
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

  it('when "*" names at its end the model that an agent leads with, then that model still leads it, and the default model all others', () => {
    const global = agents({ '*': { fallbackModels: ['a/sonnet', 'g/pro', 'o/gpt', 'd/1', 'm/devstral'] } });
    const host = { leads: { build: 'm/devstral', plan: null }, defaultModel: 'd/1' };
    expect(chains({ global }, host)).toEqual({
      '*': ['d/1', 'a/sonnet', 'g/pro', 'o/gpt', 'm/devstral'],
      build: ['m/devstral', 'a/sonnet', 'g/pro', 'o/gpt', 'd/1'],
      plan: ['d/1', 'a/sonnet', 'g/pro', 'o/gpt', 'm/devstral'],
    });
  });

  it('when an entry of the agent itself puts its model later, then the entry says who leads', () => {
    const global = agents({ build: { fallbackModels: ['a/sonnet', 'm/devstral'] }, '*': { fallbackModels: ['x/1'] } });
    const host = { leads: { build: 'm/devstral' }, defaultModel: 'd/1' };
    expect(chains({ global }, host).build).toEqual(['a/sonnet', 'm/devstral']);
  });

  it('when a pattern of "*" stands for the lead as well, then the lead is first all the same, and once', () => {
    const global = agents({ '*': { fallbackModels: ['l/*'] } });
    const host = { leads: { build: 'l/2' }, defaultModel: null, models: ['l/1', 'l/2', 'l/3'] };
    expect(chains({ global }, host).build).toEqual(['l/2', 'l/1', 'l/3']);
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
    const result = resolve({
      project: { ...agents({ build: { fallbackModels } }), defaults: { maxFallbackDepth: 99 } },
    });
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
        `${GLOBAL}:3:42 No model of OpenCode matches "lmstudio-local/*". The entry is skipped.`,
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
      ['model.unknown', 'OpenCode lists no model typo/1 (unknown, no login, or it cannot be started): it is skipped.'],
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
      agents: { o: { chain: 'own', path: GLOBAL, line: 1, policy: 'steady' } },
    });
    expect(told(result)).toEqual([]);
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

  it.each(['swift', 'steady', 'patient', 'council'] as const)(
    'when the file says "%s", then every agent without a policy of its own has it, and an agent may choose another',
    (name) => {
      const global = `{ "defaults": { "policy": "${name}" },
        "agents": { "*": { "fallbackModels": ["x/1"] }, "o": { "fallbackModels": ["x/2"], "policy": "council" } } }`;
      const { config, problems } = resolve({ global }, { leads: { build: 'b/1' } });
      expect([config.agents.build?.policy, config.agents['*']?.policy, config.agents.o?.policy, problems]).toEqual([
        PRESETS[name],
        PRESETS[name],
        PRESETS.council,
        [],
      ]);
    },
  );

  it('when one extends another of the files, then its rows stand over the inherited ones', () => {
    const global = {
      policies: { ours: { extends: 'steady', rows: { timeout: ['retry:1', 'wait:30000', 'switch'] } } },
    };
    const project = {
      policies: { mine: { extends: 'ours', rows: { server_error: ['hold', 'return'] } } },
      agents: { o: { ...lists, policy: 'mine' } },
    };
    const { config, problems } = resolve({ global, project });
    expect([config.agents.o?.policy, problems]).toEqual([
      {
        ...PRESETS.steady,
        timeout: [{ step: 'retry', n: 1 }, { step: 'wait', ms: 30_000 }, { step: 'switch' }],
        server_error: [{ step: 'hold' }, { step: 'return' }],
      },
      [],
    ]);
  });

  it('when steps are wrong, then each is left out and told where it stands, and the others hold', () => {
    const global = `{ "policies": { "mine": { "rows": {
  "timeout": ["retyr:3", "switch"],
  "overloaded": ["wait:30s", "wait:30000", "switch:2", "switch"],
  "quota": ["retry", 7]
} } }, "agents": { "o": { "fallbackModels": ["a/1"], "policy": "mine" } } }`;
    const result = resolve({ global });
    const rows = result.config.agents.o?.policy;
    expect([rows?.timeout, rows?.overloaded, rows?.quota]).toEqual([
      [{ step: 'switch' }],
      [{ step: 'wait', ms: 30_000 }, { step: 'switch' }],
      PRESETS.swift.quota,
    ]);
    expect(told(result)).toEqual([
      `${GLOBAL}:4:22 policies.mine.rows.quota[1] must be a step such as "switch", "retry:3", "wait:30000", "continue:1", "return", not 7. It is ignored.`,
      `${GLOBAL}:2:15 "retyr:3" is not a step. Did you mean "retry"? Steps are retry, continue, wait, waitHint, switch, switchLarger, compact, ask, defer, hold, return.`,
      `${GLOBAL}:3:18 "wait:30s": the number must be an integer from 0 to 86400000. Times are in milliseconds, such as "wait:5000".`,
      `${GLOBAL}:3:44 "switch:2": "switch" does not take a number.`,
      `${GLOBAL}:4:13 "retry" needs a count, such as "retry:3".`,
      `${GLOBAL}:4:12 The row quota has no valid step and is ignored.`,
    ]);
  });

  it('when one extends nobody, or takes a name that ships, then that is told and swift is extended', () => {
    const global = '{ "policies": {\n"mine": { "extends": "brave" },\n"swift": { "rows": { "quota": ["return"] } } } }';
    expect(told(resolve({ global }))).toEqual([
      `${GLOBAL}:3:10 "swift" ships with Understudy: use another name.`,
      `${GLOBAL}:2:9 "mine" extends "brave", which is not a policy; it extends "swift" instead.`,
    ]);
  });

  it('when nobody has defined a policy, then that is told once for each place it is written, and swift is used', () => {
    const global =
      '{ "defaults": { "policy": "patient" },\n"agents": { "*": { "policy": "mine", "fallbackModels": ["x/1"] } } }';
    const result = resolve({ global }, { leads: { a: 'a/1', b: 'b/1' } });
    expect(told(result)).toEqual([
      `${GLOBAL}:2:30 There is no policy "mine"; "swift" is used. Policies are swift, steady, patient, council.`,
    ]);
    expect([result.config.agents.a?.policy, result.sources.agents.a?.policy]).toEqual([PRESETS.swift, 'swift']);
    const own = { defaults: { policy: 'patent' }, agents: { a: lists, b: lists } };
    expect(told(resolve({ global: own }))).toEqual([
      `${GLOBAL}:1:23 There is no policy "patent"; "swift" is used. Did you mean "patient"?`,
    ]);
  });
});

describe('given limits on turns and sessions', () => {
  it.each([
    ['"maxRetries": 1', { maxRetries: 1 }],
    ['"maxRetries": 0', { maxRetries: 0 }],
    ['"retryBudget": { "perSession": 9, "warnAt": 6 }', { retryBudget: { perSession: 9, warnAt: 6 } }],
    ['"retryBudget": { "perSession": 9 }', { retryBudget: { perSession: 9, warnAt: 9 } }],
    ['"retryBudget": { "warnAt": 5 }', { retryBudget: { perSession: 30, warnAt: 5 } }],
    ['"retryBudget": { "failingTurns": 3 }', { retryBudget: { perSession: 30, warnAt: 20, failingTurns: 3 } }],
    ['"backoff": { "capMs": 5000 }', { backoff: { baseMs: 1_000, capMs: 5_000, jitter: 0.2 } }],
    ['"backoff": { "baseMs": 50, "jitter": 0 }', { backoff: { baseMs: 50, capMs: 30_000, jitter: 0 } }],
    ['"vendorLock": true', { vendorLock: true }],
    ['"maxPriceRatio": 1.5', { maxPriceRatio: 1.5 }],
    ['"maxPriceRatio": null', { maxPriceRatio: null }],
    ['"panicProbe": true', { panicProbe: true }],
    ['"guessProbe": false', { guessProbe: false }],
    ['"circuitBreaker": { "shadow": true }', { health: expect.objectContaining({ shadow: true }) }],
    [
      '"circuitBreaker": { "maxCooldownMs": 5 }',
      { health: expect.objectContaining({ breaker: expect.objectContaining({ maxCooldownMs: 5 }) }) },
    ],
    ['"backupModel": "spare/1"', { backupModel: 'spare/1' }],
    ['"onExhausted": "native"', { onExhausted: 'native' }],
  ])('when the file says %s, then the engine gets it', (line, expected) => {
    const { config, problems } = resolve({ project: `{ "defaults": { ${line} } }` });
    expect([config, problems]).toEqual([expect.objectContaining(expected), []]);
    expect(ScopeConfig.parse(config)).toEqual(config);
  });

  it('when the project changes one of two numbers, then the other file keeps the other', () => {
    const global = { defaults: { retryBudget: { perSession: 12, warnAt: 8 }, backoff: { capMs: 9_000 } } };
    const project = { defaults: { retryBudget: { warnAt: 3 }, backoff: { jitter: 0 } } };
    expect(resolve({ global, project }).config).toMatchObject({
      retryBudget: { perSession: 12, warnAt: 3 },
      backoff: { baseMs: 1_000, capMs: 9_000, jitter: 0 },
    });
  });

  it('when OpenCode does not have the backup model, then there is none and that is told', () => {
    const result = resolve({ global: { defaults: { backupModel: 'typo/1' } } }, { models: ['a/1'] });
    expect([result.config.backupModel, told(result)]).toEqual([
      null,
      [`${GLOBAL}:1:28 OpenCode lists no model typo/1 (unknown, no login, or it cannot be started): it is skipped.`],
    ]);
  });
});

describe('given a vendor lock', () => {
  const global = {
    defaults: { vendorLock: true },
    agents: { '*': { fallbackModels: ['anthropic/b', 'openrouter/anthropic/c', 'openai/d', 'azure/e'] } },
  };

  it('when entries are of another vendor than the lead, then they are left out and both are named', () => {
    const result = resolve({ global }, { leads: { build: 'anthropic/a' } });
    expect(result.config.agents.build?.chain).toEqual(['anthropic/a', 'anthropic/b', 'openrouter/anthropic/c']);
    expect(told(result).filter((line) => line.includes('build'))).toEqual([
      `${GLOBAL}:1:47 build uses anthropic/a (anthropic); openai/d (openai) is another vendor's and skipped: vendorLock is on.`,
      `${GLOBAL}:1:47 build uses anthropic/a (anthropic); azure/e (azure) is another vendor's and skipped: vendorLock is on.`,
    ]);
  });

  it('when OpenCode knows whose model an entry is, then that counts and not the name of its provider', () => {
    const catalogue = { 'azure/e': { vendor: 'Anthropic' }, 'anthropic/b': { vendor: 'other' } };
    const { config } = resolve({ global }, { leads: { build: 'anthropic/a' }, catalogue });
    expect(config.agents.build?.chain).toEqual(['anthropic/a', 'openrouter/anthropic/c', 'azure/e']);
  });
});

describe('given what OpenCode knows of its models', () => {
  const catalogue: Catalogue = {
    'a/1': { context: 200_000, vision: true, tools: true, priceIn: 3, priceOut: 15 },
    'b/1': { context: 32_000 },
    'spare/1': { vendor: 'spare' },
    'odd/1': { context: -1, priceIn: Number.NaN },
    'z/9': { context: 1 },
  };
  const project = { defaults: { backupModel: 'spare/1' }, agents: { o: { fallbackModels: ['a/1', 'b/1', 'odd/1'] } } };

  it('when a chain is resolved, then the facts of its models and of the backup go along, and nobody else’s', () => {
    const { config } = resolve({ project }, { catalogue });
    const { 'z/9': _, 'odd/1': __, ...used } = catalogue;
    expect(config.models).toEqual(used);
    expect(ScopeConfig.parse(config)).toEqual(config);
  });

  it('when nobody has asked OpenCode, then nothing is claimed', () => {
    expect(resolve({ project }).config).not.toHaveProperty('models');
  });

  it('when the host can ask and compact, then the engine is told', () => {
    expect(resolve({ project }, { abilities: ['ask', 'compact'] }).config.abilities).toEqual(['ask', 'compact']);
  });
});

describe('given more agents than the wire carries', () => {
  it('when OpenCode has 250 of them, then 200 have a plan and that is told', () => {
    const leads = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`agent ${at}`, 'a/1']));
    const result = resolve({ global: agents({ '*': { fallbackModels: ['b/1'] } }) }, { leads });
    expect([Object.keys(result.config.agents).length, result.config.agents['*']?.chain]).toEqual([200, ['b/1']]);
    expect(told(result)).toEqual([`${GLOBAL}:1:11 There are 251 agents; the first 200 count.`]);
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
      patterns: [
        'cap reached',
        { phrase: '额度已用尽', kind: 'quota', agent: 'oracle' },
        { phrase: 'slow down', agent: '*' },
      ],
      logPath: '~/f.log',
      triage: { scorecard: { exportPath: '~/card.json', exportFormat: ['md'] } },
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
        { phrase: 'cap reached' },
        { phrase: '额度已用尽', kind: 'quota', agent: 'oracle' },
        { phrase: 'slow down' },
      ],
      logging: { isEnabled: true, path: '~/f.log' },
      triage: { isEnabled: true, formats: ['md'], path: '~/card.json' },
    });
    expect(result.problems.map(({ code, line }) => [code, line])).toEqual([['project.off', 1]]);
    expect(ScopeConfig.parse(result.config)).toEqual(result.config);
  });

  it.each([
    [undefined, { isEnabled: false }],
    [{}, {}],
    [{ enabled: false }, { isEnabled: false, isOff: true }],
    [{ scorecard: { generateReport: false } }, { isEnabled: false, isOff: true }],
    [
      { exportFormat: ['csv'], exportPath: 'a.json', scorecard: { exportFormat: ['md'], exportPath: 'b.json' } },
      { formats: ['csv'], path: 'a.json' },
    ],
    [{ exportFormat: 'html', scorecard: { trackMetrics: true } }, { formats: ['html'] }],
    [{ scorecard: { exportFormat: 'md', trackMetrics: false } }, { formats: ['md'], metrics: [] }],
    [{ scorecard: { trackMetrics: ['retries', 'totalCalls'] } }, { metrics: ['retries', 'totalCalls'] }],
  ] as const)('when triage is %j, then the report is %j', (triage, report) => {
    const usual = { isEnabled: true, isOff: false, formats: ['json'], metrics: null, path: null, isConfined: false };
    const expected = { ...usual, ...report };
    expect(resolve({ global: triage === undefined ? {} : { triage } }).triage).toEqual(expected);
    const inFallback = resolve({ global: triage === undefined ? {} : { fallback: { triage } } });
    expect([inFallback.triage, inFallback.problems]).toEqual([expected, []]);
  });

  it('when logging is off, then it is off', () => {
    expect(resolve({ global: { logging: false } }).logging.isEnabled).toBe(false);
  });
});
