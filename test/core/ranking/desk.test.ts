import { describe, expect, it } from 'vitest';
import { answer, type Handlers, type QueryInput, type QueryOutput } from '../../../src/contract/contract';
import { registerFeatures } from '../../../src/contract/feature-queries';
import type { RankChange, RankQuery } from '../../../src/features/ranking/contract/ranking';
import { createRankingDesk } from '../../../src/features/ranking/core/desk';
import type { LiveFigures } from '../../../src/features/ranking/rules/base/live';
import { isResting, newRun } from '../../../src/features/ranking/rules/run/run';
import { type RankingStage, rankingStage } from '../../support/ranking-port';

registerFeatures();

const BUILD = { directory: '/p', agent: 'build' };
const WRITE = { ...BUILD, scope: null, create: true, setsDepth: true, actor: 'panel' as const };

function open(stage: RankingStage) {
  const made = rankingStage(stage);
  const handlers = createRankingDesk({ port: made.port, wall: () => 1_790_000_000_000, schedule: waits });
  const ask = async <Q extends RankQuery>(name: Q, input: QueryInput<Q>): Promise<QueryOutput<Q>> => {
    const reply = await answer(handlers as Handlers, name, input);
    if (!reply.ok) throw new Error(reply.reason);
    return reply.value as QueryOutput<Q>;
  };
  const rested = async () => {
    for (let { rev, run } = await ask('rank.run', { ...BUILD, rev: null }); ; ) {
      if (run === null || isResting(run)) return run;
      ({ rev, run } = await ask('rank.run', { ...BUILD, rev }));
    }
  };
  const start = async (wants: ('models' | 'artificial_analysis')[] = []) => {
    const begun = await ask('rank.act', { ...BUILD, act: { type: 'start', role: null, isLive: false, wants } });
    expect(begun).toMatchObject({ ok: true });
    return await rested();
  };
  const look = () => ask('rank.get', { ...BUILD });
  const decide = async (model: string, choice: 'approved' | 'denied' | 'ignored' | null, evidence?: string) => {
    const shown = (await look()).reviews.find((row) => row.model === model)?.evidence ?? '';
    const said = await ask('rank.act', {
      ...BUILD,
      act: { type: 'decide', model, choice, evidence: evidence ?? shown },
    });
    await rested();
    return said;
  };
  const chain = async () => (await look()).proposal?.chain.map(({ model }) => model);
  return { ...made, ask, start, rested, look, decide, chain };
}

/** Nothing in these tests is waited for that does not come. */
const waits = (): (() => void) => () => undefined;

const facts = (vendor: string, priceIn: number) => ({
  vendor,
  priceIn,
  priceOut: priceIn * 5,
  tools: true,
  context: 200_000,
});
const CATALOGUE = {
  'anthropic/opus': facts('anthropic', 5),
  'anthropic/sonnet': facts('anthropic', 3),
  'openai/gpt': facts('openai', 2),
  'google/gemini': facts('google', 2),
  'ollama/qwen': { vendor: 'alibaba', tools: true, isLocal: true },
};
const value = (model: string, percent: number): RankChange => ({
  ...{ type: 'value', model, benchmark: 'swe_bench_pro', value: percent, unit: 'percent' },
  ...{ source: 'https://made-up.test', date: '2026-10-01' },
});
const verified = (model: string, percent: number): RankChange =>
  ({ ...value(model, percent), benchmark: 'swe_bench_verified' }) as RankChange;
const scored = (scores: Readonly<Record<string, number>>): RankChange[] =>
  Object.entries(scores).flatMap(([model, score]) => [value(model, score), verified(model, score)]);
const SCORES = { 'anthropic/opus': 50, 'anthropic/sonnet': 40, 'openai/gpt': 45, 'google/gemini': 30 };

const ranked = async (stage: Partial<RankingStage> = {}, scores: Readonly<Record<string, number>> = SCORES) => {
  const desk = open({ catalogue: CATALOGUE, present: ['anthropic/sonnet'], ...stage });
  expect(await desk.ask('rank.change', { changes: scored(scores) })).toEqual({ ok: true });
  return desk;
};

