import { describe, expect, it } from 'vitest';
import {
  type ConfigSource,
  confined,
  effectiveValues,
  type ForeignKind,
  type HostModels,
  NO_HOST,
  parseConfig,
  parseForeign,
  resolveScope,
} from '../../../src/core/config';
import { FOUR_MODELS, ISSUE_7602, TRIAGE, TWELVE_MODELS } from './published-designs';

const PATH = '/p/opencode.json';
const FOUR = [
  'openrouter/claude-3.5-sonnet',
  'openrouter/gpt-4',
  'openrouter/gemini-pro',
  'openrouter/mistral-large',
] as const;
const PREMIUM = ['openrouter/claude-3.5-sonnet', 'openrouter/claude-3-opus', 'openrouter/gpt-4'];
const STANDARD = ['openrouter/gemini-pro', 'openrouter/mistral-large', 'openrouter/llama-3.3-70b'];
const ALTERNATIVE = ['openrouter/qwen-2.5-72b', 'openrouter/deepseek-chat', 'openrouter/nous-hermes-2'];
const LOCAL = ['free/openrouter/free', 'lmstudio-local/llama-3.2-1b', 'lmstudio-local/qwen-0.5b'];
const TWELVE = [...PREMIUM, ...STANDARD, ...ALTERNATIVE, ...LOCAL];
const TOO_DEEP_FOR_TWELVE =
  'The chain of oracle has 12 models, but your defaults.maxFallbackDepth: 3 ends a turn after 4 of them. Set it to 11 to reach all.';

function theirs(text: string, changes: Partial<ConfigSource> = {}, kind: ForeignKind = { type: 'opencode' }) {
  const parsed = parseForeign(text, PATH, kind);
  if (parsed === null) throw new Error('it is not read at all');
  return { path: PATH, ...parsed, ...changes };
}

const resolved = (text: string, host: Partial<HostModels> = {}) =>
  resolveScope({ global: null, project: null, foreign: [theirs(text)] }, { ...NO_HOST, ...host });

const messages = ({ problems }: ReturnType<typeof resolved>): string[] => problems.map(({ message }) => message);

describe('given the design with four models as it is printed', () => {
  it('when it is read, then oracle has all four, its own numbers and nothing to complain of', () => {
    const scope = resolved(FOUR_MODELS);
    expect(scope.config.agents.oracle).toMatchObject({
      chain: FOUR,
      breaker: { failureThreshold: 3, cooldownMs: 3_600_000 },
      maxRetries: 3,
      isNamed: true,
    });
    expect(scope.problems).toEqual([]);
    expect(scope.sources.agents.oracle).toMatchObject({ chain: 'own', path: PATH, line: 6 });
  });

  it('when its values are listed, then each has its line', () => {
    const values = effectiveValues({ global: null, project: null, foreign: [theirs(FOUR_MODELS)] });
    const lines = values.flatMap(({ key, line }) => (line === null ? [] : [`${line} ${key}`]));
    expect(lines.sort()).toEqual([
      '14 agents.oracle.maxRetries',
      '16 agents.oracle.circuitBreaker.failureThreshold',
      '17 agents.oracle.circuitBreaker.cooldownMs',
      '5 agents.oracle.currentModel',
      '6 agents.oracle.fallbackModels',
    ]);
  });

  it('when OpenCode has no model for oracle, then currentModel leads before the default', () => {
    const { chain, isNamed } = resolved(FOUR_MODELS, { leads: { oracle: null }, defaultModel: 'x/default' }).config
      .agents.oracle ?? { chain: [] };
    expect([chain, isNamed]).toEqual([FOUR, true]);
  });

  it('when OpenCode has one for oracle, then that leads', () => {
    const { oracle } = resolved(FOUR_MODELS, { leads: { oracle: 'x/own' }, defaultModel: 'x/default' }).config.agents;
    expect([oracle?.chain, oracle?.isNamed]).toEqual([['x/own', ...FOUR], undefined]);
  });

  it('when currentModel stands later in its list, then it leads all the same', () => {
    const text = FOUR_MODELS.replace(
      '"currentModel": "openrouter/claude-3.5-sonnet"',
      '"currentModel": "openrouter/gpt-4"',
    );
    expect(resolved(text).config.agents.oracle?.chain).toEqual([FOUR[1], FOUR[0], FOUR[2], FOUR[3]]);
  });

  it('when OpenCode does not have that model, then it is left out, told once, and the default leads', () => {
    const models = ['x/default', ...FOUR.slice(1)];
    const scope = resolved(FOUR_MODELS, { leads: { oracle: null }, defaultModel: 'x/default', models });
    expect(scope.config.agents.oracle?.chain).toEqual(models);
    expect(messages(scope)).toEqual([
      'OpenCode lists no model openrouter/claude-3.5-sonnet (unknown, no login, or it cannot be started): it is skipped.',
    ]);
  });

  it('when it is switched off, then oracle has its own model alone', () => {
    const off = resolved(FOUR_MODELS.replace('"enabled": true', '"enabled": false'), { leads: { oracle: 'x/own' } });
    expect(off.config.agents.oracle?.chain).toEqual(['x/own']);
    expect(off.problems).toEqual([]);
  });

  it('when a number is wrong, then it is told with its place, and the others count', () => {
    const scope = resolved(FOUR_MODELS.replace('"failureThreshold": 3', '"failureThreshold": 0, "window": 1'));
    expect(scope.config.agents.oracle?.breaker).toEqual({ failureThreshold: 3, cooldownMs: 3_600_000 });
    expect(scope.problems.map(({ line, message }) => `${line} ${message}`).sort()).toEqual([
      '16 agents.oracle.fallback.circuitBreaker.failureThreshold must be a whole number from 1 to 1000. It is ignored.',
      '16 agents.oracle.fallback.circuitBreaker.window is not read.',
    ]);
  });
});

