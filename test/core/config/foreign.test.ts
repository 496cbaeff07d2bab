import { describe, expect, it } from 'vitest';
import { effectiveValues, type ForeignKind, parseConfig, parseForeign, resolveScope } from '../../../src/core/config';
import { readFrontMatter } from '../../../src/core/config/front-matter';

const PATH = '/home/u/theirs';
const OPENCODE: ForeignKind = { type: 'opencode' };

/** The chains a file names, and what is wrong in it, one line each. */
function read(text: string | object, kind: ForeignKind = OPENCODE) {
  const reader = kind.type === 'agent' ? [readFrontMatter] : [];
  const parsed = parseForeign(typeof text === 'string' ? text : JSON.stringify(text), PATH, kind, ...reader);
  const { config, problems } = parsed ?? { config: null, problems: [] };
  const told = problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
  return { agents: config?.agents ?? null, told };
}

const agent = (entry: object) => ({ agent: { build: { model: 'a/lead', ...entry } } });
const chain = (...models: string[]) => ({ build: { fallbackModels: models } });

describe('given an agent of others whose name no message can carry', () => {
  const long = 'n'.repeat(101);
  const entry = { fallback_models: ['a/one'] };

  it('when it stands beside another, then the other counts, and that is said', () => {
    const text = JSON.stringify({ agent: { [long]: entry, '': entry, build: entry } });
    const read = parseForeign(text, '/p/opencode.json', { type: 'opencode' });
    expect([read?.config?.agents, read?.problems.map(({ code, line }) => [code, line])]).toEqual([
      { build: { fallbackModels: ['a/one'] } },
      [['value.wrong', 1]],
    ]);
  });

  it('when it is the name of a file, then nothing of it counts, and that is said', () => {
    const tree = { value: entry, positionOf: () => null };
    const read = parseForeign('', `/p/.opencode/agent/${long}.md`, { type: 'agent', agent: long }, () => tree);
    expect([read?.config, read?.problems.map(({ code }) => code)]).toEqual([null, ['value.wrong']]);
  });
});