describe('given nothing that says how well models do', () => {
  it('when an agent is ranked, then nobody has a rank, each missing benchmark is named and the chain stays as it is', async () => {
    const desk = open({ catalogue: CATALOGUE, present: ['anthropic/sonnet'] });
    const { proposal, missing, role } = await desk.look();
    expect(role).toBe('builder');
    expect(proposal?.models.map(({ rank }) => rank)).toEqual([null, null, null, null, null]);
    expect(proposal?.chain.map(({ model }) => model)).toEqual(['anthropic/sonnet']);
    expect(missing.find(({ benchmark }) => benchmark === 'gpqa')).toEqual({ benchmark: 'gpqa', models: 4, of: 4 });
    const run = await desk.start();
    expect(run?.phases.review).toMatchObject({ state: 'open', note: { code: 'unrankable' } });
  });
});

describe('given values put in by hand', () => {
  it('when an agent is ranked, then the scores give the order, with every number’s source and what is not known', async () => {
    const { look } = await ranked();
    const { proposal } = await look();
    expect(proposal?.models.map(({ model, rank, score }) => [model, rank, score])).toEqual([
      ['anthropic/opus', 1, 0.5],
      ['openai/gpt', 2, 0.45],
      ['anthropic/sonnet', 3, 0.4],
      ['google/gemini', 4, 0.3],
      ['ollama/qwen', null, null],
    ]);
    expect(proposal?.models[0]).toMatchObject({
      known: 0.55,
      missing: ['gpqa', 'mmlu_pro', 'ifbench', 'coding_index', 'livecodebench'],
      parts: [
        { benchmark: 'swe_bench_pro', value: 50, unit: 'percent', source: 'https://made-up.test', date: '2026-10-01' },
        { benchmark: 'swe_bench_verified', weight: 0.454545 },
      ],
    });
  });

  it('when the same is asked twice, then the bytes are the same, and another value changes the order', async () => {
    const { look, ask } = await ranked();
    const first = JSON.stringify(await look());
    expect(JSON.stringify(await look())).toBe(first);
    await ask('rank.change', { changes: scored({ 'google/gemini': 60 }) });
    expect((await look()).proposal?.models[0]?.model).toBe('google/gemini');
  });

  it('when strict ranking is wanted, then each candidate and what it lacks are named', async () => {
    const { look } = await ranked();
    expect((await look()).lacking.find(({ model }) => model === 'openai/gpt')).toEqual({
      model: 'openai/gpt',
      benchmarks: ['gpqa', 'mmlu_pro', 'ifbench', 'coding_index', 'livecodebench'],
    });
  });

  it('when a formula of one’s own is tried, then it ranks by that, and one that is wrong is told with its place', async () => {
    const { ask } = await ranked();
    const by = await ask('rank.get', { ...BUILD, formula: 'swe_bench_pro / MAX_PERCENT_SCORE' });
    expect(by.proposal?.models[0]?.known).toBe(1);
    const wrong = await ask('rank.get', { ...BUILD, formula: '0.5 * gpqa +' });
    expect([wrong.proposal, wrong.problem?.at]).toEqual([null, 12]);
    const kept = await ask('rank.change', { changes: [{ type: 'formula', role: 'builder', text: 'gpqa +' }] });
    expect(kept.ok).toBe(false);
  });
});

