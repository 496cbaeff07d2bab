import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConfigSource, type HostModels, parseConfig, parseForeign, resolveScope } from '../../../src/core/config';
import { unfitFor } from '../../../src/engine/base/catalogue';
import { runs } from '../../support/runs';

type Definitions = Readonly<Record<string, unknown>>;
const OWN = '/home/u/.config/opencode/model-fallback.json';
const CHAIN = ['a/lead', 'b/dear', 'b/cheap', 'c/new'];
/** As OpenCode's catalogue has them: in and out. */
const LISTED: Readonly<Record<string, Readonly<{ vendor: string; priceIn: number; priceOut: number }>>> = {
  'a/lead': { vendor: 'openai', priceIn: 1, priceOut: 4 },
  'b/dear': { vendor: 'anthropic', priceIn: 15, priceOut: 75 },
  'b/cheap': { vendor: 'openai', priceIn: 1, priceOut: 2 },
};

const opencode = (path: string, provider: Definitions, isProjects: boolean): ConfigSource => {
  const parsed = parseForeign(JSON.stringify({ provider }), path, { type: 'opencode' });
  if (parsed === null) throw new Error('unread');
  return { path, ...parsed, ...(isProjects ? { isProjects } : {}) };
};

/** Everything under the user's limits, with what OpenCode makes of a project's definitions. */
function resolved(about: {
  defaults?: unknown;
  theirs?: Definitions;
  mine?: Definitions;
  lists?: HostModels['catalogue'];
}) {
  const { defaults = { vendorLock: true, maxPriceRatio: 2 }, theirs, mine, lists = {} } = about;
  const own = { defaults, agents: { '*': { fallbackModels: CHAIN.slice(1) } } };
  const foreign = [
    ...(theirs ? [opencode('/p/opencode.json', theirs, true)] : []),
    ...(mine ? [opencode('/home/u/.config/opencode/opencode.json', mine, false)] : []),
  ];
  const global = { path: OWN, ...parseConfig(JSON.stringify(own), OWN) };
  return resolveScope(
    { global, project: null, foreign },
    { leads: { build: 'a/lead' }, defaultModel: 'a/lead', models: CHAIN, catalogue: { ...LISTED, ...lists } },
  );
}

/** Who may stand in for a lead. */
function admitted({ config }: ReturnType<typeof resolved>, lead = 'a/lead'): readonly string[] {
  const chain = config.agents.build?.chain ?? [];
  const { models, vendorLock, maxPriceRatio } = config;
  const boundaries = { models, vendorLock, maxPriceRatio };
  return chain.filter((model) => model !== lead && unfitFor(model, { lead, needs: undefined, boundaries }) === null);
}
const model = (provider: string, name: string, said: Definitions) => ({ [provider]: { models: { [name]: said } } });
const PRICE = { maxPriceRatio: 2 };
const VENDOR = { vendorLock: true };

