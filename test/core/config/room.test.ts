import { describe, expect, it } from 'vitest';
import type { ConfigSource, HostModels } from '../../../src/core/config';
import { parseConfig, resolveScope } from '../../../src/core/config';
import { FAILURE_KINDS } from '../../../src/engine';
import { PRESETS } from '../../../src/engine/tools';
import { MAX_LINE_BYTES, ScopeConfig } from '../../../src/protocol';
import { many } from '../../support/hostile/place';
import { COMPANION, openTestCore } from '../virtual-core';

const GLOBAL = '/home/u/.config/opencode/model-fallback.json';
const PROJECT = '/p/.opencode/model-fallback.json';

const keyed = (count: number, name: (at: number) => string, value: unknown) =>
  Object.fromEntries(many(count, (at) => [name(at), value] as const));
const source = (path: string, config: unknown): ConfigSource => ({
  path,
  ...parseConfig(JSON.stringify(config), path),
});
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const MODELS = many(1_000, (at) => `p${at % 20}/m${at}`);
const HOST: HostModels = { leads: { build: 'p0/m0' }, defaultModel: 'p0/m0', models: MODELS };

const resolve = (project: unknown, host: HostModels = HOST, own: unknown = {}) =>
  resolveScope({ global: source(GLOBAL, own), project: source(PROJECT, project) }, host);

/** The picture of a directory with this configuration. */
function snapshotOf(config: unknown) {
  const { core, tell } = openTestCore();
  core.connected(COMPANION);
  tell({ type: 'scope.configured', directory: '/p', config: ScopeConfig.parse(config) });
  return core.host.handlers['snapshot.get'](null);
}

const EVERY_ROW = Object.fromEntries(
  FAILURE_KINDS.map((kind) => [kind, [...many(9, () => 'waitHint:86400000'), 'switch']]),
);
const LONG_NAME = (at: number): string => `${String(at).padStart(3, '0')}${'語'.repeat(97)}`;

const WIDE = { agents: keyed(200, (at) => `a${at}`, { fallbackModels: ['*/*'] }) };
const LONG_POLICY = {
  policies: { mine: { rows: EVERY_ROW } },
  agents: keyed(199, (at) => `a${at}`, { policy: 'mine', fallbackModels: ['p0/m20'] }),
};
const LONG_MODELS: HostModels = {
  ...HOST,
  models: many(1_000, (at) => `${at}${'語'.repeat(140)}/${'語'.repeat(140)}`),
};

describe('given a project that names more than can be told', () => {
  it.each<[string, unknown, HostModels]>([
    ['two hundred agents with all models', WIDE, HOST],
    ['two hundred agents with all models, which have long names', WIDE, LONG_MODELS],
    [
      'agents with names as long as may be',
      { agents: keyed(200, LONG_NAME, { fallbackModels: ['*/*'] }) },
      LONG_MODELS,
    ],
    ['a long policy of each agent', LONG_POLICY, HOST],
  ])(
    'when it is %s, then what is told passes the wire, what is shown stays below its limit, and that is said',
    (_, project, host) => {
      const { config, problems } = resolve(project, host);
      expect(ScopeConfig.safeParse(config).success).toBe(true);
      expect(sizeOf(config)).toBeLessThan(0.7 * MAX_LINE_BYTES);
      expect(sizeOf(snapshotOf(config))).toBeLessThan(0.8 * MAX_LINE_BYTES);
      expect(problems.map(({ code }) => code)).toContain(
        project === LONG_POLICY ? 'agents.too_many' : 'chains.too_many',
      );
    },
  );

  it('when all chains are too long, then each keeps its first models, and the price of each is known', () => {
    const catalogue = Object.fromEntries(MODELS.map((model) => [model, { priceIn: 1, priceOut: 1 }]));
    const { config } = resolve(WIDE, { ...HOST, catalogue });
    const { build: _, ...asked } = config.agents;
    const lengths = Object.values(asked).map(({ chain }) => chain.length);
    expect([lengths.length, Math.min(...lengths) > 10, Math.max(...lengths) - Math.min(...lengths) < 3]).toEqual([
      199,
      true,
      true,
    ]);
    const used = new Set(Object.values(config.agents).flatMap(({ chain }) => chain));
    expect([...used].filter((model) => !Object.hasOwn(config.models ?? {}, model))).toEqual([]);
  });

  it('when many agents have other models each, then what is known of each is told all the same', () => {
    const agents = Object.fromEntries(
      many(20, (at) => [`a${at}`, { fallbackModels: MODELS.slice(at * 50, at * 50 + 50) }] as const),
    );
    const catalogue = Object.fromEntries(MODELS.map((model) => [model, { priceIn: 1, priceOut: 1 }]));
    const { config } = resolve({ agents, defaults: { backupModel: 'p19/m999' } }, { ...HOST, catalogue });
    const used = new Set([...Object.values(config.agents).flatMap(({ chain }) => chain), 'p19/m999']);
    expect([...used].filter((model) => !Object.hasOwn(config.models ?? {}, model))).toEqual([]);
  });

  it('when its policy is too long for the user’s own agents, then those have the rows of the user’s own file', () => {
    const own = { agents: keyed(150, (at) => `a${at}`, { policy: 'council', fallbackModels: ['p0/m20'] }) };
    const policies = { council: { rows: EVERY_ROW }, mine: { extends: 'council', rows: EVERY_ROW } };
    const agents = keyed(150, (at) => `a${at}`, { policy: 'mine' });
    const { config } = resolve({ policies, agents }, HOST, own);
    const { build: _, ...users } = config.agents;
    const rows = Object.values(users).map(({ policy }) => JSON.stringify(policy.quota));
    expect([rows.length, new Set(rows).size]).toEqual([150, 1]);
    expect(config.agents.a149?.policy).toEqual(PRESETS.council);
    expect(sizeOf(config)).toBeLessThan(0.7 * MAX_LINE_BYTES);
  });
});