describe('given a proposal', () => {
  it('when it begins, then it stops where a person has to decide, one model at a time and never those that are theirs', async () => {
    const { start, look } = await ranked();
    const run = await start();
    expect(run?.phases.review).toMatchObject({ state: 'open', note: { code: 'decide', open: 4, of: 4 } });
    expect((await look()).reviews.map(({ model, codes, choice }) => [model, codes, choice])).toEqual([
      ['anthropic/opus', ['new', 'primary'], null],
      ['openai/gpt', ['new'], null],
      ['google/gemini', ['new'], null],
      ['ollama/qwen', ['new'], null],
    ]);
  });

  it('when its chain names a model that OpenCode does not list, then the check before says which', async () => {
    const { start } = await ranked({ present: ['anthropic/sonnet', 'ghost/model'] });
    expect((await start())?.phases.pre_check.note).toMatchObject({ unlisted: ['ghost/model'] });
  });

  it('when not all is decided, then nothing is written, and who waits is named', async () => {
    const { start, decide, ask, writes } = await ranked();
    await start();
    await decide('anthropic/opus', 'approved');
    expect(await ask('rank.preview', WRITE)).toEqual({
      ok: false,
      reason: 'openai/gpt, google/gemini, ollama/qwen need a decision.',
      open: ['openai/gpt', 'google/gemini', 'ollama/qwen'],
    });
    expect(writes).toEqual([]);
  });

  it('when all is approved and applied, then it is written in tiers with the limit raised, and looked at afterwards', async () => {
    const { start, decide, ask, writes, rested } = await ranked();
    await start();
    for (const model of ['anthropic/opus', 'openai/gpt', 'google/gemini', 'ollama/qwen'])
      await decide(model, 'approved');
    const preview = await ask('rank.preview', WRITE);
    if (!preview.ok) throw new Error(preview.reason);
    const { settled, files } = preview;
    expect(await ask('rank.apply', { ...WRITE, settled, seen: files.map(({ seen }) => seen) })).toMatchObject({
      ok: true,
    });
    expect(writes[0]).toMatchObject({
      depth: 4,
      tiers: [
        { name: 'premium', models: ['anthropic/opus', 'openai/gpt', 'anthropic/sonnet'] },
        { name: 'standard', models: ['google/gemini'] },
        { name: 'local', models: ['ollama/qwen'] },
      ],
    });
    expect((await rested())?.phases.post_check).toMatchObject({ state: 'done' });
  });

  it('when a value has changed since it was looked at, then a yes is refused, and one given before counts no longer', async () => {
    const { start, decide, ask, look } = await ranked();
    await start();
    const before = (await look()).reviews[0]?.evidence ?? '';
    await decide('openai/gpt', 'approved');
    await ask('rank.change', { changes: [value('anthropic/opus', 60), value('openai/gpt', 59)] });
    expect(await decide('anthropic/opus', 'approved', before)).toMatchObject({ ok: false });
    expect((await look()).reviews.find(({ model }) => model === 'openai/gpt')?.choice).toBeNull();
  });

  it('when a new model is left out for now, then it is gone from this proposal and back in the next', async () => {
    const { start, decide, chain } = await ranked();
    await start();
    await decide('openai/gpt', 'denied');
    expect(await chain()).not.toContain('openai/gpt');
    await start();
    expect(await chain()).toContain('openai/gpt');
  });

  it('when a model is never wanted, then no later proposal has it, until that is taken back', async () => {
    const { start, decide, chain, look } = await ranked();
    await start();
    await decide('google/gemini', 'ignored');
    await start();
    expect(await chain()).not.toContain('google/gemini');
    expect((await look()).ignored).toEqual(['google/gemini']);
    await decide('google/gemini', null);
    expect(await chain()).toContain('google/gemini');
  });

  it('when a model of the chain is not to lead for now, then who leads now stays, and it keeps a place', async () => {
    const { start, decide, chain } = await ranked(
      { present: ['anthropic/sonnet', 'openai/gpt'] },
      { ...SCORES, 'openai/gpt': 90 },
    );
    await start();
    expect((await chain())?.[0]).toBe('openai/gpt');
    await decide('openai/gpt', 'denied');
    expect((await chain())?.[0]).toBe('anthropic/sonnet');
    expect(await chain()).toContain('openai/gpt');
  });

  it('when a place is kept for a model, then it stands there, and the proposal waits to be looked at again', async () => {
    const { start, ask, chain, rested } = await ranked();
    await start();
    await ask('rank.act', { ...BUILD, act: { type: 'keep', model: 'anthropic/sonnet', position: 1 } });
    expect((await rested())?.phases.review.state).toBe('open');
    expect((await chain())?.[0]).toBe('anthropic/sonnet');
  });

  it.each([
    ['no/such', 'no/such is not a candidate here.'],
    ['ollama/qwen', 'ollama/qwen is not a hosted model: local and free models always follow the hosted ones.'],
  ])('when a place is to be kept for %s, which cannot have one, then that is refused', async (model, reason) => {
    const { start, ask, look } = await ranked();
    await start();
    const keep = (position: number | null) => ask('rank.act', { ...BUILD, act: { type: 'keep', model, position } });
    expect(await keep(1)).toEqual({ ok: false, reason });
    expect((await look()).run?.kept).toEqual([]);
    expect(await keep(null)).toMatchObject({ ok: true });
  });

  it('when another order comes out after all was decided, of models that are theirs, then it is written once they have looked again', async () => {
    const { start, decide, ask, rested } = await ranked({ present: ['anthropic/sonnet', 'openai/gpt'] });
    await start();
    for (const model of ['anthropic/opus', 'google/gemini', 'ollama/qwen']) await decide(model, 'approved');
    await ask('rank.change', { changes: [value('openai/gpt', 5)] });
    const reason = 'The proposal has changed since your decisions. Review it again.';
    expect(await ask('rank.preview', WRITE)).toEqual({ ok: false, reason, open: [] });
    await ask('rank.act', { ...BUILD, act: { type: 'go', key: null } });
    await rested();
    expect(await ask('rank.preview', WRITE)).toMatchObject({ ok: true });
  });

  it('when models are asked first, then one that gives no answer is not proposed, and is said to be silent', async () => {
    const { start, look, probed } = await ranked({ silent: ['openai/gpt'] });
    const run = await start(['models']);
    expect(run?.phases.models).toMatchObject({ state: 'done', note: { code: 'answered', answered: 3, of: 4 } });
    expect(probed.toSorted()).toEqual(['anthropic/opus', 'anthropic/sonnet', 'google/gemini', 'openai/gpt']);
    expect((await look()).proposal?.models.find(({ model }) => model === 'openai/gpt')?.unranked).toBe('silent');
  });

  it('when one gave no answer, then asking anew counts it again, as it will be asked again', async () => {
    const { start, ask, probed } = await ranked({ silent: ['openai/gpt'] });
    await start(['models']);
    probed.length = 0;
    const [cost] = await ask('rank.costs', BUILD);
    await start(['models']);
    expect([cost?.requests, probed.length]).toEqual([4, 4]);
  });

  it('when more can be ranked than are asked, then the chain is asked before the best of the others', async () => {
    const many = Array.from({ length: 25 }, (_, at) => `router/m${at + 10}`);
    const catalogue = {
      ...CATALOGUE,
      ...Object.fromEntries(many.map((model) => [model, facts('router', 1)])),
    };
    const scores = Object.fromEntries(many.map((model, at) => [model, 90 - at]));
    const { start, ask, probed } = await ranked({ catalogue, present: ['anthropic/sonnet', 'router/m34'] }, scores);
    const [cost] = await ask('rank.costs', BUILD);
    const run = await start(['models']);
    expect([cost?.requests, run?.phases.models.note]).toEqual([20, { code: 'answered', answered: 20, of: 20 }]);
    expect(probed.toSorted()).toEqual(['anthropic/sonnet', ...many.slice(0, 18), 'router/m34']);
  });

  it('when asking goes on after it was stopped, then those that were to be asked are, and no others in place of silent ones', async () => {
    const many = Array.from({ length: 25 }, (_, at) => `router/m${at + 10}`);
    const catalogue = Object.fromEntries(many.map((model) => [model, facts('router', 1)]));
    const scores = Object.fromEntries(many.map((model, at) => [model, 90 - at]));
    const { ask, port, rested, probed } = await ranked({ catalogue, present: [], silent: many.slice(0, 2) }, scores);
    const { probe } = port;
    Object.assign(port, {
      async probe(...asked: Parameters<typeof probe>) {
        if (probed.length === 4) void ask('rank.act', { ...BUILD, act: { type: 'stop' } });
        return await probe(...asked);
      },
    });
    await ask('rank.act', { ...BUILD, act: { type: 'start', role: null, isLive: false, wants: ['models'] } });
    expect((await rested())?.phases.models.state).toBe('waiting');
    Object.assign(port, { probe });
    await ask('rank.act', { ...BUILD, act: { type: 'go' } });
    expect((await rested())?.phases.models.note).toEqual({ code: 'answered', answered: 18, of: 20 });
    expect([...new Set(probed)].toSorted()).toEqual(many.slice(0, 20));
  });

  it('when what is asked outside fails, then that is told, and the proposal goes on', async () => {
    const { start } = await ranked();
    const run = await start(['artificial_analysis']);
    expect(run?.phases.artificial_analysis).toMatchObject({ state: 'failed', note: { code: 'told', text: 'no key' } });
    expect(run?.phases.review.state).toBe('open');
  });

  it('when the file is another one than was approved, then the last check says so', async () => {
    const { start, decide, ask, writeElsewhere, rested, port } = await ranked(
      {},
      { 'anthropic/sonnet': 40, 'openai/gpt': 30 },
    );
    await start();
    for (const model of ['openai/gpt', 'ollama/qwen']) await decide(model, 'approved');
    const preview = await ask('rank.preview', WRITE);
    if (!preview.ok) throw new Error(preview.reason);
    const { apply } = port;
    Object.assign(port, {
      async apply(...asked: Parameters<typeof apply>) {
        const done = await apply(...asked);
        writeElsewhere(['openai/gpt']);
        return done;
      },
    });
    await ask('rank.apply', { ...WRITE, settled: preview.settled, seen: [null] });
    expect((await rested())?.phases.post_check).toMatchObject({ state: 'failed' });
  });
});

