import { describe, expect, it } from 'vitest';
import { writtenModel } from '../../../src/contract/written-model';
import { type HostModels, parseConfig, resolveScope } from '../../../src/core/config';
import { ScopeConfig } from '../../../src/protocol';

const PATH = '/home/u/.config/opencode/model-fallback.json';

function resolve(config: unknown, host: Partial<HostModels> = {}) {
  const text = JSON.stringify(config);
  const sources = { global: { path: PATH, ...parseConfig(text, PATH) }, project: null };
  return resolveScope(sources, { leads: {}, defaultModel: null, ...host });
}

const build = (...models: string[]) => ({ agents: { build: { fallbackModels: models } } });

describe('given a model as a chain writes it', () => {
  it.each([
    ['a/b#high', 'a/b', 'high'],
    ['a/b', 'a/b', null],
    ['a/b#', 'a/b#', null],
    ['a/b#c/d', 'a/b#c/d', null],
    ['a/v/b#x-high', 'a/v/b', 'x-high'],
    [`a/b#${'x'.repeat(101)}`, `a/b#${'x'.repeat(101)}`, null],
  ])('when it is %s, then it is the model %s in the variant %s', (written, model, variant) => {
    expect(writtenModel(written)).toEqual({ model, variant });
  });

  it('when OpenCode has a model that is called so as a whole, then it is that one', () => {
    expect(writtenModel('a/b#high', ['a/b#high'])).toEqual({ model: 'a/b#high', variant: null });
  });
});

describe('given chains with variants', () => {
  it('when they are resolved, then a model is itself, and its variant stands beside the chain', () => {
    const { agents } = resolve(build('a/1#high', 'b/2', 'c/3#default', 'a/1#low')).config;
    expect(agents.build).toMatchObject({ chain: ['a/1', 'b/2', 'c/3'], variants: { 'a/1': 'high', 'c/3': 'default' } });
  });

  it('when no variant is written, then the plan says nothing of any', () => {
    expect(resolve(build('a/1', 'b/2')).config.agents.build).not.toHaveProperty('variants');
  });

  it('when a pattern has one, then each model that it fits has it, as far as OpenCode knows it of that model', () => {
    const models = ['a/1', 'a/2', 'b/2'];
    const catalogue = { 'a/1': { variants: ['high'] }, 'a/2': { variants: ['low'] }, 'b/2': {} };
    const { config, problems } = resolve(build('a/*#high', 'b/2#max'), { models, catalogue });
    expect([config.agents.build?.chain, config.agents.build?.variants]).toEqual([
      models,
      { 'a/1': 'high', 'b/2': 'max' },
    ]);
    expect(problems.map(({ code, line, message }) => [code, line, message])).toEqual([
      ['variant.unknown', 1, 'a/2 has no variant "high" in OpenCode, it has low: its default is used.'],
    ]);
  });

  it('when OpenCode has none of a model, then it is told, and the model stays in the chain without it', () => {
    const host = { models: ['a/1'], catalogue: { 'a/1': { variants: [] } } };
    const { config, problems } = resolve(build('a/1#high'), host);
    expect([config.agents.build?.chain, config.agents.build?.variants, problems.map(({ message }) => message)]).toEqual(
      [['a/1'], undefined, ['a/1 has no variant "high" in OpenCode, it has none: its default is used.']],
    );
  });

  it('when currentModel and backupModel have one, then they are the models without it', () => {
    const host = { models: ['a/1', 'b/2'] };
    const { config, problems } = resolve(
      { defaults: { backupModel: 'b/2#high' }, agents: { build: { currentModel: 'a/1#low', fallbackModels: [] } } },
      host,
    );
    expect([config.backupModel, config.agents.build?.chain, problems]).toEqual(['b/2', ['a/1'], []]);
  });

  it('when `*` has the chain, then who goes by it has its variants', () => {
    const { agents } = resolve(
      { agents: { '*': { fallbackModels: ['b/2#max'] } } },
      { leads: { build: 'a/1' } },
    ).config;
    expect(agents.build).toMatchObject({ chain: ['a/1', 'b/2'], variants: { 'b/2': 'max' } });
  });

  it('when the scope goes to the app, then it is taken as it is', () => {
    const { config } = resolve(build('a/1#high', 'b/2'));
    expect(ScopeConfig.parse(JSON.parse(JSON.stringify(config))).agents.build?.variants).toEqual({ 'a/1': 'high' });
  });
});
