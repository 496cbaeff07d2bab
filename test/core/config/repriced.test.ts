import { describe, expect, it } from 'vitest';
import {
  type ConfigSource,
  costBy,
  costOfTokens,
  type HostModels,
  parseConfig,
  parseForeign,
  resolveScope,
} from '../../../src/core/config';
import { costIn } from '../../../src/core/config/model-cost';

type Definitions = Readonly<Record<string, unknown>>;
const OWN = '/home/u/.config/opencode/model-fallback.json';
const CATALOGUE: NonNullable<HostModels['catalogue']> = {
  'a/lead': { priceIn: 0.001, priceOut: 0.001 },
  'b/2': { priceOut: 9 },
};

const opencode = (path: string, text: string, isProjects: boolean): ConfigSource => {
  const parsed = parseForeign(text, path, { type: 'opencode' });
  if (parsed === null) throw new Error('unread');
  return { path, ...parsed, ...(isProjects ? { isProjects } : {}) };
};
const model = (said: Definitions, name = 'lead') => ({ a: { models: { [name]: said } } });

/** A user with a budget, or without one, in a project that defines models. */
function resolved(about: { theirs?: Definitions | string; mine?: Definitions; budget?: unknown; isLate?: boolean }) {
  const { theirs, mine, budget = { day: 5, action: 'stop' }, isLate = false } = about;
  const own = { ...(budget ? { budget } : {}), agents: { '*': { fallbackModels: ['b/2'] } } };
  const text = typeof theirs === 'string' ? theirs : JSON.stringify({ provider: theirs });
  const foreign = [
    ...(theirs ? [opencode('/p/opencode.json', text, true)] : []),
    ...(mine ? [opencode('/home/u/.config/opencode/opencode.json', JSON.stringify({ provider: mine }), false)] : []),
  ];
  return resolveScope(
    {
      ...{ global: { path: OWN, ...parseConfig(JSON.stringify(own), OWN) }, project: null, foreign },
      ...(isLate ? { late: { project: '/p', isFirst: true } } : {}),
    },
    { leads: { build: 'a/lead' }, defaultModel: 'a/lead', models: ['a/lead', 'b/2'], catalogue: CATALOGUE },
  );
}
const unpriced = (about: Parameters<typeof resolved>[0]) => resolved(about).config.unpriced;
const DEAR = { cost: { input: 15, output: 75, cache_read: 1.5 } };