describe('given little that is left of a plan', () => {
  it('when it is critical, then its models count a third, and one over the cap is not proposed', async () => {
    const { ask, look } = await ranked();
    await ask('rank.change', {
      changes: [{ type: 'headroom', provider: 'anthropic', fiveHourPercent: 5, weekPercent: 80 }],
    });
    const { proposal } = await look();
    const of = (model: string) => proposal?.models.find((row) => row.model === model);
    expect(of('anthropic/opus')).toMatchObject({ score: 0.5, worth: null, unranked: 'price.cap' });
    expect(of('openai/gpt')).toMatchObject({ worth: 0.45, rank: 1, budget: null });
  });
});

describe('given decisions', () => {
  it('when a model was approved in one project, then another project asks for itself', async () => {
    const { start, decide, ask, look } = await ranked();
    await start();
    await decide('openai/gpt', 'approved');
    const elsewhere = await ask('rank.get', { directory: '/other', agent: 'build' });
    const of = (reviews: typeof elsewhere.reviews) => reviews.find(({ model }) => model === 'openai/gpt')?.choice;
    expect([of((await look()).reviews), of(elsewhere.reviews)]).toEqual(['approved', null]);
  });
});

describe('given values that were taken in', () => {
  it('when they are taken back by the way they came, then those of that source are gone, and no others', async () => {
    const { ask, look } = await ranked();
    const taken = { 'openai/gpt': { gpqa: 0.9 }, 'anthropic/opus': { gpqa: 0.8 } };
    const text = JSON.stringify({ models: taken });
    await ask('rank.import', { text, source: 'https://made-up.test', date: null });
    await ask('rank.import', {
      text: JSON.stringify({ models: { 'google/gemini': { gpqa: 0.7 } } }),
      source: 'b',
      date: null,
    });
    const gpqa = async () => (await look()).missing.find(({ benchmark }) => benchmark === 'gpqa')?.models ?? 0;
    expect(await gpqa()).toBe(1);
    await ask('rank.change', { changes: [{ type: 'forget', origin: 'import', source: 'https://made-up.test' }] });
    expect(await gpqa()).toBe(3);
    await ask('rank.change', { changes: [{ type: 'forget', origin: 'import', source: null }] });
    expect(await gpqa()).toBe(4);
  });
});