describe("given OpenCode's own configuration", () => {
  it.each([
    ['fallback_models', { fallback_models: ['a/1', 'b/2'] }, chain('a/1', 'b/2')],
    ['fallback as a list', { fallback: ['a/1'] }, chain('a/1')],
    ['fallback with models', { fallback: { models: ['a/1'], enabled: true } }, chain('a/1')],
    ['fallback that is switched off', { fallback: { models: ['a/1'], enabled: false } }, chain()],
    [
      'models with currentModel',
      { models: ['a/1', 'b/2'], currentModel: 'b/2' },
      { build: { fallbackModels: ['a/1', 'b/2'], currentModel: 'b/2' } },
    ],
    ['fallback switched off beside all others', { fallback_models: ['x/9'], fallback: { enabled: false } }, chain()],
    ['fallback without models beside models', { models: ['a/1'], fallback: { enabled: true } }, chain('a/1')],
    [
      'fallback_models before all others',
      { fallback_models: ['a/1'], fallback: ['x/9'], models: ['y/9'] },
      chain('a/1'),
    ],
    [
      'models with variants',
      { fallback: ['a/1#high', { providerID: 'b', id: '2', variant: 'low' }] },
      chain('a/1#high', 'b/2#low'),
    ],
    ['models in two parts', { fallback: [{ providerID: 'a', modelID: 'x/1' }] }, chain('a/x/1')],
  ])('when an agent has %s, then that is its chain', (_, entry, agents) => {
    expect(read(agent(entry))).toEqual({ agents, told: [] });
    expect(read({ agents: agent(entry).agent })).toEqual({ agents, told: [] });
  });

  it('when it is written for OpenCode 2, then its chains are read and the rest of it is no problem', () => {
    const build = { model: 'a/lead#high', system: 'Be brief.', mode: 'primary', steps: 9, fallback: ['b/2#low'] };
    const providers = { a: { package: '@ai-sdk/openai', settings: { apiKey: '{env:KEY}' }, models: { lead: {} } } };
    const plugins = [{ package: './plug', options: { agents: { build: { fallback: ['x/9'] } } } }];
    expect(read({ agents: { build, plan: { disabled: true } }, providers, plugins })).toEqual({
      agents: chain('b/2#low'),
      told: [],
    });
  });

  it('when the fallback has tiers, then they are tiers', () => {
    const tiers = [{ name: 'top', models: ['a/1'] }, { models: ['b/2', 'c/*'] }];
    expect(read(agent({ fallback: { models: ['x/0'], extendedChain: { tiers } } })).agents).toEqual({
      build: { fallbackModels: ['x/0'], tiers },
    });
  });

  it('when what we have for all is said of one agent, then we say where to write it', () => {
    expect(read('{ "agent": { "build": { "fallback": {\n  "models": ["a/1"], "triage": {} } } } }')).toEqual({
      agents: chain('a/1'),
      told: [
        '2:32 agent.build.fallback.triage is not read: write triage in model-fallback.json, or fallback.triage at the top of this file.',
      ],
    });
  });

  it('when a model is wrong, then it alone is left out, with its place', () => {
    expect(read('{ "agent": { "build": {\n "fallback_models": ["a/1", 2, "nope"] } } }')).toEqual({
      agents: chain('a/1'),
      told: [
        '2:29 agent.build.fallback_models[1] must be a model written as "provider/model". It is ignored.',
        '2:32 agent.build.fallback_models[2] must be a model written as "provider/model". It is ignored.',
      ],
    });
  });

  it.each([
    ['no chains', '{ "agent": { "build": { "model": "a/1" } }, "plugin": [] }'],
    ['models that are none of our business', '{ "agent": { "build": { "models": { "a": 1 } } } }'],
  ])('when it has %s, then it is nothing to us', (_, text) => {
    expect(parseForeign(text, PATH, OPENCODE)).toEqual({ config: null, problems: [], positions: new Map() });
  });

  it.each([
    ['an error', '{ "agent": '],
    ['no object', '[]'],
  ])('when it has %s, then it cannot be read', (_, text) => {
    expect(parseForeign(text, PATH, OPENCODE)).toBeNull();
  });

  it.each([
    ['nesting without end', '['.repeat(100_000), 'it is nested too deep'],
    ['values without end', `[${'1,'.repeat(20_000)}]`, 'it holds more than 10000 values'],
  ])('when it has %s, then nothing of it counts, and that is said', (_, text, reason) => {
    expect(parseForeign(text, PATH, OPENCODE)).toMatchObject({
      config: null,
      problems: [{ severity: 'warning', message: `Chains in this file do not count: ${reason}.`, path: PATH }],
    });
  });
});

describe('given an agent written as markdown', () => {
  const matter: ForeignKind = { type: 'agent', agent: 'review/security' };

  it('when its front matter has fallback_models, then that is its chain, and its lines are known', () => {
    const text = '---\ndescription: looks\nfallback_models:\n  - a/1\n  - 2\n  - b/2\n---\nYou look.\n';
    expect(read(text, matter)).toEqual({
      agents: { 'review/security': { fallbackModels: ['a/1', 'b/2'] } },
      told: ['5:5 fallback_models[1] must be a model written as "provider/model". It is ignored.'],
    });
  });

  it('when it has fallback.models, Windows line ends and a byte order mark, then they are read too', () => {
    expect(read('\ufeff---\r\nfallback:\r\n  models: [a/1]\r\n---\r\n', matter).agents).toEqual({
      'review/security': { fallbackModels: ['a/1'] },
    });
  });

  it.each([
    ['no front matter', 'You look.\n'],
    ['an open front matter', '---\nfallback_models: [a/1]\n'],
    ['front matter that is no YAML', '---\na: [\n---\n'],
    ['a list', '---\n- a/1\n---\n'],
    ['aliases of aliases', `---\na: &a [x]\nb: &b [${'*a,'.repeat(50)}]\nc: [${'*b,'.repeat(50)}]\n---\n`],
  ])('when it has %s, then it is nothing to us', (_, text) => {
    expect(read(text, matter)).toEqual({ agents: null, told: [] });
  });
});

