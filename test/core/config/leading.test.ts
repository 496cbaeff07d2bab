import { describe, expect, it } from 'vitest';
import type { ConfigSource, ConfigSources, HostModels } from '../../../src/core/config';
import { loosensAs, parseConfig, parseForeign, resolveScope } from '../../../src/core/config';

const GLOBAL = '/home/u/.config/opencode/model-fallback.json';
const PROJECT = '/p/.opencode/model-fallback.json';
const HOST: HostModels = { leads: { build: 'a/one' }, defaultModel: 'a/usual' };
/** OpenCode has a default model alone. */
const DEFAULT_ONLY: HostModels = { leads: {}, defaultModel: 'a/usual' };
const CAREFUL = { policy: 'council', vendorLock: true, maxPriceRatio: 1 };
const REPORT = { agents: { build: { fallbackModels: ['b/dear', 'a/one'] } } };

const source = (path: string, config: unknown): ConfigSource => ({
  path,
  ...parseConfig(JSON.stringify(config), path),
});

type Files = Readonly<{ own?: unknown; project?: unknown; trusted?: readonly string[] }>;
const sourcesOf = ({ own, project, trusted }: Files): ConfigSources => ({
  global: own === undefined ? null : source(GLOBAL, own),
  project: project === undefined ? null : source(PROJECT, project),
  ...(trusted ? { trusted } : {}),
});
const resolve = (files: Files, host: HostModels = HOST) => resolveScope(sourcesOf(files), host);
const keysIn = (files: Files, host?: HostModels) => resolve(files, host).kept.map(loosensAs);

describe('given a project whose chain of an agent begins with another model than OpenCode’s lead', () => {
  it.each([['vendorLock', true] as const, ['maxPriceRatio', 1] as const, ['policy', 'council'] as const])(
    'when the user has %s: %j, then their lead stays the first, and that is told where it stands',
    (key, value) => {
      const { config, kept, problems } = resolve({ own: { defaults: { [key]: value } }, project: REPORT });
      expect([config.agents.build?.chain[0], kept]).toEqual([
        'a/one',
        [{ path: ['agents', 'build', 'fallbackModels'], theirs: '["b/dear","a/one"]', own: '"a/one"' }],
      ]);
      expect(problems.filter(({ code }) => code === 'limit.kept')).toMatchObject([{ path: PROJECT, line: 1 }]);
    },
  );

  it('when the user has no such limit, then it leads as before', () => {
    const { config, kept, problems } = resolve({ own: { defaults: { maxFallbackDepth: 2 } }, project: REPORT });
    expect([config.agents.build?.chain, kept, problems]).toEqual([['b/dear', 'a/one'], [], []]);
  });

  it('when the user’s policy asks for another agent alone, then it leads this one', () => {
    const own = { agents: { oracle: { policy: 'council', fallbackModels: ['a/two'] } } };
    expect(resolve({ own, project: REPORT }).config.agents.build?.chain[0]).toBe('b/dear');
  });

  it('when its chain is written in tiers, then they are what is asked', () => {
    const project = { agents: { build: { tiers: [{ models: ['b/dear'] }, { models: ['a/one'] }] } } };
    const files = { own: { defaults: CAREFUL }, project };
    expect([keysIn(files), resolve(files).config.agents.build?.chain[0]]).toEqual([
      ['agents.build.tiers = ["b/dear","a/one"]'],
      'a/one',
    ]);
  });

  it('when it is the project’s file of another plugin, then it is the same', () => {
    const path = '/p/opencode.json';
    const theirs = parseForeign(JSON.stringify({ agent: { build: { fallback_models: ['b/dear', 'a/one'] } } }), path, {
      type: 'opencode',
    });
    if (theirs === null) throw new Error('unread');
    const foreign = [{ path, ...theirs, isProjects: true }];
    const { config, problems } = resolveScope({ ...sourcesOf({ own: { defaults: CAREFUL } }), foreign }, HOST);
    expect([config.agents.build?.chain[0], problems.find(({ code }) => code === 'limit.kept')?.path]).toEqual([
      'a/one',
      path,
    ]);
  });

  it('when the user’s own chain has another lead than OpenCode, then the user’s own stays', () => {
    const own = { defaults: CAREFUL, agents: { build: { fallbackModels: ['a/mine', 'a/one'] } } };
    expect(resolve({ own, project: REPORT }).config.agents.build?.chain[0]).toBe('a/mine');
    const { config, kept } = resolve({
      own,
      project: { agents: { build: { fallbackModels: ['a/mine', 'a/x', 'a/one'] } } },
    });
    expect([config.agents.build?.chain, kept]).toEqual([['a/mine', 'a/x', 'a/one'], []]);
  });

  it('when OpenCode’s lead is the first in it, or is not in it, then nothing is asked', () => {
    const lists = [['a/one', 'a/two'], ['a/two'], []];
    const seen = lists.map((fallbackModels) =>
      keysIn({ own: { defaults: CAREFUL }, project: { agents: { build: { fallbackModels } } } }),
    );
    expect(seen).toEqual([[], [], []]);
  });

  it('when the project’s OpenCode names that model for the agent, then it is OpenCode’s own lead', () => {
    const { config, kept } = resolve(
      { own: { defaults: CAREFUL }, project: REPORT },
      { ...HOST, leads: { build: 'b/dear' } },
    );
    expect([config.agents.build?.chain, kept]).toEqual([['b/dear'], []]);
  });

  it('when patterns put another model first, then the models that fit are looked at', () => {
    const project = { agents: { build: { fallbackModels: ['a/n*', 'a/one'] } } };
    const host = { ...HOST, models: ['a/new', 'a/one'] };
    const files = { own: { defaults: CAREFUL }, project };
    expect([resolve(files, host).config.agents.build?.chain, keysIn(files, host)]).toEqual([
      ['a/one', 'a/new'],
      ['agents.build.fallbackModels = ["a/n*","a/one"]'],
    ]);
  });
});