describe('given the recommended design with twelve models as it is printed', () => {
  it('when it is read, then the names in its tiers stand for the models of its list, in order', () => {
    const { config } = theirs(TWELVE_MODELS);
    expect(config?.agents?.oracle).toEqual({
      currentModel: PREMIUM[0],
      maxRetries: 3,
      circuitBreaker: { failureThreshold: 3, cooldownMs: 3_600_000 },
      tiers: [
        { name: 'premium', models: PREMIUM },
        { name: 'standard', models: STANDARD },
        { name: 'alternative', models: ALTERNATIVE },
        { name: 'local', models: [...LOCAL, 'lmstudio-local/*'] },
      ],
    });
  });

  it('when OpenCode has all of them, then oracle has all twelve, and a turn may use them all', () => {
    const scope = resolved(TWELVE_MODELS, { models: TWELVE });
    expect([scope.config.agents.oracle?.chain, scope.problems]).toEqual([TWELVE, []]);
    expect(scope.config.maxFallbackDepth).toBeGreaterThan(11);
  });

  it('when the user sets 3 switches, then a warning names the models that a turn may not reach', () => {
    const global = { path: '/g', ...parseConfig('{"defaults": {"maxFallbackDepth": 3}}', '/g') };
    const sources = { global, project: null, foreign: [theirs(TWELVE_MODELS)] };
    const { config, problems } = resolveScope(sources, { ...NO_HOST, models: TWELVE });
    expect([config.maxFallbackDepth, problems.map(({ line, message }) => [line, message])]).toEqual([
      3,
      [[36, TOO_DEEP_FOR_TWELVE]],
    ]);
  });

  it('when another local model is there, then the pattern of its last tier has it as well', () => {
    const { chain } = resolved(TWELVE_MODELS, { models: ['lmstudio-local/new', ...TWELVE] }).config.agents.oracle ?? {};
    expect(chain).toEqual([...TWELVE, 'lmstudio-local/new']);
  });

  it('when its extended chain is switched off, then its list alone counts', () => {
    const text = TWELVE_MODELS.replace(
      '"extendedChain": {\n          "enabled": true',
      '"extendedChain": { "enabled": false',
    );
    expect(theirs(text).config?.agents?.oracle).toMatchObject({ fallbackModels: TWELVE });
    expect(theirs(text).config?.agents?.oracle).not.toHaveProperty('tiers');
  });

  it('when its tiers have another order than its list, then the list is the order', () => {
    const entry = (tiers: readonly (readonly string[])[]) =>
      JSON.stringify({
        agents: {
          o: {
            models: ['p/a', 'p/b', 'p/c'],
            fallback: { extendedChain: { tiers: tiers.map((models) => ({ models })) } },
          },
        },
      });
    const chainOf = (tiers: readonly (readonly string[])[]) => resolved(entry(tiers)).config.agents.o?.chain;
    expect(chainOf([['c'], ['a', 'x/9', 'b']])).toEqual(['p/a', 'p/b', 'p/c', 'x/9']);
    expect(chainOf([['b'], ['c', 'b', 'x/9']])).toEqual(['p/a', 'p/b', 'p/c', 'x/9']);
  });

  it('when its tiers have 150 entries together, then the first 100 are read, and that is told', () => {
    const tiers = [60, 60, 30].map((size, tier) => ({
      models: Array.from({ length: size }, (_, index) => `p/${tier}-${index}`),
    }));
    const parsed = theirs(JSON.stringify({ agents: { o: { fallback: { extendedChain: { tiers } } } } }));
    expect(parsed.config?.agents?.o?.tiers?.map(({ models }) => models.length)).toEqual([60, 40, 0]);
    expect(parsed.problems.map(({ message }) => message)).toEqual([
      'agents.o.fallback.extendedChain.tiers[1].models has 60 entries; the first 40 are read.',
      'agents.o.fallback.extendedChain.tiers[2].models has 30 entries; the first 0 are read.',
    ]);
  });

  it('when its tiers have eleven patterns, then the first ten stand for models of the list', () => {
    const models = Array.from({ length: 12 }, (_, index) => `p/m${index}x`);
    const tiers = [{ models: models.slice(0, 11).map((_, index) => `m${index}x*`) }];
    const parsed = theirs(JSON.stringify({ agents: { o: { models, fallback: { extendedChain: { tiers } } } } }));
    expect(parsed.config?.agents?.o).toEqual({ fallbackModels: models, tiers: [{ models: [] }] });
    expect(parsed.problems.map(({ message }) => message.slice(0, 60))).toEqual([
      'agents.o.fallback.extendedChain.tiers[0].models[10] must be ',
    ]);
  });

  it('when a tier names a model that is not in the list, then it is told with its place', () => {
    const scope = theirs(TWELVE_MODELS.replace('"gemini-pro", ', '"gemini", '));
    expect(scope.problems.map(({ line, message }) => `${line} ${message}`)).toEqual([
      '38 agents.oracle.fallback.extendedChain.tiers[1].models[0] must be a model written as "provider/model", or the name of one of its models. It is ignored.',
    ]);
  });
});