describe('given limits of the user’s own on price and vendor, and a project that defines models', () => {
  it.each<readonly [string, unknown, Definitions, HostModels['catalogue']]>([
    ['the dear one is free', PRICE, model('b', 'dear', { cost: { input: 0, output: 0 } }), { 'b/dear': {} }],
    [
      'the dear one is cheap',
      PRICE,
      model('b', 'dear', { cost: { input: 1, output: 1 } }),
      { 'b/dear': { priceIn: 1, priceOut: 1 } },
    ],
    [
      'the lead is dear',
      PRICE,
      model('a', 'lead', { cost: { input: 99, output: 99 } }),
      { 'a/lead': { priceIn: 99, priceOut: 99 } },
    ],
    ['the lead is free', PRICE, model('a', 'lead', { cost: { input: 0, output: 0 } }), { 'a/lead': {} }],
    [
      'the dear one is the lead’s vendor’s',
      VENDOR,
      model('b', 'dear', { family: 'gpt' }),
      { 'b/dear': { vendor: 'openai' } },
    ],
    [
      'the lead is the dear one’s vendor’s',
      VENDOR,
      model('a', 'lead', { family: 'claude' }),
      { 'a/lead': { vendor: 'anthropic' } },
    ],
    ['the cheap name leads to a dear model', PRICE, model('b', 'cheap', { id: 'dear' }), {}],
  ])(
    'when by its word %s, then nobody stands in whom the limits refuse without that word',
    (_, defaults, theirs, lists) => {
      const without = admitted(resolved({ defaults }));
      expect(without).not.toContain('b/dear');
      const now = resolved({ defaults, theirs, ...(lists ? { lists } : {}) });
      const touched = Object.entries(theirs).flatMap(([provider, said]) =>
        Object.keys((said as { models: object }).models).map((name) => `${provider}/${name}`),
      );
      expect(admitted(now).filter((each) => !without.includes(each) || touched.includes(each))).toEqual([]);
      expect(now.problems.map(({ code }) => code)).toContain('model.doubted');
    },
  );

  it('when it makes a provider of its own, then that one stands in for nobody; without limits it may', () => {
    const theirs = { c: { options: { baseURL: 'http://c' }, models: { new: {} } } };
    expect([admitted(resolved({ defaults: PRICE, theirs })), admitted(resolved({ defaults: {}, theirs }))]).toEqual([
      ['b/cheap'],
      ['b/dear', 'b/cheap', 'c/new'],
    ]);
  });

  it('when it only tunes models of the catalogue, then the catalogue counts as before', () => {
    const theirs = {
      b: { options: { timeout: 9 }, models: { cheap: { options: { effort: 'low' }, limit: { context: 9 } } } },
    };
    expect(admitted(resolved({ theirs }))).toEqual(['b/cheap']);
  });

  it('when the user’s own file defines the same model, then the user’s word counts, not the project’s', () => {
    const cost = (input: number) => model('c', 'new', { family: 'gpt', cost: { input, output: input } });
    const lists = { 'c/new': { vendor: 'openai', priceIn: 0.1, priceOut: 0.1 } };
    expect([2, 90].map((price) => admitted(resolved({ theirs: cost(0.1), mine: cost(price), lists })))).toEqual([
      ['b/cheap', 'c/new'],
      ['b/cheap'],
    ]);
  });

  it('when the model of last resort is of its making, then there is none', () => {
    const theirs = model('b', 'cheap', { cost: { input: 0, output: 0 } });
    const defaults = { ...PRICE, backupModel: 'b/cheap' };
    expect([resolved({ defaults, theirs }).config.backupModel, resolved({ defaults }).config.backupModel]).toEqual([
      null,
      'b/cheap',
    ]);
  });

  it('when its file cannot be read, then nobody stands in for anybody', () => {
    const parsed = parseForeign(`{"x":${'['.repeat(5_000)}`, '/p/opencode.json', { type: 'opencode' });
    expect(parsed?.providers).toEqual(['*']);
    const own = { defaults: PRICE, agents: { '*': { fallbackModels: CHAIN.slice(1) } } };
    const global = { path: OWN, ...parseConfig(JSON.stringify(own), OWN) };
    const foreign = parsed ? [{ path: '/p/opencode.json', ...parsed, isProjects: true }] : [];
    const host = { leads: { build: 'a/lead' }, defaultModel: 'a/lead', models: CHAIN, catalogue: LISTED };
    expect(resolveScope({ global, project: null, foreign }, host).config.agents.build?.chain).toEqual([]);
  });
});

describe('given any project', () => {
  const price = fc.constantFrom(0, 0.5, 1, 4, 15, 75, 500);
  const said = fc.record(
    {
      cost: fc.record({ input: price, output: price }),
      family: fc.constantFrom('gpt', 'claude', 'gemini'),
      id: fc.constantFrom('dear', 'other'),
      limit: fc.constant({ context: 9 }),
    },
    { requiredKeys: [] },
  );
  const project = fc.uniqueArray(fc.tuple(fc.constantFrom(...CHAIN), said), {
    selector: ([name]) => name,
    maxLength: 4,
  });
  const limits = fc.record(
    { vendorLock: fc.constant(true), maxPriceRatio: fc.constantFrom(0.5, 1, 2, 10) },
    { requiredKeys: [] },
  );

  it('when it defines what it likes, then nobody is admitted whom the user’s limits refuse without that', () => {
    fc.assert(
      fc.property(project, limits, fc.constantFrom(...CHAIN), (models, defaults, lead) => {
        const theirs: Record<string, { models: Record<string, unknown> }> = {};
        const lists: Record<string, Record<string, unknown>> = {};
        for (const [name, facts] of models) {
          const [provider = '', id = ''] = name.split('/');
          theirs[provider] = { models: { ...theirs[provider]?.models, [id]: facts } };
          const { cost, family } = facts;
          const vendor = family && { gpt: 'openai', claude: 'anthropic', gemini: 'google' }[family];
          const isFree = cost && cost.input === 0 && cost.output === 0;
          const { priceIn: _, priceOut: __, ...unpriced } = LISTED[name] ?? {};
          lists[name] = {
            ...(isFree ? unpriced : LISTED[name]),
            ...(vendor ? { vendor } : {}),
            ...(cost && !isFree ? { priceIn: cost.input, priceOut: cost.output } : {}),
          };
        }
        const isLimited = Object.keys(defaults).length > 0;
        const without = admitted(resolved({ defaults }), lead);
        const now = admitted(resolved({ defaults, theirs, lists: lists as HostModels['catalogue'] & object }), lead);
        return !isLimited || now.every((each) => without.includes(each));
      }),
      { numRuns: runs(2_000) },
    );
  });
});