describe('given a project that names a current model where OpenCode has only a default', () => {
  it.each(['build', '*'])('when it stands at %s, then the default leads, and the key is asked for', (entry) => {
    const project = { agents: { [entry]: { currentModel: 'b/dear', fallbackModels: ['a/two'] } } };
    const files = { own: { defaults: CAREFUL, agents: { build: {} } }, project };
    const { config } = resolve(files, DEFAULT_ONLY);
    expect([config.agents.build, keysIn(files, DEFAULT_ONLY)]).toMatchObject([
      { chain: ['a/usual', 'a/two'] },
      [`agents.${entry} = "b/dear"`.replace(' =', '.currentModel =')],
    ]);
    expect(config.agents[entry]).not.toHaveProperty('isNamed');
  });

  it('when OpenCode has no default either, then whoever OpenCode takes leads', () => {
    const project = { agents: { build: { currentModel: 'b/dear', fallbackModels: ['a/two'] } } };
    const files = { own: { defaults: CAREFUL }, project };
    const none: HostModels = { leads: {}, defaultModel: null };
    expect([resolve(files, none).config.agents.build, keysIn(files, none)]).toMatchObject([
      { chain: ['a/two'] },
      ['agents.build.currentModel = "b/dear"'],
    ]);
    expect(resolve(files, none).config.agents.build).not.toHaveProperty('isNamed');
  });

  it('when the user’s own file names one, then that leads', () => {
    const own = { defaults: CAREFUL, agents: { build: { currentModel: 'a/mine', fallbackModels: ['a/two'] } } };
    const files = { own, project: { agents: { build: { currentModel: 'b/dear' } } } };
    expect(resolve(files, DEFAULT_ONLY).config.agents.build).toMatchObject({
      chain: ['a/mine', 'a/two'],
      isNamed: true,
    });
  });

  it('when a chain of the project’s hides the user’s own for all, then the user’s own still leads', () => {
    const own = { defaults: CAREFUL, agents: { '*': { currentModel: 'a/mine', fallbackModels: ['a/two'] } } };
    const files = { own, project: { agents: { build: { fallbackModels: ['a/three'] } } } };
    expect(resolve(files, DEFAULT_ONLY).config.agents.build).toMatchObject({
      chain: ['a/mine', 'a/three'],
      isNamed: true,
    });
  });
});

describe('given a yes to another lead', () => {
  const files = { own: { defaults: CAREFUL }, project: REPORT };
  const trusted = keysIn(files);

  it('when it is to this chain, then its first model leads, and nothing is told', () => {
    const { config, kept, problems } = resolve({ ...files, trusted });
    expect([config.agents.build?.chain[0], kept, problems.map(({ code }) => code)]).toEqual([
      'b/dear',
      [],
      ['vendor.locked'],
    ]);
  });

  it('when the project names other models by then, then it is asked again', () => {
    const project = { agents: { build: { fallbackModels: ['b/dearer', 'a/one'] } } };
    expect(keysIn({ ...files, project, trusted })).toEqual(['agents.build.fallbackModels = ["b/dearer","a/one"]']);
  });

  it('when the limit itself was let go, then the lead is no question', () => {
    const own = { defaults: { policy: 'council' } };
    const project = { defaults: { policy: 'swift' }, ...REPORT };
    const policy = keysIn({ own, project }).filter((key) => key.startsWith('defaults.policy'));
    expect([policy.length, keysIn({ own, project, trusted: policy })]).toEqual([1, []]);
  });
});

describe('given more agents than are kept', () => {
  it('when a project fills the limit with names that sort first, then the user’s own agents and OpenCode’s keep their place', () => {
    const own = {
      agents: { '*': { fallbackModels: ['a/two'] }, oracle: { policy: 'council', fallbackModels: ['a/two'] } },
    };
    const theirs = Object.fromEntries(
      Array.from({ length: 250 }, (_, at) => [String(at), { fallbackModels: ['a/x'] }]),
    );
    const { config, problems } = resolve({ own, project: { agents: theirs } });
    expect(
      Object.keys(config.agents)
        .filter((name) => !/^\d+$/.test(name))
        .sort(),
    ).toEqual(['*', 'build', 'oracle']);
    expect([Object.keys(config.agents).length, config.agents.oracle?.policy.quota[0]?.step]).toEqual([200, 'ask']);
    expect(problems.map(({ code }) => code)).toEqual(['agents.too_many']);
  });
});