describe('given the triage of the design as it is printed', () => {
  const report = {
    isEnabled: true,
    isOff: false,
    formats: ['json'],
    metrics: [
      'totalCalls',
      'successes',
      'failures',
      'successRate',
      'avgResponseTimeMs',
      'circuitBreakerActivations',
      'failureReasons',
    ],
    path: '~/.local/share/opencode/oracle-triage-scorecard.json',
    isConfined: false,
  };

  it.each([['opencode'], ['theseus'], ['rate-limit-fallback']] as const)(
    'when it stands at the top of the file of %s, then reports are written as it says',
    (type) => {
      const scope = resolveScope({ global: null, project: null, foreign: [theirs(TRIAGE, {}, { type })] }, NO_HOST);
      expect([scope.triage, scope.problems]).toEqual([report, []]);
    },
  );

  it('when it stands at the top of our own file, then it counts as triage, and triage itself is stronger', () => {
    const own = (text: string) => ({ path: '/g/own', ...parseConfig(text, '/g/own') });
    const alone = resolveScope({ global: own(TRIAGE), project: null }, NO_HOST);
    expect([alone.triage, alone.problems]).toEqual([report, []]);
    const both = own(TRIAGE.replace('"fallback": {', '"triage": { "exportPath": "/x.json" },\n  "fallback": {'));
    expect(resolveScope({ global: both, project: null }, NO_HOST).triage).toEqual({ ...report, path: '/x.json' });
    const place = effectiveValues({ global: own(TRIAGE), project: null }).find(({ key }) => key.endsWith('exportPath'));
    expect(place).toEqual({ key: 'triage.scorecard.exportPath', value: report.path, path: '/g/own', line: 16 });
  });

  it('when fallback or triage is switched off there, then nothing is written', () => {
    const off = (key: string) => resolved(TRIAGE.replace(key, `"enabled": false, ${key}`)).triage.isEnabled;
    expect([off('"triage":'), resolved(TRIAGE.replace('true', 'false')).triage.isEnabled]).toEqual([false, false]);
  });

  it('when a project names that place, then it is ignored with a word; one inside stays inside', () => {
    const read = (path: string) => {
      const file = confined(theirs(TRIAGE.replace(report.path, path), { isProjects: true }));
      const { triage, problems } = resolveScope({ global: null, project: null, foreign: [file] }, NO_HOST);
      return [triage.path, triage.isConfined, problems.map(({ code, line }) => `${code}:${line}`)];
    };
    expect(read(report.path)).toEqual([null, false, ['place.outside:16']]);
    expect(read('reports/card.json')).toEqual(['reports/card.json', true, []]);
  });

  it('when a figure is unknown, then it is told, and the report has every one', () => {
    const scope = resolved(TRIAGE.replace('"totalCalls"', '"totalCall"'));
    expect([scope.triage.metrics, scope.problems.map(({ code }) => code)]).toEqual([null, ['value.wrong']]);
  });
});