describe('given a budget of the user’s, and a project that says what a model costs', () => {
  it.each<readonly [string, Definitions]>([
    ['next to nothing', { cost: { input: 0.000001, output: 0.000001 } }],
    ['nothing', { cost: { input: 0, output: 0 } }],
    ['less than nothing', { cost: { input: -1, output: -1 } }],
    ['as much as a cheap one by whose name it asks for it', { id: 'dear' }],
    ['the same for less of its cache', { cost: { input: 15, output: 75, cache_read: 0 } }],
  ])('when by its word that is %s, then nobody says what it costs, and its chain stays what it is', (_case, said) => {
    const { config, repriced, problems } = resolved({ theirs: model(said) });
    expect(config.unpriced).toEqual({ isAllBut: false, models: ['a/lead'] });
    expect(repriced && [costBy(repriced, 'a/lead'), costBy(repriced, 'b/2')]).toEqual([null, undefined]);
    expect(config.agents.build?.chain).toEqual(['a/lead', 'b/2']);
    const message =
      'Only this project sets a price for a/lead. While a budget asks or stops, the model is not called, unless your own opencode.json sets its price.';
    expect(problems).toMatchObject([{ code: 'model.unpriced', path: OWN, message }]);
  });

  it('when the user’s own file says it, then that is what it costs, for what costs less as well', () => {
    const { config, repriced } = resolved({ theirs: model({ cost: { input: 0, output: 0 } }), mine: model(DEAR) });
    expect(config.unpriced).toEqual({ isAllBut: false, models: [] });
    expect(repriced && costBy(repriced, 'a@work/lead')).toEqual({
      input: 15,
      output: 75,
      cacheRead: 1.5,
      cacheWrite: 0,
    });
    expect(config.models?.['a/lead']).toMatchObject({ priceIn: 15, priceOut: 75 });
  });

  it('when no budget is to be held, then nothing is said of it', () => {
    const theirs = model({ cost: { input: 0, output: 0 } });
    const told = [
      { day: 5 },
      { day: 5, action: 'degrade' },
      { action: 'stop' },
      { agents: { build: { day: 1, action: 'ask' } } },
    ].map((budget) => resolved({ theirs, budget }).problems.length);
    expect(told).toEqual([0, 0, 0, 1]);
  });

  it('when the user’s own word is of another model by that name, then it is none', () => {
    const mine = model({ ...DEAR, id: 'small' });
    expect(
      [{ id: 'large' }, { modelID: 'large' }, { id: 'small' }].map(
        (theirs) => unpriced({ theirs: model(theirs), mine })?.models,
      ),
    ).toEqual([['a/lead'], ['a/lead'], []]);
  });

  it('when it says only what the model costs, or asks for it by its own name, then the user’s word on it holds as far as it is of that one', () => {
    const free = { cost: { input: 0, output: 0 } };
    const mine = model({ ...DEAR, id: 'small' });
    expect([free, { ...free, id: 'lead' }].map((theirs) => unpriced({ theirs: model(theirs), mine })?.models)).toEqual([
      [],
      ['a/lead'],
    ]);
    expect(unpriced({ theirs: model({ ...free, id: 'lead' }), mine: model(DEAR) })?.models).toEqual([]);
  });

  it('when it names models that no chain can name, then they are left out: an app would hear nothing of this project for them', () => {
    const models = { '': DEAR, [`x${'y'.repeat(400)}`]: DEAR, lead: { cost: { input: 0, output: 0 } } };
    expect(unpriced({ theirs: { a: { models } } })).toEqual({ isAllBut: false, models: ['a/lead'] });
  });

  it('when there is no budget yet, then what is written down goes by the user’s prices all the same: a later one, and others, count by it', () => {
    const { repriced, config } = resolved({ theirs: model({ cost: { input: 0, output: 0 } }), budget: null });
    expect([repriced && costBy(repriced, 'a/lead'), config.unpriced]).toEqual([null, undefined]);
  });

  it('when its file may say anything, or is still to be read, then of no model but those of the user’s', () => {
    const hidden = '{"{env:X}":1,"provider":{}}';
    const expected = { isAllBut: true, models: ['a/lead'] };
    expect([unpriced({ theirs: hidden, mine: model(DEAR) }), unpriced({ isLate: true, mine: model(DEAR) })]).toEqual([
      expected,
      expected,
    ]);
  });

  it('when it says nothing of prices, or there is no budget, then OpenCode’s prices hold', () => {
    const theirs = model({ name: 'Lead', limit: { context: 9 }, options: { effort: 'low' } });
    const priced = model({ cost: { input: 0, output: 0 } });
    expect([unpriced({}), unpriced({ theirs }), resolved({ theirs: priced, budget: null }).config.unpriced]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('when it defines more models than anybody has, then none of them has a price', () => {
    const models = Object.fromEntries(
      Array.from({ length: 501 }, (_, at) => [`m${at}`, { cost: { input: 0, output: 0 } }]),
    );
    expect(unpriced({ theirs: { a: { models } } })).toEqual({ isAllBut: true, models: [] });
  });
});

describe('given a price in a file of OpenCode’s', () => {
  const TOKENS = { input: 1_000_000, output: 100_000, reasoning: 100_000, cacheRead: 0, cacheWrite: 1_000_000 };

  it('when it is in the shape of either generation, then it is the same', () => {
    const long = { input: 6, output: 22, cache_read: 0.6 };
    const one = costIn({ input: 3, output: 15, cache_read: 0.3, cache_write: 3.75, context_over_200k: long });
    const two = costIn([
      { input: 3, output: 15, cache: { read: 0.3, write: 3.75 } },
      { tier: { type: 'context', size: 200_000 }, input: 6, output: 22, cache: { read: 0.6 } },
    ]);
    expect(one).toEqual(two);
    // 6 + 0.2 × 22.
    expect(one && costOfTokens(one, TOKENS)).toBeCloseTo(10.4, 9);
    // 0.3 + 0.6 + 0.2 × 15 + 3.75 × 0.1.
    const short = { ...TOKENS, input: 100_000, cacheRead: 100_000, cacheWrite: 100_000 };
    expect(one && costOfTokens(one, short)).toBeCloseTo(0.3 + 0.03 + 3 + 0.375, 9);
  });

  it.each([
    [null],
    ['3'],
    [{}],
    [[]],
    [{ input: 1 }],
    [{ input: -1, output: 1 }],
    [{ input: 1, output: 1e300 }],
    [[{ input: 'x', output: 1 }]],
  ])('when it is %j, then it is none', (value) => {
    expect(costIn(value)).toBeNull();
  });
});