describe('given values of a source with names of its own', () => {
  const AA = 'artificialanalysis/anthropic/opus-latest';
  const fetched = async () => {
    const desk = open({ catalogue: CATALOGUE, present: ['anthropic/sonnet'] });
    await desk.ask('rank.change', { changes: [value('anthropic/opus', 50)] });
    const text = JSON.stringify({ models: { [AA]: { swe_bench_verified: '70 %' } } });
    expect(await desk.ask('rank.import', { text, source: 'https://made-up.test', date: null })).toMatchObject({
      taken: 1,
    });
    return desk;
  };

  it('when one looks like a candidate’s, then it is asked whether it is, and nothing is taken before', async () => {
    const { look } = await fetched();
    const { unmatched, proposal } = await look();
    expect(unmatched).toContainEqual({ model: AA, suggestions: ['anthropic/opus'] });
    expect(proposal?.models.find(({ model }) => model === 'anthropic/opus')?.known).toBe(0.3);
  });

  it('when a person says it is, then its values are the candidate’s beside those it has, and nobody is asked again', async () => {
    const { ask, look } = await fetched();
    await ask('rank.change', { changes: [{ type: 'match', model: AA, record: 'anthropic/opus' }] });
    const { unmatched, proposal } = await look();
    expect(unmatched).toEqual([]);
    expect(proposal?.models.find(({ model }) => model === 'anthropic/opus')).toMatchObject({ known: 0.55, rank: 1 });
  });

  it('when the name it is said to have is nobody’s, then that is refused, and it keeps its own values', async () => {
    const { ask, look } = await fetched();
    const changes: RankChange[] = [{ type: 'match', model: 'anthropic/opus', record: 'no/such' }];
    expect(await ask('rank.change', { changes })).toEqual({ ok: false, reason: 'There are no values for no/such.' });
    expect((await look()).proposal?.models.find(({ model }) => model === 'anthropic/opus')?.known).toBe(0.3);
  });

  it('when all values are exported and taken in again, then what ships is not kept a second time', async () => {
    const { ask } = await fetched();
    const { text } = await ask('rank.export', { format: 'json', all: true });
    const taken = await ask('rank.import', { text, source: 'https://made-up.test', date: null });
    expect(taken).toMatchObject({ ok: true, taken: 2, problems: [{ line: null }] });
  });
});