describe('given what no message can carry in what OpenCode says', () => {
  const own = { agents: { '*': { fallbackModels: ['p0/m20'] } } };

  it('when an agent’s name is too long, then it is left out, and that is said', () => {
    const long = 'n'.repeat(101);
    const { config, problems } = resolve({}, { ...HOST, leads: { ...HOST.leads, [long]: 'p0/m0' } }, own);
    expect([Object.keys(config.agents), ScopeConfig.safeParse(config).success]).toEqual([['*', 'build'], true]);
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ['host.wrong', `The agent "${'n'.repeat(40)}…" is skipped: its name is too long.`],
    ]);
  });

  it.each(['/x', 'x/', `p/${'m'.repeat(300)}`])(
    'when a lead is %j, then it counts as none, and that is said',
    (lead) => {
      const { config, problems } = resolve({}, { ...HOST, leads: { build: lead } }, own);
      expect([config.agents.build?.chain, ScopeConfig.safeParse(config).success]).toEqual([['p0/m0', 'p0/m20'], true]);
      expect(problems.map(({ code }) => code)).toEqual(['host.wrong']);
    },
  );

  it('when the default or a listed model is none, then nothing is made of it', () => {
    const models = [...MODELS, '/x', `p/${'m'.repeat(300)}`];
    const wide = { agents: { '*': { fallbackModels: ['*/*'] } } };
    const { config } = resolve({}, { leads: {}, defaultModel: '/x', models: models.toReversed() }, wide);
    expect([config.agents['*']?.chain[0], ScopeConfig.safeParse(config).success]).toEqual(['p19/m999', true]);
  });
});

describe('given a project with more mistakes than are told', () => {
  const mistakes = { agents: keyed(150, (at) => `a${at}`, { wrong: 1 }) };

  it('when it also loosens a limit, then that comes before all of them', () => {
    const project = { ...mistakes, defaults: { vendorLock: false, maxPriceRatio: 9 } };
    const { problems } = resolve(project, HOST, { defaults: { vendorLock: true, maxPriceRatio: 1 } });
    expect([problems.length, problems.slice(0, 2).map(({ code }) => code)]).toEqual([
      100,
      ['limit.kept', 'limit.kept'],
    ]);
  });

  it('when the user’s own file has one as well, then it is told before them', () => {
    const { problems } = resolve(mistakes, HOST, { unknown: 1 });
    expect([problems.length, problems[0]?.path, problems[1]?.path]).toEqual([100, GLOBAL, PROJECT]);
  });
});

describe('given a file that switches Understudy off', () => {
  it('when it is the project’s, then that is told with its place', () => {
    const { config, problems } = resolve({ enabled: false }, HOST, { agents: { '*': { fallbackModels: ['p0/m20'] } } });
    expect([config.enabled, problems.map(({ code, path, line }) => [code, path, line])]).toEqual([
      false,
      [['project.off', PROJECT, 1]],
    ]);
  });

  it('when the user has done so themselves, then there is nothing to tell', () => {
    expect(resolve({ enabled: false }, HOST, { enabled: false }).problems).toEqual([]);
    expect(resolve({}, HOST, { enabled: false }).problems).toEqual([]);
  });
});