describe('given the shape that issue 7602 asks OpenCode for', () => {
  const MODELS = ['anthropic/claude-sonnet', 'anthropic/claude-sonnet-4', 'openai/gpt-4o-mini', 'x/default'];

  it('when it is read, then its names stand for the models of OpenCode that are called so, after the lead', () => {
    const scope = resolved(ISSUE_7602, { models: MODELS, defaultModel: 'x/default' });
    expect(scope.config.agents.build?.chain).toEqual(['x/default', 'anthropic/claude-sonnet', 'openai/gpt-4o-mini']);
    expect(scope.problems).toEqual([]);
  });

  it('when OpenCode has several of one name, then all of them stand in, and none of a longer name', () => {
    const models = ['anthropic/claude-sonnet', 'router/anthropic/claude-sonnet', 'x/my-claude-sonnet', 'x/default'];
    const scope = resolved(ISSUE_7602, { models, defaultModel: 'x/default' });
    expect(scope.config.agents.build?.chain).toEqual(['x/default', ...models.slice(0, 2)]);
    expect(scope.problems.map(({ code, line }) => [code, line])).toEqual([['glob.empty', 5]]);
  });

  it('when its models are written in full, then they are the chain also where nobody knows what OpenCode has', () => {
    const text = ISSUE_7602.replace('"claude-sonnet"', '"anthropic/claude-sonnet"').replace('"gpt', '"openai/gpt');
    const scope = resolved(text);
    expect(scope.config.agents.build?.chain).toEqual(['anthropic/claude-sonnet', 'openai/gpt-4o-mini']);
    expect(scope.problems).toEqual([]);
  });

  it('when a name is none, or stands in another list, then it is told as before', () => {
    const agents = { a: { model: { fallback: ['', ' b', 'any-*'] } }, b: { fallback_models: ['claude-sonnet'] } };
    const { problems } = resolved(JSON.stringify({ agents }), { models: MODELS });
    expect(problems.map(({ message }) => message)).toEqual([
      'agents.a.model.fallback[0] must be a model written as "provider/model", or a model’s name alone. It is ignored.',
      'agents.a.model.fallback[1] must be a model written as "provider/model", or a model’s name alone. It is ignored.',
      'agents.a.model.fallback[2] must be a model written as "provider/model", or a model’s name alone. It is ignored.',
      'agents.b.fallback_models[0] must be a model written as "provider/model". It is ignored.',
    ]);
  });

  it('when a model is an object of another shape, then it is nothing to us', () => {
    const text = JSON.stringify({ agents: { build: { model: { id: 'a/1', fallback: 'b/2' } } } });
    expect(parseForeign(text, PATH, { type: 'opencode' })).toMatchObject({ config: null, problems: [] });
  });
});

describe('given a chain and the number of times a turn moves on', () => {
  it.each([
    [3, 4, []],
    [3, 5, ['ends a turn after 4 of them. Set it to 4 to reach all.']],
    [1, 4, ['ends a turn after 2 of them. Set it to 3 to reach all.']],
    [0, 1, []],
    [undefined, 5, []],
    [undefined, 100, []],
  ])('when it is %s and the chain has %i models, then %j is told', (maxFallbackDepth, count, told) => {
    const fallbackModels = Array.from({ length: count }, (_, index) => `m/${index}`);
    const config = { defaults: { maxFallbackDepth }, agents: { '*': { fallbackModels } } };
    const global = { path: '/g', ...parseConfig(JSON.stringify(config), '/g') };
    const scope = resolveScope({ global, project: null }, { leads: { one: null, two: null }, defaultModel: 'm/0' });
    expect(messages(scope).map((message) => message.slice(message.indexOf('ends a turn')))).toEqual(told);
  });
});