describe('given files of other fallback plugins', () => {
  it('when fallback.chains names agents, then these are their chains; switched off they are none', () => {
    const fallback = { chains: { oracle: ['a/1'], build: ['b/2'] } };
    expect(read({ fallback }, { type: 'theseus' }).agents).toEqual({
      oracle: { fallbackModels: ['a/1'] },
      build: { fallbackModels: ['b/2'] },
    });
    expect(read({ fallback: { ...fallback, enabled: false } }, { type: 'theseus' }).agents).toBeNull();
  });

  it.each([['a/1'], [{ providerID: 'a', modelID: '1' }]])(
    'when one model %j stands in for all, then it is the chain of *, with phrases, cooldown and log',
    (fallbackModel) => {
      const text = JSON.stringify({ fallbackModel, patterns: ['too many'], cooldownMs: 1_000, logging: true });
      expect(parseForeign(text, PATH, { type: 'rate-limit-fallback' })?.config).toEqual({
        agents: { '*': { fallbackModels: ['a/1'] } },
        patterns: ['too many'],
        defaults: { cooldownMs: 1_000 },
        logging: true,
      });
    },
  );

  it('when its values are wrong, then each is told and ignored', () => {
    expect(read({ fallbackModel: 'x', patterns: 1, cooldownMs: -1 }, { type: 'rate-limit-fallback' })).toEqual({
      agents: null,
      told: [
        '1:18 fallbackModel must be a model written as "provider/model". It is ignored.',
        '1:33 patterns must be a list of phrases. It is ignored.',
        '1:48 cooldownMs must be a number of milliseconds from 0 to 2147483647. It is ignored.',
      ],
    });
  });
});

describe('given every source at once', () => {
  const own = (path: string, config: object) => ({ path, ...parseConfig(JSON.stringify(config, null, 1), path) });
  const theirs = (path: string, config: object, kind: ForeignKind = OPENCODE) => ({
    path,
    ...(parseForeign(JSON.stringify(config, null, 1), path, kind) ?? parseConfig('', path)),
  });
  const sources = {
    project: own('/p/own', { agents: { one: { fallbackModels: ['own/1'] } } }),
    global: own('/g/own', { agents: { two: { fallbackModels: ['own/2'] } }, defaults: { maxRetries: 5 } }),
    foreign: [
      theirs('/p/opencode.json', {
        agent: { one: { fallback: ['in/1'] }, two: { fallback: ['in/2'] }, three: { fallback: ['in/3'] } },
      }),
      theirs('/g/theseus', { fallback: { chains: { three: ['th/3'], four: ['th/4'] } } }, { type: 'theseus' }),
      theirs('/g/limit', { fallbackModel: 'li/5', cooldownMs: 7 }, { type: 'rate-limit-fallback' }),
    ],
  };

  it('when chains are resolved, then our own files win, then OpenCode’s, then the others’; each says file and line', () => {
    const { config, sources: from } = resolveScope(sources, { leads: { five: null }, defaultModel: 'x/lead' });
    const rows = Object.entries(config.agents).map(([name, { chain: models }]) => {
      const origin = from.agents[name];
      return `${name}: ${models.slice(1).join(' ')} (${origin?.chain} ${origin?.path}:${origin?.line})`;
    });
    expect(rows.sort()).toEqual([
      '*: li/5 (wildcard /g/limit:2)',
      'five: li/5 (wildcard /g/limit:2)',
      'four: th/4 (own /g/theseus:7)',
      'one: own/1 (own /p/own:4)',
      'three: in/3 (own /p/opencode.json:14)',
      'two: own/2 (own /g/own:4)',
    ]);
    expect(config.health.cooldownMs).toBe(7);
  });

  it('when every value is listed, then each has its file and line, and what nobody says is the default', () => {
    const values = effectiveValues(sources);
    expect(
      values.filter(({ key }) =>
        ['defaults.maxRetries', 'defaults.cooldownMs', 'defaults.restMs', 'agents.four.fallbackModels'].includes(key),
      ),
    ).toEqual([
      { key: 'defaults.cooldownMs', value: 7, path: '/g/limit', line: 3 },
      { key: 'defaults.maxRetries', value: 5, path: '/g/own', line: 10 },
      { key: 'agents.four.fallbackModels', value: ['th/4'], path: '/g/theseus', line: 7 },
      { key: 'defaults.restMs', value: 60_000, path: null, line: null },
    ]);
  });
});
