import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { keptFrom } from '../../src/features/ranking/rules/kept/kept';
import { inventedFile, inventedModels } from '../support/invented-models';
import { sampleRanking } from '../support/sample-ranking';
import { sampleSnapshot } from '../support/sample-snapshot';
import { NOW } from '../support/usage-story';
import { press, renderPanel, ScriptedCore, textOf } from './render-panel';

let remove = (): void => {};
afterEach(() => remove());

/** Opens the view on a world of invented models. */
async function opened(
  sample: Parameters<typeof sampleRanking>[0] = {},
  detail = '',
  over: Partial<ScriptedCore['handlers']> = {},
) {
  const core = new ScriptedCore({ ...sampleSnapshot(NOW), instances: [] });
  const { handlers, written } = sampleRanking(sample);
  core.handlers = { ...core.handlers, ...handlers, ...over };
  const rendered = renderPanel(core, `#/ranking${detail}`);
  remove = rendered.remove;
  // The view itself comes when it is opened.
  await act(async () => {
    await import('../../src/features/ranking/renderer/RankingPage');
  });
  await settle();
  return { core, written, page: rendered.page };
}

/** Lets answers that are on their way, and those asked for after a moment of calm, arrive. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 60; turn++) await act(async () => {});
  await act(async () => new Promise((resolve) => setTimeout(resolve)));
  for (let turn = 0; turn < 60; turn++) await act(async () => {});
}

const title = (page: Element) => textOf(page.querySelector('main h1'));
const lede = (page: Element) => textOf(page.querySelector('main .lede'));
const button = (page: Element, name: string) =>
  [...page.querySelectorAll('button')].find((each) => (each.getAttribute('aria-label') ?? textOf(each)) === name);
const ranked = (page: Element) =>
  [...page.querySelectorAll('.rk-list .rk[data-model]')].map((row) => [
    row.getAttribute('data-model'),
    textOf(row.querySelector('b.rk-num')),
  ]);
const lastAsked = (core: ScriptedCore, wanted: string) => core.asked.findLast(({ name }) => name === wanted)?.input;

async function type(field: Element | null, value: string): Promise<void> {
  await act(async () => {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) throw new TypeError('no field');
    const proto = Object.getPrototypeOf(field) as object;
    Object.getOwnPropertyDescriptor(proto, 'value')?.set?.call(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
async function pressKey(target: Element | null | undefined, key: string): Promise<void> {
  await act(async () => {
    target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  });
}

describe('given eight invented models, one of this machine, and a chain of two', () => {
  it('when the view is opened, then the first is named, how far the one that leads is behind, and what is missing', async () => {
    const { page } = await opened();
    expect(title(page)).toBe('For build, gale-3 scores highest.');
    expect(lede(page)).toBe(
      'atlas-1, the current primary, is 3.4 points behind; it answered 98 % of its 41 attempts here. 1 of 8 models cannot be ranked. Some values are missing for 3 ranked models.',
    );
    expect(ranked(page).map(([model]) => model)).toEqual([
      'gamma/gale-3',
      'alpha/atlas-1',
      'beta/boreal-2',
      'epsilon/ember',
      'delta/dune-9',
      'alpha/atlas-mini',
      'beta/boreal-air',
    ]);
    expect(textOf(page.querySelector('.rk-list .rk-rest summary'))).toBe('2 more cannot be ranked');
    expect([...page.querySelectorAll('.rk-list .rk-rest li')].map(textOf)).toEqual([
      expect.stringContaining('not ranked: 30 % of the weights known, 50 % needed'),
      expect.stringContaining('not scored: on this machine, or free'),
    ]);
  });

  it('when no value is known, then nobody is said to be ranked, nothing is calm, and what would complete it is named', async () => {
    const { page } = await opened({ hasValues: false });
    expect(title(page)).toBe('No model can be ranked for Builder.');
    expect(lede(page)).toContain('livecodebench missing for 8 of 8 models');
    expect(lede(page)).toContain('Import benchmark values');
    expect(ranked(page)).toEqual([]);
  });

  it('when OpenCode has listed nothing, then the view says so and what to do', async () => {
    const { page } = await opened({ world: { listed: null, offers: { models: [], catalogue: {} }, present: [] } });
    expect([title(page), lede(page)]).toEqual([
      'OpenCode has not listed its models yet.',
      'Open OpenCode once in a project, then return here.',
    ]);
  });

  it('when nobody can rank, then the view says why, with the way to ask once more', async () => {
    const refuse = () => {
      throw new Error('This Understudy cannot rank models.');
    };
    const { page } = await opened({}, '', { 'rank.run': refuse, 'rank.get': refuse });
    expect(textOf(page.querySelector('main [role=alert]'))).toContain('This Understudy cannot rank models.');
    expect(page.querySelector('main [role=alert] button')).not.toBeNull();
  });

  it('when an agent has no role, then one is asked for; chosen, it ranks, and is kept for the agent by its button', async () => {
    const { page, core } = await opened({}, '/scribe');
    expect(title(page)).toBe('scribe has no role yet.');
    await press(button(page, 'Fixer'));
    await settle();
    expect(title(page)).toMatch(/^For scribe, gale-3/);
    await press(button(page, 'Save Fixer for scribe'));
    await settle();
    expect(lastAsked(core, 'rank.change')).toEqual({ changes: [{ type: 'role', agent: 'scribe', role: 'fixer' }] });
    expect(button(page, 'Guess from the name of scribe')).toBeDefined();
  });

  it('when live is blended in, then it is asked for so', async () => {
    const { page, core } = await opened();
    await press(button(page, 'Benchmarks and live data'));
    await settle();
    expect(lastAsked(core, 'rank.get')).toMatchObject({ isLive: true });
    expect(button(page, 'Benchmarks and live data')?.getAttribute('aria-pressed')).toBe('true');
  });

  it('when strict is ticked, then only those with every benchmark are listed, and who lacks what is said', async () => {
    const { page } = await opened();
    await act(async () => page.querySelector<HTMLInputElement>('.rk-list .tick input')?.click());
    expect(textOf(page.querySelector('.rk-strict p'))).toBe('Strict mode excludes 4 models with missing values.');
    expect(ranked(page)).toHaveLength(4);
    expect([...page.querySelectorAll('.rk-strict li')].map(textOf)).toContain('beta/boreal-air: swe_bench_pro');
  });
});

describe('given the weights of a role', () => {
  const sliders = (page: Element) => [...page.querySelectorAll<HTMLInputElement>('.wt input')];
  const percents = (page: Element) =>
    [...page.querySelectorAll('.wt b')].map((each) => Number(textOf(each).replace(' %', '')));

  it('when a slider is moved, then the others give way, all come to 100, and the draft ranks', async () => {
    const { page, core } = await opened();
    expect(percents(page)).toEqual([30, 25, 15, 10, 10, 5, 5]);
    await type(sliders(page)[0] ?? null, '65');
    expect(percents(page)[0]).toBe(65);
    expect(percents(page).reduce((sum, each) => sum + each, 0)).toBeCloseTo(100, 6);
    await act(async () => new Promise((resolve) => setTimeout(resolve, 250)));
    await settle();
    expect(lastAsked(core, 'rank.get')).toMatchObject({
      formula: expect.stringContaining('((swe_bench_pro / MAX_PERCENT_SCORE) * 0.65)'),
    });
    await press(button(page, 'As published'));
    await settle();
    expect(percents(page)).toEqual([30, 25, 15, 10, 10, 5, 5]);
  });

  it('when a formula cannot be read, then it is said where, and it cannot be kept', async () => {
    const { page } = await opened();
    await type(page.querySelector('.rk-formula textarea'), 'gpqa * ');
    await act(async () => new Promise((resolve) => setTimeout(resolve, 250)));
    await settle();
    expect(textOf(page.querySelector('.rk-formula [role=alert]'))).toMatch(/\(at \d+\)$/);
    expect(button(page, 'Save')?.hasAttribute('disabled')).toBe(true);
  });

  it('when a draft is kept, then it is the formula in force until the published one is taken again', async () => {
    const { page, core } = await opened();
    await type(page.querySelector('.rk-formula textarea'), 'gpqa');
    await act(async () => new Promise((resolve) => setTimeout(resolve, 250)));
    await settle();
    await press(button(page, 'Save'));
    await settle();
    expect(lastAsked(core, 'rank.change')).toEqual({ changes: [{ type: 'formula', role: 'builder', text: 'gpqa' }] });
    expect(textOf(page.querySelector('.rk-weights .card-head .cap'))).toBe('yours, saved');
    await press(button(page, 'As published'));
    await settle();
    expect(percents(page)).toEqual([30, 25, 15, 10, 10, 5, 5]);
  });
});

describe('given the table of values', () => {
  const cells = (page: Element) => [...page.querySelectorAll<HTMLButtonElement>('.hm-cell')];

  it('when arrows are pressed, then one cell alone is a stop of Tab, and what is known of it is told', async () => {
    const { page } = await opened();
    expect(cells(page).filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
    await pressKey(page.querySelector('.hm'), 'ArrowDown');
    await pressKey(page.querySelector('.hm'), 'ArrowRight');
    const [stop] = cells(page).filter(({ tabIndex }) => tabIndex === 0);
    expect(stop?.getAttribute('aria-label')).toBe('atlas-1, swe_bench_verified: 78');
    const detail = textOf(page.querySelector('.hm-detail'));
    expect(detail).toContain('Published · imported · dated 2026-01-31');
    expect(detail).toContain('Normalized 0.780 × 25 % = 0.195.');
    expect(detail).toContain('Invented for tests');
  });

  it('when all benchmarks are wanted, then there are sixteen columns, and what is missing says so', async () => {
    const { page } = await opened();
    await press(button(page, 'All 16'));
    expect(page.querySelectorAll('.hm thead th')).toHaveLength(17);
    const missing = cells(page).find((each) => each.getAttribute('aria-label') === 'gale-3, aime: missing');
    expect(textOf(missing)).toBe('–');
  });

  it('when a value is put in by hand, then it is asked for with unit, source and date', async () => {
    const { page, core } = await opened();
    await act(async () => cells(page)[0]?.focus());
    await press(button(page, 'Correct…'));
    const [value, source, date] = page.querySelectorAll('dialog input');
    await type(value ?? null, '63');
    await type(source ?? null, 'https://example.com/board');
    await type(date ?? null, '2026-01-30');
    await press(page.querySelector('dialog [type=submit]'));
    await settle();
    expect(lastAsked(core, 'rank.change')).toEqual({
      changes: [
        {
          ...{ type: 'value', model: 'gamma/gale-3', benchmark: 'swe_bench_pro', value: 63, unit: 'percent' },
          ...{ source: 'https://example.com/board', date: '2026-01-30' },
        },
      ],
    });
    expect(cells(page)[0]?.getAttribute('aria-label')).toBe('gale-3, swe_bench_pro: 63');
  });

  it('when a file has lines that cannot be read, then the others are taken in, and those are told by line', async () => {
    const { page } = await opened({ hasValues: false });
    await press(button(page, 'Import…'));
    await type(page.querySelector('dialog textarea'), `${inventedFile()}alpha/atlas-1,gpqa,many,percent,x,\n`);
    await type(page.querySelector('dialog input:not([type])'), 'Invented for tests');
    await press(page.querySelector('dialog [type=submit]'));
    await settle();
    expect(textOf(page.querySelector('dialog [role=status]'))).toMatch(
      /^48 values imported\.1 line was skipped:Line 50: /,
    );
    expect(title(page)).toBe('For build, gale-3 scores highest.');
  });
});

describe('given a proposal', () => {
  it('when it is begun, decided model by model, applied and undone, then each step is asked for, and what was written is told', async () => {
    const { page, core, written } = await opened();
    await press(button(page, 'Propose'));
    await settle();
    expect(textOf(page.querySelector('.rk-review .cap'))).toBe('gale-3 model 1 of 5, 5 to decide');
    expect(textOf(page.querySelector('.gate-head'))).toContain('gale-3');
    for (let left = 5; left > 0; left--) {
      await pressKey(page.querySelector('.gate-act .btn'), 'a');
      await settle();
    }
    expect(lastAsked(core, 'rank.act')).toMatchObject({ act: { type: 'decide', choice: 'approved' } });
    expect(page.querySelector('.rk-apply .diff')).not.toBeNull();
    await press(button(page, 'Apply'));
    await settle();
    expect(written).toHaveLength(1);
    expect(written[0]?.tiers[0]).toEqual({
      name: 'premium',
      models: ['gamma/gale-3', 'alpha/atlas-1', 'beta/boreal-2'],
    });
    expect(textOf(page.querySelector('.rk-apply'))).toContain('Applied. The file contains what you approved.');
    core.handlers = { ...core.handlers, 'setup.undo': () => ({ ok: true, path: '/x', receipt: null }) };
    await press(page.querySelector('.rk-apply .btn'));
    await settle();
    expect(lastAsked(core, 'setup.undo')).toEqual({ receipt: 'r1' });
    expect(textOf(page.querySelector('.rk-apply'))).toContain('Undone');
  });

  it('when Artificial Analysis is to be asked, then its cost is said first, and the key goes with one question and is gone', async () => {
    const { page, core } = await opened();
    const tick = [...page.querySelectorAll('.rk-outside .tick')].find((each) => textOf(each).startsWith('Artificial'));
    expect(textOf(tick)).toContain('free');
    await press(tick?.querySelector('input'));
    const field = page.querySelector<HTMLInputElement>('input[type=password]');
    await type(field, 'aa_secret');
    await press(button(page, 'Propose'));
    await settle();
    const acts = core.asked
      .filter(({ name }) => name === 'rank.act')
      .map(({ input }) => (input as { act: unknown }).act);
    expect(acts).toEqual([
      { type: 'start', role: 'builder', isLive: false, wants: ['artificial_analysis'], key: 'aa_secret' },
    ]);
    expect(field?.value).toBe('');
    expect(page.innerHTML).not.toContain('aa_secret');
  });

  it('when values of Artificial Analysis are shown, then they are credited as its terms ask', async () => {
    const { page } = await opened({ values: { origin: 'artificial_analysis' } });
    expect(textOf(page.querySelector('.rk-legend a'))).toBe('Benchmark values by Artificial Analysis');
  });

  it('when another name is typed for a model nobody knows, then it is confirmed under that', async () => {
    const { models, catalogue } = inventedModels();
    const offers = { models: [...models, 'router/gale-3'], catalogue: { ...catalogue, 'router/gale-3': {} } };
    const { page, core } = await opened({ world: { offers } });
    const [first] = page.querySelectorAll('.rk-values .rk-rows li');
    const model = first?.querySelector('.id')?.getAttribute('title');
    await act(async () => {
      const select = first?.querySelector('select');
      if (!select) throw new TypeError('There is no choice of names.');
      select.value = '+';
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await type(first?.querySelector('input') ?? null, 'alpha/atlas-1');
    await press(first?.querySelector('button'));
    await settle();
    expect(lastAsked(core, 'rank.change')).toEqual({
      changes: [{ type: 'match', model, record: 'alpha/atlas-1' }],
    });
  });

  it('when one is never wanted, then it is no longer proposed, and can be taken back', async () => {
    const { page } = await opened({ isBegun: true });
    await pressKey(page.querySelector('.gate-act .btn'), 'x');
    await settle();
    expect([...page.querySelectorAll('.tc[data-model]')].map((each) => each.getAttribute('data-model'))).not.toContain(
      'gamma/gale-3',
    );
    await press(button(page, 'Propose gale-3 again'));
    await settle();
    expect([...page.querySelectorAll('.tc[data-model]')].map((each) => each.getAttribute('data-model'))).toContain(
      'gamma/gale-3',
    );
  });

  it('when a model is kept at a place, then it is asked for so, and can be let go', async () => {
    const { page, core } = await opened({ isBegun: true });
    await press(button(page, 'Fix boreal-2 at a position'));
    await settle();
    expect(lastAsked(core, 'rank.act')).toMatchObject({ act: { type: 'keep', model: 'beta/boreal-2', position: 3 } });
    await press(button(page, 'Let boreal-2 move again'));
    await settle();
    expect(lastAsked(core, 'rank.act')).toMatchObject({ act: { model: 'beta/boreal-2', position: null } });
  });

  it('when another role is looked at, then it is said that the proposal is for its own, with the way back', async () => {
    const { page } = await opened({ isBegun: true });
    await press(button(page, 'Fixer'));
    await settle();
    expect(textOf(page.querySelector('.rk-apart'))).toContain('is for another role: Builder');
    await press(button(page, 'Return to it'));
    await settle();
    expect(page.querySelector('.gate')).not.toBeNull();
  });

  it('when nothing can be kept here, then the reason is told, and no proposal begins', async () => {
    const { page } = await opened({
      port: {
        book: {
          ...{ read: sampleKept, change: () => ({ ok: false, reason: 'no' }) },
          whyNot: () => 'Another window has it.',
        },
      },
    });
    expect(textOf(page.querySelector('main [role=alert]'))).toBe('Nothing can be saved here: Another window has it.');
    expect(button(page, 'Propose')?.hasAttribute('disabled')).toBe(true);
  });
});

const sampleKept = () => keptFrom([]).kept;