describe('given a proposal in which all is decided', () => {
  const settled = async (stage: Partial<RankingStage> = {}) => {
    const live: Record<string, LiveFigures> = {};
    const desk = await ranked({ live, ...stage }, { 'anthropic/sonnet': 40, 'openai/gpt': 30 });
    await desk.start();
    for (const model of ['openai/gpt', 'ollama/qwen']) await desk.decide(model, 'approved');
    return { ...desk, live };
  };

  it('when a model is asked meanwhile, then the proposal may still be written: its chain is the same', async () => {
    const { ask, live } = await settled();
    live['openai/gpt'] = { n: 1, answered: 1, share: null, firstTokenP50Ms: 900, costPerAnswer: null };
    expect(await ask('rank.preview', WRITE)).toMatchObject({ ok: true });
  });

  it('when the chain has changed since, then it is refused, and may be written once it was looked at again', async () => {
    const { ask, rested, writeElsewhere } = await settled();
    writeElsewhere(['anthropic/sonnet', 'openai/gpt']);
    expect(await ask('rank.preview', WRITE)).toMatchObject({ ok: false });
    await ask('rank.act', { ...BUILD, act: { type: 'go' } });
    expect((await rested())?.phases.optimization).toMatchObject({
      state: 'done',
      note: expect.objectContaining({ code: 'ordered', added: 1 }),
    });
    expect(await ask('rank.preview', WRITE)).toMatchObject({ ok: true });
  });
});

