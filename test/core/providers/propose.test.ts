import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type OfferedFacts, type Offers, offeredFacts } from '../../../src/core/base/offers';
import { proposeChains } from '../../../src/core/providers/propose';
import { providerOf } from '../../../src/engine';
import { vendorOf } from '../../../src/engine/tools';
import { runs } from '../../support/runs';

const SONNET = 'anthropic/claude-sonnet-4-5';
const facts = (vendor: string, priceIn: number, priceOut: number, more: OfferedFacts = {}): OfferedFacts => ({
  vendor,
  priceIn,
  priceOut,
  context: 200_000,
  vision: true,
  tools: true,
  ...more,
});
const CATALOGUE: Record<string, OfferedFacts> = {
  [SONNET]: facts('anthropic', 3, 15, { released: '2025-09-29' }),
  'anthropic/claude-haiku-4-5': facts('anthropic', 1, 5, { released: '2025-10-15' }),
  'openai/gpt-5.2': facts('openai', 1.75, 14, { context: 400_000, released: '2025-12-11', isPreferred: true }),
  'openai/gpt-5.2-pro': facts('openai', 21, 168, { context: 400_000, released: '2025-12-11' }),
  'openai/gpt-4o': facts('openai', 2.5, 10, { context: 128_000, released: '2024-05-13' }),
  'openai/text-embedding-3': { vendor: 'openai', tools: false },
  'google/gemini-3-pro': facts('google', 2, 12, { context: 1_000_000, released: '2025-11-18' }),
  'google/gemini-2.5-flash': facts('google', 0.3, 2.5, { context: 1_000_000, released: '2025-06-17' }),
  'openrouter/xai/grok-4': facts('xai', 3, 15, { context: 256_000, released: '2026-06-01' }),
  'openrouter/anthropic/claude-sonnet-4.5': facts('anthropic', 3, 15),
  'ollama/qwen3': { tools: true, context: 128_000, isLocal: true, vendor: 'alibaba' },
  'opencode/big-pickle': { tools: true, context: 200_000 },
};

const offersOf = (...models: readonly string[]): Offers => ({
  models,
  catalogue: Object.fromEntries(models.map((model) => [model, CATALOGUE[model] ?? {}])),
});
const ALL = offersOf(...Object.keys(CATALOGUE));
const wanted = (lead: string | null, agent = 'build') => [{ agent, lead, existing: null }];
const chain = (offers: Offers, lead: string | null): string[] =>
  (proposeChains(offers, wanted(lead)).proposals[0]?.models ?? []).map(({ model, code }) => `${model} ${code}`);

describe('given the models of connected providers', () => {
  it('when the agent’s model is known, then comparable ones of three other vendors follow, and a local one last', () => {
    expect(chain(ALL, SONNET)).toEqual([
      `${SONNET} present`,
      'openai/gpt-5.2 other_vendor',
      'google/gemini-3-pro other_vendor',
      'openrouter/xai/grok-4 other_vendor',
      'ollama/qwen3 local',
    ]);
  });

  it('when its chain keeps to one vendor, then models of that one alone follow, by whatever provider', () => {
    const of = (offers: Offers, lead: string | null) =>
      proposeChains(offers, [{ agent: 'build', lead, existing: null, isOneVendor: true }]);
    const { proposals, problems } = of(ALL, SONNET);
    expect(proposals[0]?.models.map(({ model }) => model)).toEqual([
      SONNET,
      'openrouter/anthropic/claude-sonnet-4.5',
      'anthropic/claude-haiku-4-5',
    ]);
    expect(problems).toEqual([]);
    expect(of(offersOf(SONNET, 'openai/gpt-5.2'), SONNET)).toEqual({
      proposals: [],
      problems: [{ code: 'vendor.locked', agent: 'build', model: SONNET }],
    });
  });

  it('when it is cheap, then its stand-ins are of its class', () => {
    expect(
      chain(
        offersOf('anthropic/claude-haiku-4-5', 'google/gemini-2.5-flash', 'google/gemini-3-pro'),
        'anthropic/claude-haiku-4-5',
      ),
    ).toEqual([
      'anthropic/claude-haiku-4-5 present',
      'google/gemini-2.5-flash other_vendor',
      'google/gemini-3-pro same_provider',
    ]);
  });

  it('when nobody knows it, then OpenCode’s own choices of a vendor come first', () => {
    expect(chain(ALL, null).slice(0, 2)).toEqual(['openai/gpt-5.2 first', 'google/gemini-3-pro other_vendor']);
  });

  it('when only one vendor is connected, then its other models and ways are proposed, and the problem is told', () => {
    const offers = offersOf(SONNET, 'anthropic/claude-haiku-4-5', 'openrouter/anthropic/claude-sonnet-4.5');
    const { problems } = proposeChains(offers, wanted(SONNET));
    expect([chain(offers, SONNET), problems]).toEqual([
      [
        `${SONNET} present`,
        'openrouter/anthropic/claude-sonnet-4.5 other_provider',
        'anthropic/claude-haiku-4-5 same_provider',
      ],
      [{ code: 'vendor.single', agent: null, model: null }],
    ]);
  });

  it('when the only other one holds less than half, then it is no second, but may come third', () => {
    const small = { ...CATALOGUE, 'google/gemma-3': facts('google', 3, 15, { context: 32_000 }) };
    const two: Offers = { models: [SONNET, 'google/gemma-3'], catalogue: small };
    const three: Offers = { models: [...two.models, 'anthropic/claude-haiku-4-5'], catalogue: small };
    expect([proposeChains(two, wanted(SONNET)), chain(three, SONNET)]).toEqual([
      { proposals: [], problems: [{ code: 'vendor.unfit', agent: 'build', model: SONNET }] },
      [`${SONNET} present`, 'anthropic/claude-haiku-4-5 same_provider', 'google/gemma-3 smaller'],
    ]);
  });

  it('when OpenCode does not have the agent’s model, then it is not proposed, and that is told', () => {
    const { proposals, problems } = proposeChains(ALL, wanted('mistral/large'));
    expect([proposals[0]?.models[0]?.model, problems]).toEqual([
      'openai/gpt-5.2',
      [{ code: 'lead.unlisted', agent: 'build', model: 'mistral/large' }],
    ]);
  });

  it('when no model can use tools, then nothing is proposed, and that is all that is told', () => {
    expect(proposeChains(offersOf('openai/text-embedding-3'), wanted(null))).toEqual({
      proposals: [],
      problems: [{ code: 'models.none', agent: null, model: null }],
    });
  });

  it('when OpenCode’s free models are all there is besides, then only who uses one of them is proposed another', () => {
    const offers = offersOf(SONNET, 'opencode/big-pickle', 'opencode/other-free');
    expect([chain(offers, SONNET), chain(offers, 'opencode/big-pickle').slice(0, 2)]).toEqual([
      [],
      ['opencode/big-pickle present', `${SONNET} other_vendor`],
    ]);
  });
});