describe('given what an agent goes by', () => {
  it('when OpenCode lists the same models on another day, then what was approved stays approved', async () => {
    const { look, port } = await ranked();
    const { world } = port;
    const shown = async () => {
      const { reviews } = await look();
      return reviews.map(({ evidence }) => evidence);
    };
    const byContext = {
      type: 'formula',
      role: 'builder',
      text: '0.5 * swe_bench_pro / 100 + 0.5 * context_length / 2000000',
    };
    expect(port.book.change([{ part: 'formula', role: 'builder', value: byContext.text }])).toEqual({ ok: true });
    const before = await shown();
    Object.assign(port, {
      world: async (...asked: Parameters<typeof world>) => ({
        ...(await world(...asked)),
        listed: { at: 1_790_100_000_000, directory: '/p' },
      }),
    });
    expect(before.length).toBeGreaterThan(0);
    expect(await shown()).toEqual(before);
  });

  it('when a place is kept for who is no hosted candidate, then that is refused, and letting it go never is', async () => {
    const { start, ask } = await ranked();
    await start();
    const keep = (model: string, position: number | null) =>
      ask('rank.act', { ...BUILD, act: { type: 'keep', model, position } });
    expect(await keep('nobody/knows', 2)).toMatchObject({ ok: false, reason: expect.stringContaining('nobody/knows') });
    expect(await keep('ollama/qwen', 2)).toMatchObject({ ok: false });
    expect(await keep('nobody/knows', null)).toMatchObject({ ok: true });
  });

  it('when a plan is named by its provider, then it counts for the account, and one that is too old is not said to be known', async () => {
    const catalogue = { ...CATALOGUE, 'zai/glm': facts('zai', 1) };
    const { ask, look, start, port } = await ranked({ catalogue }, { ...SCORES, 'zai/glm': 20 });
    await ask('rank.change', {
      changes: [{ type: 'headroom', provider: 'zai-coding-plan', fiveHourPercent: null, weekPercent: 5 }],
    });
    const of = async () => (await look()).proposal?.models.find(({ model }) => model === 'zai/glm')?.budget;
    expect(await of()).toMatchObject({ stage: 'critical' });
    expect((await start())?.phases.headroom.note).toEqual({ code: 'headroom', accounts: ['zai'] });
    port.book.change([
      {
        ...{ part: 'headroom', provider: 'zai-coding-plan' },
        value: { fiveHourPercent: null, weekPercent: 5, at: 1_780_000_000_000 },
      },
    ]);
    expect((await start())?.phases.headroom.note).toEqual({ code: 'headroom', accounts: [] });
  });

  it('when asking models is stopped, then those that were not asked are not said to have answered', async () => {
    const { ask, port, rested } = await ranked();
    const { probe } = port;
    Object.assign(port, {
      async probe(...asked: Parameters<typeof probe>) {
        void ask('rank.act', { ...BUILD, act: { type: 'stop' } });
        return await probe(...asked);
      },
    });
    await ask('rank.act', { ...BUILD, act: { type: 'start', role: null, isLive: false, wants: ['models'] } });
    expect((await rested())?.phases.models).toMatchObject({
      state: 'waiting',
      note: { code: 'answered', answered: expect.toSatisfy((count: number) => count <= 1), of: 4 },
    });
  });

  it('when a run can be kept no longer, then whoever follows it is told why, and nothing is left unheard', async () => {
    const { ask, port, rested } = await ranked();
    const { change } = port.book;
    let writes = 0;
    Object.assign(port.book, {
      change: (...asked: Parameters<typeof change>) =>
        ++writes > 2 ? { ok: false, reason: 'The disk is full.' } : change(...asked),
    });
    await ask('rank.act', { ...BUILD, act: { type: 'start', role: null, isLive: false, wants: [] } });
    await expect(rested()).rejects.toThrow('The disk is full.');
    expect((await ask('rank.run', { ...BUILD, rev: null })).run?.phases.pre_check.state).toBe('running');
    Object.assign(port.book, { change });
    await ask('rank.act', { ...BUILD, act: { type: 'go' } });
    expect((await rested())?.phases.review.state).toBe('open');
  });

  it('when the chain would be longer than a chain may be, then that is said at once, and nothing can be written', async () => {
    const many = Array.from({ length: 101 }, (_, at) => `router/m${at}`);
    const catalogue = { ...CATALOGUE, ...Object.fromEntries(many.map((model) => [model, facts('router', 1)])) };
    const { start, ask } = await ranked({ catalogue, present: ['router/*'] });
    expect((await start())?.phases.pre_check).toMatchObject({
      ...{
        state: 'open',
        note: { code: 'chain.long', models: expect.toSatisfy((count: number) => count > 100), most: 100 },
      },
    });
    expect(await ask('rank.preview', WRITE)).toMatchObject({ ok: false });
  });

  it('when another process begins anew in the middle of a phase, then what was under way leaves that alone', async () => {
    const { ask, port, rested, look, probed } = await ranked();
    const { probe } = port;
    const other = newRun({ id: 'other', agent: 'build', role: 'fixer', startedAt: 1, isLive: false, wants: [] });
    const key = await keyOf();
    Object.assign(port, {
      async probe(...asked: Parameters<typeof probe>) {
        if (probed.length === 0) port.book.change([{ part: 'run', agent: key, value: other }]);
        return await probe(...asked);
      },
    });
    await ask('rank.act', { ...BUILD, act: { type: 'start', role: null, isLive: false, wants: ['models'] } });
    await rested();
    expect((await look()).run).toEqual(other);

    async function keyOf(): Promise<string> {
      await ask('rank.act', { ...BUILD, act: { type: 'start', role: null, isLive: false, wants: [] } });
      await rested();
      return [...port.book.read().runs.keys()][0] ?? '';
    }
  });

  it('when a number by hand is none its unit can have, then it is refused, and what to write is said', async () => {
    const { ask, port } = open({ catalogue: CATALOGUE });
    const put = (number: number, unit: 'fraction' | 'percent') =>
      ask('rank.change', { changes: [{ ...value('openai/gpt', number), benchmark: 'gpqa', unit } as RankChange] });
    expect(await put(85, 'fraction')).toMatchObject({
      ok: false,
      reason: expect.stringContaining('write 85 % or 0.85'),
    });
    expect(await put(101, 'percent')).toMatchObject({ ok: false });
    expect(port.book.read().values).toEqual([]);
    expect(await put(85, 'percent')).toEqual({ ok: true });
  });

  it('when a model of the chain has a variant, then it has the price and the context of its model', async () => {
    const { look } = await ranked({ present: ['anthropic/sonnet', 'openai/gpt#high'] });
    const row = (await look()).proposal?.models.find(({ model }) => model === 'openai/gpt#high');
    expect(row).toMatchObject({ price: { in: 2, out: 10 }, rank: expect.any(Number) });
  });
});