const name = fc.constantFrom(
  'anthropic/claude-1',
  'anthropic/claude-2',
  'openai/gpt-1',
  'openai/gpt-2',
  'google/gemini-1',
  'openrouter/anthropic/claude-1',
  'openrouter/openai/gpt-1',
  'openrouter/strange/model',
  'ollama/a',
  'ollama/b',
  'opencode/free',
);
const fact: fc.Arbitrary<OfferedFacts> = fc.record(
  {
    context: fc.constantFrom(8_000, 100_000, 200_000, 1_000_000),
    vision: fc.boolean(),
    tools: fc.boolean(),
    priceIn: fc.constantFrom(0.1, 1, 3, 15),
    priceOut: fc.constantFrom(0.5, 5, 15, 75),
    isLocal: fc.boolean(),
    isPreferred: fc.boolean(),
    released: fc.constantFrom('2024-01-01', '2025-06-01', '2026-01-01'),
    status: fc.constantFrom('alpha', 'beta', 'deprecated'),
  },
  { requiredKeys: [] },
);
const offered = fc
  .uniqueArray(fc.tuple(name, fact), { selector: ([model]) => model, maxLength: 11 })
  .map((entries): Offers => ({ models: entries.map(([model]) => model), catalogue: Object.fromEntries(entries) }));

describe('given any offers', () => {
  it(`when ${runs(2_000)} are proposed from, then chains hold offered models once, vendors in turn, the local one last, in any order of offers`, () => {
    fc.assert(
      fc.property(offered, fc.option(name), (offers, lead) => {
        const { proposals } = proposeChains(offers, wanted(lead));
        const shuffled = { ...offers, models: offers.models.toReversed() };
        expect(proposeChains(shuffled, wanted(lead)).proposals).toEqual(proposals);
        for (const { models } of proposals) {
          const names = models.map(({ model }) => model);
          const standIns = models.filter(({ code }) => code !== 'present').map(({ model }) => model);
          const isLocal = (model: string) => offers.catalogue[model]?.isLocal === true;
          expect(new Set(names).size).toBe(names.length);
          expect(names.filter((model) => !offers.models.includes(model))).toEqual([]);
          expect(standIns.filter((model) => offers.catalogue[model]?.tools === false)).toEqual([]);
          expect(standIns.slice(0, -1).filter(isLocal)).toEqual([]);
          expect(names.length).toBeLessThanOrEqual(5);
          const first = offers.catalogue[names[0] ?? '']?.context;
          const second = offers.catalogue[names[1] ?? '']?.context;
          if (first !== undefined && second !== undefined) expect(second).toBeGreaterThanOrEqual(first / 2);
        }
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('when nothing speaks against any model, then no vendor comes again while another one has not come', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 2 }), (models) => {
        const offers: Offers = { models, catalogue: {} };
        const [proposal] = proposeChains(offers, wanted(models[0] ?? null)).proposals;
        const vendors = (proposal?.models ?? []).map(({ model }) => vendorOf(offers.catalogue, model));
        const all = new Set(
          models
            .filter((model) => providerOf(model) !== 'opencode' || models[0] === model)
            .map((model) => vendorOf({}, model)),
        );
        expect(new Set(vendors).size).toBe(Math.min(vendors.length, all.size));
      }),
    );
  });
});

describe('given where a provider is asked', () => {
  it.each([
    ['http://localhost:11434/v1', 'qwen3', true],
    ['http://127.0.0.1:1234/v1', 'gpt-oss-20b', true],
    ['http://user:pass@192.168.1.7:8080', 'llama', true],
    ['http://[::1]:8080/v1', 'llama', true],
    ['https://studio.local/v1', 'llama', true],
    ['http://localhost:4000', 'claude-sonnet-4-5', undefined],
    ['https://api.openai.com/v1', 'gpt-5', undefined],
    ['https://10.example.com', 'llama', undefined],
    ['not an address', 'llama', undefined],
    [undefined, 'llama', undefined],
  ])('when it is %s and the model %s, then it is local: %s', (address, model, isLocal) => {
    expect(offeredFacts(model, {}, address).isLocal).toBe(isLocal);
  });
});
