import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DemoStatus } from '../../src/contract/demo';
import { createCore } from '../../src/core/core';
import { nodeClock } from '../../src/node/base/clock';
import { type PanelServer, startPanelServer } from '../../src/panel/server';
import { leaveBrowser, openBrowser, openPage, picturesOf } from '../support/browser';
import { eventually } from '../support/eventually';
import { handsOn } from '../support/page-hands';
import { GPT, KIMI, OPUS, openSeededCore, PRO, SONNET } from '../support/seeded-core';

const ROOT = join(import.meta.dirname, '..', '..');
const THEMES = ['light', 'dark'] as const;

let browser: Browser;
let seeded: Awaited<ReturnType<typeof openSeededCore>>;
let server: PanelServer;
let page: Page;
let complaints: string[];
const { until, tabUntil, tabTo, violations, dragTo } = handsOn(() => page);
/** Takes back what a view was prepared with. */
let restore: () => Promise<void> = async () => {};

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => leaveBrowser(browser));

beforeEach(async () => {
  seeded = await openSeededCore({
    probe: async () => ({ ok: true, tookMs: 812, cost: 0.0012 }),
  });
  server = await startPanelServer({ host: seeded.core.host, rendererRoot: join(ROOT, 'out', 'renderer'), port: 0 });
  ({ page, complaints } = await openPage(browser, server.url));
});
afterEach(async () => {
  await page?.context().close();
  await server?.close();
  await seeded?.close();
  expect(complaints).toEqual([]);
});

const models = () => seeded.core.host.handlers['snapshot.get'](null) as { models: { model: string; state: string }[] };
const stateOf = (model: string) => models().models.find((row) => row.model === model)?.state;
const open = async (hash: string) => {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await until(`document.querySelector('main h1') !== null`);
};
const planChain = () => `#/chains/${encodeURIComponent(`${seeded.shop}|plan`)}`;
const focused = () => page.evaluate(`document.activeElement?.getAttribute('aria-label')`);
const order = () =>
  page.evaluate(`[...document.querySelectorAll('.crow')].map((row) => row.getAttribute('data-model'))`);

/** Moves what is lifted until this is said: keys are heard a moment after the lifting is. */
const carry = (key: string, said: string) =>
  eventually(async () => {
    await page.keyboard.press(key);
    return (await page.getByText(said).count()) > 0;
  });

/** Another chain on disk than the draft, which an earlier view has left, began with. */
async function makeConflict(): Promise<void> {
  const before = await readFile(seeded.file, 'utf8');
  await writeElsewhere([PRO, OPUS, KIMI]);
  restore = () => writeFile(seeded.file, before);
}

const shoot = async (name: string, theme: string): Promise<void> => {
  // Nothing lies under a hand in a picture.
  await page.mouse.move(0, 0);
  await picturesOf(page, `panel/${name}-${theme}`);
};

describe('given the panel on a core that has seen every state', () => {
  it('when each view is opened in both themes, then axe finds nothing, nothing loops and nobody complains', {
    tags: ['nightly'],
    timeout: 400_000,
  }, async () => {
    const views: readonly (readonly [name: string, hash: string, prepare?: () => Promise<unknown>])[] = [
      ['now', '#/now'],
      ['now-why', '#/now', () => page.getByRole('button', { name: 'Why does plan use gpt-5?' }).click()],
      ['shortcuts', '#/now', () => page.getByRole('button', { name: 'Keyboard shortcuts' }).click()],
      ['chains', planChain()],
      ['chains-draft', planChain(), () => page.getByRole('button', { name: 'Move gpt-5 up' }).click()],
      ['chains-what-if', planChain(), () => page.getByRole('button', { name: 'Simulate this draft' }).click()],
      ['chains-raw', planChain(), () => page.getByRole('button', { name: 'Raw JSON' }).click()],
      ['chains-new', planChain(), () => page.getByRole('button', { name: 'New chain' }).click()],
      ['chains-delete', planChain(), () => page.getByRole('button', { name: 'Delete…' }).click()],
      ['models', '#/models'],
      ['model', `#/models/${encodeURIComponent(OPUS)}`],
      [
        'model-probe',
        `#/models/${encodeURIComponent(OPUS)}`,
        () => page.getByRole('button', { name: 'Probe…' }).click(),
      ],
      ['model-hold', `#/models/${encodeURIComponent(OPUS)}`, () => page.getByRole('button', { name: 'Hold…' }).click()],
      ['models-table', '#/models', () => page.getByRole('button', { name: 'Table' }).click()],
      ['models-tiles', '#/models', () => page.getByRole('button', { name: 'Tiles' }).click()],
      ['events', '#/events', () => page.locator('.log-row', { hasText: 'plan switched' }).first().click()],
      ['chains-conflict', planChain(), makeConflict],
    ];
    const found: string[] = [];
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      await page.reload();
      await page.getByRole('heading', { level: 1 }).waitFor();
      // A draft outlives that.
      await open(planChain());
      await page.locator('.crow').first().waitFor();
      if (await page.locator('.draft').isVisible()) await page.getByRole('button', { name: 'Discard' }).click();
      for (const [name, hash, prepare] of views) {
        await open('#/now');
        await open(hash);
        await prepare?.();
        if (name === 'chains-raw' || name === 'chains-delete') await page.locator('.diff').waitFor();
        if (name === 'chains-what-if') await page.getByText('turns answered.').waitFor();
        found.push(...(await violations(`${name} ${theme}`)));
        await shoot(name, theme);
        await page.keyboard.press('Escape');
        await restore();
      }
    }
    const endless = await page.evaluate(
      `document.getAnimations().filter((each) => each.effect.getComputedTiming().iterations === Infinity).length`,
    );
    expect([found, endless]).toEqual([[], 0]);
    // Axe reads each view twice; on a busy machine that takes minutes.
  });

  it('when the system forces its colours, then axe finds nothing and every badge has a border', {
    tags: ['nightly'],
  }, async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await open('#/models');
    expect(await violations('forced colours')).toEqual([]);
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.st-needs')).borderStyle`)).toBe('solid');
  });

  it('when the window is as narrow as 320 px, then nothing has to be scrolled sideways', {
    tags: ['nightly'],
  }, async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    for (const hash of ['#/now', planChain(), '#/models', `#/models/${encodeURIComponent(OPUS)}`, '#/events']) {
      await open(hash);
      const excess = await page.evaluate(`document.documentElement.scrollWidth - document.documentElement.clientWidth`);
      expect([hash, excess]).toEqual([hash, 0]);
    }
  });
});

const VIEWS = ['#/now', '#/chains', '#/models'] as const;

describe('given a panel without an OpenCode, and one that has lost its core', () => {
  it('when its views are opened in both themes, then axe finds nothing, and the demo is offered, seen and ended', {
    tags: ['nightly'],
    timeout: 300_000,
  }, async () => {
    const log = { append: () => {}, readAll: async () => ({ records: [] }) };
    let status: DemoStatus = { state: 'failed', reason: 'OpenCode was not found' };
    const demo = {
      status: () => status,
      start: async () => (status = { state: 'running', url: 'http://127.0.0.1:1/?t=key' }),
      stop: async () => (status = { state: 'off' }),
    };
    const ports = { clock: nodeClock(), log, store: null, random: () => 0.5, demo };
    const core = createCore(ports, { version: '0.1.0', runtime: 'panel' });
    const own = await startPanelServer({ host: core.host, rendererRoot: join(ROOT, 'out', 'renderer'), port: 0 });
    await page.goto(own.url);
    await page.getByText('The demo could not start: OpenCode was not found.').waitFor();
    const found: string[] = [];
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      for (const hash of VIEWS) {
        await open(hash);
        found.push(...(await violations(`empty ${hash} ${theme}`)));
        await shoot(`empty-${hash.slice(2)}`, theme);
      }
    }
    await open('#/now');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Open its panel' }).waitFor();
    found.push(...(await violations('demo')));
    await page.getByRole('button', { name: 'Stop the demo' }).click();
    await page.getByRole('button', { name: 'Start the demo' }).waitFor();
    expect(found).toEqual([]);
    await page.close();
    await own.close();
    core.dispose();
  });

  it('when its core has gone, then each view says so in both themes, and axe finds nothing', {
    tags: ['nightly'],
    timeout: 300_000,
  }, async () => {
    await server.close();
    await page.locator('.main.stale').waitFor();
    const found: string[] = [];
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      for (const hash of VIEWS) {
        await open(hash);
        await page.getByText('No contact').first().waitFor();
        found.push(...(await violations(`stale ${hash} ${theme}`)));
      }
    }
    expect(found).toEqual([]);
    await page.close();
    // It asks in vain for a core that is not there: no fault of the page.
    complaints.length = 0;
  });
});

describe('given nothing but a keyboard', () => {
  it('when a cooling model is reset, then its consequences are told first, and then it is ready', {
    tags: ['nightly'],
  }, async () => {
    await page.keyboard.press('Control+3');
    await tabTo('Reset…');
    await tabUntil(`it.dataset.row === ${JSON.stringify(OPUS)}`);
    await page.keyboard.press('Enter');
    await page.locator('.detail h2').waitFor();
    await tabUntil(`it.closest('.actions') !== null`);
    await page.keyboard.press('r');
    await page.getByText('plan returns to claude-opus-4-1 with its next message.').waitFor();
    expect(stateOf(OPUS)).toBe('cooling');
    await tabTo('Reset');
    await page.keyboard.press('Enter');
    await page.getByText('is reset. The next request may try it.').waitFor();
    expect(stateOf(OPUS)).toBe('ready');
    await page.locator('.detail .st', { hasText: 'Ready' }).waitFor();
  });

  it('when a model is probed, then the price comes first, the answer after it, and it is used again', {
    tags: ['nightly'],
  }, async () => {
    await open(`#/models/${encodeURIComponent(OPUS)}`);
    await tabTo('Probe…');
    await page.keyboard.press('p');
    await page.getByText('about $0.12, mostly for OpenCode’s own prompt').waitFor();
    await tabTo('Send probe');
    await page.keyboard.press('Enter');
    await page.locator('.probed', { hasText: 'answered in 812 ms, for $0.0012. It is in use again.' }).waitFor();
    expect(stateOf(OPUS)).toBe('ready');
    await open('#/events');
    await page.getByText('Probe of claude-opus-4-1: it answered in 812 ms, for $0.0012').waitFor();
  });

  it('when a model is held out of use, then it is held; Escape closes its page and gives the focus back', {
    tags: ['nightly'],
  }, async () => {
    await open(`#/models/${encodeURIComponent(GPT)}`);
    await tabTo('Hold…');
    await page.keyboard.press('Enter');
    await page.getByText('plan and oracle switch models with the next request.').waitFor();
    await tabTo('Hold');
    await page.keyboard.press('Enter');
    await page.locator('.detail .st', { hasText: 'Held' }).waitFor();
    expect(stateOf(GPT)).toBe('held');
    await tabTo('End hold');
    await page.keyboard.press('Escape');
    await until(`document.activeElement?.getAttribute('data-row') === ${JSON.stringify(GPT)}`);
    expect(await page.evaluate('location.hash')).toBe('#/models');
  });

  it('when the window is narrow, then a model that is opened has the focus, and gives it back when it is closed', {
    tags: ['nightly'],
  }, async () => {
    await page.setViewportSize({ width: 640, height: 820 });
    await open('#/models');
    await tabUntil(`it.dataset.row === ${JSON.stringify(OPUS)}`);
    await page.keyboard.press('Enter');
    await until(`document.activeElement?.closest('.detail') !== null`);
    await tabUntil(`it.textContent === 'Hold…'`);
    await page.keyboard.press('Escape');
    await until(`document.activeElement?.getAttribute('data-row') === ${JSON.stringify(OPUS)}`);
  });

  it('when a question is answered with no, then the agent is left out, and can be brought back', {
    tags: ['nightly'],
  }, async () => {
    await page.getByText('May gpt-5 answer for sentinel?').waitFor();
    await tabTo('No');
    await page.keyboard.press('Space');
    await tabTo('Bring back sentinel');
    await page.locator('.ask').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.getByText('sentinel is back.').waitFor();
  });

  it('when a chain is put in order and applied, then only that chain of the file changes, and Undo puts it back', async () => {
    const before = await readFile(seeded.file, 'utf8');
    await open(planChain());
    await tabTo('Move gpt-5, position 2 of 4');
    await page.keyboard.press('Space');
    await page.getByText('gpt-5, position 2 of 4. Lifted.').waitFor({ state: 'attached' });
    await carry('ArrowUp', 'gpt-5, over position 1 of 4.');
    await page.keyboard.press('Space');
    await page.getByText('gpt-5, position 2 of 4. Moved to 1. Not applied yet.').waitFor({ state: 'attached' });
    await until(`document.querySelector('.crow').getAttribute('data-model') === ${JSON.stringify(GPT)}`);
    await tabTo('Move claude-sonnet-4-5, position 4 of 4');
    await page.keyboard.press('Alt+ArrowUp');
    expect(await order()).toEqual([GPT, OPUS, SONNET, PRO]);
    expect(await focused()).toBe('Move claude-sonnet-4-5, position 3 of 4');
    await page.keyboard.press('Control+s');
    await page.getByText('The new chain of').waitFor();
    const { agents } = JSON.parse(await readFile(seeded.file, 'utf8')) as { agents: Record<string, unknown> };
    const old = JSON.parse(before) as { agents: Record<string, unknown> };
    expect(agents).toEqual({ ...old.agents, plan: { fallbackModels: [GPT, OPUS, SONNET, PRO] } });
    await page.locator('.draft').waitFor({ state: 'detached' });
    await tabTo('Undo');
    await page.keyboard.press('Enter');
    await page.getByText('Undone.').waitFor();
    expect(await readFile(seeded.file, 'utf8')).toBe(before);
  });

  it('when a model is lifted and moved with End, or put back with Escape, then it is last, or where it was', {
    tags: ['nightly'],
  }, async () => {
    await open(planChain());
    await tabTo('Move claude-opus-4-1, position 1 of 4');
    await page.keyboard.press('Space');
    await page.getByText('claude-opus-4-1, position 1 of 4. Lifted.').waitFor({ state: 'attached' });
    await carry('End', 'claude-opus-4-1, over position 4 of 4.');
    await page.keyboard.press('Escape');
    await page.getByText('claude-opus-4-1, position 1 of 4. Put back.').waitFor({ state: 'attached' });
    expect(await order()).toEqual([OPUS, GPT, PRO, SONNET]);
  });
});

/** Writes the chain of plan as another program would, and waits until this window tells of it. */
async function writeElsewhere(chain: readonly string[]): Promise<void> {
  const config = JSON.parse(await readFile(seeded.file, 'utf8')) as { agents: Record<string, unknown> };
  config.agents.plan = { fallbackModels: chain };
  await writeFile(seeded.file, JSON.stringify(config, null, 2));
  await page.getByRole('heading', { name: 'This chain was changed elsewhere' }).waitFor();
}

describe('given a draft whose chain is changed on disk', () => {
  it('when theirs is taken, then it is the draft, and Ctrl+Z gives back what was mine', {
    tags: ['nightly'],
  }, async () => {
    await open(planChain());
    await page.getByRole('button', { name: 'Move gpt-5 up' }).click();
    await writeElsewhere([PRO, OPUS]);
    await page.getByRole('button', { name: 'Move gpt-5 up' }).focus();
    await page.keyboard.press('Control+s');
    expect(await page.locator('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Use the file' }).click();
    await until(`document.querySelectorAll('.crow').length === 2`);
    expect([await order(), await page.locator('.draft').count()]).toEqual([[PRO, OPUS], 0]);
    await page.getByRole('button', { name: 'Remove gemini-3-pro' }).focus();
    await page.keyboard.press('Control+z');
    await until(`document.querySelectorAll('.crow').length === 4`);
    expect(await order()).toEqual([GPT, OPUS, PRO, SONNET]);
  });

  it('when the page is loaded again, then the draft is what it was, and so are its steps', {
    tags: ['nightly'],
  }, async () => {
    await open(planChain());
    await page.getByRole('button', { name: 'Move gpt-5 up' }).click();
    await page.getByRole('button', { name: 'Remove gemini-3-pro' }).click();
    await page.reload();
    await page.locator('.draft').waitFor();
    expect(await order()).toEqual([GPT, OPUS, SONNET]);
    await page.keyboard.press('Control+z');
    await until(`document.querySelectorAll('.crow').length === 4`);
    expect(await order()).toEqual([GPT, OPUS, PRO, SONNET]);
  });

  it('when mine is kept, then what is applied is mine, and the difference is one to theirs', {
    tags: ['nightly'],
  }, async () => {
    await open(planChain());
    await page.getByRole('button', { name: 'Move gpt-5 up' }).click();
    await writeElsewhere([PRO, OPUS]);
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByRole('button', { name: 'Raw JSON' }).click();
    await page.locator('.diff-add', { hasText: SONNET }).waitFor();
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText('The new chain of').waitFor();
    expect(await written()).toEqual([GPT, OPUS, PRO, SONNET]);
  });
});

const written = async (): Promise<unknown> => {
  const { agents } = JSON.parse(await readFile(seeded.file, 'utf8')) as {
    agents: Record<string, { fallbackModels: unknown }>;
  };
  return agents.plan?.fallbackModels;
};

describe('given the same chain in two windows', () => {
  it('when each changes it, then the second to apply sees both, and puts its change onto the other’s', {
    tags: ['nightly'],
  }, async () => {
    const other = await page.context().newPage();
    await other.goto(`${server.url.split('#')[0]}${planChain()}`);
    await open(planChain());
    await page.getByRole('button', { name: 'Move gpt-5 up' }).click();
    await other.getByRole('button', { name: 'Remove gemini-3-pro' }).click();
    await other.getByRole('button', { name: 'Apply', exact: true }).click();
    await other.getByText('The new chain of').waitFor();
    await page.getByRole('heading', { name: 'This chain was changed elsewhere' }).waitFor();
    expect(await page.locator('.conflict-sides section').evaluateAll(CHAINS_OF_SIDES)).toEqual([
      [OPUS, GPT, SONNET],
      [GPT, OPUS, PRO, SONNET],
      [GPT, OPUS, SONNET],
    ]);
    await page.getByRole('button', { name: 'Combine both' }).click();
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText('The new chain of').waitFor();
    expect(await written()).toEqual([GPT, OPUS, SONNET]);
    await other.close();
  });
});

const CHAINS_OF_SIDES = (sides: readonly unknown[]): unknown[] =>
  sides.map((side) =>
    [...(side as { querySelectorAll(selector: string): Iterable<{ title: string }> }).querySelectorAll('.id')].map(
      ({ title }) => title,
    ),
  );

describe('given a pointer', () => {
  it('when a model is dragged by its handle below the next, then they change places', async () => {
    await open(planChain());
    // What comes later moves nothing any more.
    await page.locator('[data-offer]').first().waitFor();
    await page.locator('.chain-policy button').first().waitFor();
    const grip = await page.getByRole('button', { name: 'Move claude-opus-4-1, position 1 of 4' }).boundingBox();
    const next = await page.locator(`.crow[data-model="${GPT}"]`).boundingBox();
    if (!grip || !next) throw new Error('The rows are not on the page');
    await page.mouse.move(grip.x + 8, grip.y + 8);
    await page.mouse.down();
    await page.mouse.move(grip.x + 8, grip.y + 30, { steps: 5 });
    await page.mouse.move(grip.x + 8, next.y + next.height / 2 + 8, { steps: 5 });
    await page.getByText('claude-opus-4-1, over position 2 of 4.').waitFor({ state: 'attached' });
    await page.mouse.up();
    await until(`document.querySelector('.crow').getAttribute('data-model') === ${JSON.stringify(GPT)}`);
    expect(await order()).toEqual([GPT, OPUS, PRO, SONNET]);
  });
});

describe('given the models OpenCode has', () => {
  it('when one is dragged over a row, then a slot says its number, and it is there; let go elsewhere, nothing is', {
    tags: ['nightly'],
  }, async () => {
    await open(planChain());
    const offer = page.locator('[data-offer="zai/glm-4.6"]');
    await offer.scrollIntoViewIfNeeded();
    await dragTo(offer, page.getByRole('heading', { level: 1 }));
    expect([await order(), await page.locator('.draft').count()]).toEqual([[OPUS, GPT, PRO, SONNET], 0]);
    const [from, to] = await Promise.all([offer.boundingBox(), rowOf(PRO).boundingBox()]);
    if (!from || !to) throw new Error('They are not on the page');
    await page.mouse.move(from.x + 40, from.y + 20);
    await page.mouse.down();
    await page.mouse.move(from.x - 20, from.y + 20, { steps: 5 });
    await page.mouse.move(to.x + 60, to.y + 10, { steps: 8 });
    await page.locator('.crow-slot', { hasText: '3drop here' }).waitFor();
    await page.mouse.up();
    await until(`document.querySelectorAll('.crow').length === 5`);
    expect(await order()).toEqual([OPUS, GPT, 'zai/glm-4.6', PRO, SONNET]);
    await page.locator('.ldiff li', { hasText: 'new provider: zai' }).waitFor();
    expect(await page.locator('.ldiff li').count()).toBe(1);
  });

  it('when the page is used by keyboard alone, then one is found by price, added, applied, and Ctrl+Z puts the file back', {
    tags: ['nightly'],
  }, async () => {
    const before = await readFile(seeded.file, 'utf8');
    await open(planChain());
    await tabTo('Move claude-sonnet-4-5, position 4 of 4');
    await page.keyboard.press('a');
    await page.keyboard.type('under $0.5');
    await page.locator('[data-offer="xai/grok-code-fast-1"][aria-selected="false"]').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('[data-offer="xai/grok-code-fast-1"][aria-selected="true"]').waitFor();
    await page.keyboard.press('Enter');
    await until(`document.querySelectorAll('.crow').length === 5`);
    await page.keyboard.press('Control+s');
    await page.getByText('The new chain of').waitFor();
    expect(await written()).toEqual([OPUS, GPT, PRO, SONNET, 'xai/grok-code-fast-1']);
    await page.locator('.draft').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    await page.getByText('Undone.').waitFor();
    expect(await readFile(seeded.file, 'utf8')).toBe(before);
  });
});

describe('given a chain as a whole', () => {
  it('when it is deleted, then the file has the others alone, and Undo brings it back', {
    tags: ['nightly'],
  }, async () => {
    const before = await readFile(seeded.file, 'utf8');
    await open(planChain());
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByText('plan then has no fallback: if its model fails, work stops.').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('no longer has a chain in that file.').waitFor();
    const { plan: _, ...others } = (JSON.parse(before) as { agents: Record<string, unknown> }).agents;
    expect(JSON.parse(await readFile(seeded.file, 'utf8'))).toEqual({ agents: others });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await readFile(seeded.file, 'utf8')).toBe(before);
  });

  it('when one is made for another agent as a copy, then it is written with the first Apply', {
    tags: ['nightly'],
  }, async () => {
    await open(planChain());
    await page.getByRole('button', { name: 'New chain' }).click();
    await page.getByRole('combobox', { name: 'Agent' }).fill('scribe');
    await page.getByRole('combobox', { name: 'Start with' }).selectOption(`${seeded.shop}|plan`);
    await page.getByRole('button', { name: 'Open draft' }).click();
    await page.getByRole('region', { name: 'Chain of scribe' }).waitFor();
    expect(await order()).toEqual([OPUS, GPT, PRO, SONNET]);
    await page.keyboard.press('Control+s');
    await page.getByText('The new chain of').waitFor();
    const { agents } = JSON.parse(await readFile(seeded.file, 'utf8')) as { agents: Record<string, unknown> };
    expect(agents.scribe).toEqual({ fallbackModels: [OPUS, GPT, PRO, SONNET] });
  });
});

describe('given a chain in tiers', () => {
  async function openTiered(): Promise<void> {
    const config = JSON.parse(await readFile(seeded.file, 'utf8')) as { agents: Record<string, unknown> };
    config.agents.plan = { fallbackModels: [OPUS, GPT], tiers: [{ name: 'thrifty', models: [PRO, SONNET] }] };
    await writeFile(seeded.file, JSON.stringify(config, null, 2));
    await open(planChain());
    await page.getByRole('textbox', { name: 'Name of thrifty' }).waitFor();
  }

  it('when a model is dragged across a heading, then the others go to whole places, and none lies over a heading', {
    tags: ['nightly'],
  }, async () => {
    await openTiered();
    const grip = await page.getByRole('button', { name: 'Move claude-opus-4-1, position 1 of 4' }).boundingBox();
    const last = await page.locator(`.crow[data-model="${SONNET}"]`).boundingBox();
    if (!grip || !last) throw new Error('The rows are not on the page');
    await page.mouse.move(grip.x + 8, grip.y + 8);
    await page.mouse.down();
    await page.mouse.move(grip.x + 8, grip.y + 40, { steps: 5 });
    await page.mouse.move(grip.x + 8, last.y + last.height / 2, { steps: 5 });
    // Each of the others has gone up by as much as the dragged one takes, the heading with them.
    await until(
      `((at) => at.heading < at[${JSON.stringify(PRO)}] && at[${JSON.stringify(SONNET)}] < ${last.y - 20})(${TOPS})`,
    );
    expect(await page.evaluate(OVERLAPS)).toEqual([]);
    await page.mouse.up();
    await until(`document.querySelector('.crow').getAttribute('data-model') === ${JSON.stringify(GPT)}`);
    expect(await order()).toEqual([GPT, PRO, SONNET, OPUS]);
    await page.locator('.ldiff li', { hasText: 'claude-opus-4-1 1 → 4, into thrifty' }).waitFor();
  });

  it('when its head is dragged to the top and it is applied, then all models are in the tier, also in the file', {
    tags: ['nightly'],
  }, async () => {
    await openTiered();
    await dragTo(page.getByRole('button', { name: 'Move the beginning of thrifty' }), rowOf(OPUS));
    await until(`document.querySelector('.chain ol > li').getAttribute('data-line') === 'tier 0'`);
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText('The new chain of').waitFor();
    const after = JSON.parse(await readFile(seeded.file, 'utf8')) as { agents: Record<string, unknown> };
    expect(after.agents.plan).toEqual({ tiers: [{ name: 'thrifty', models: [OPUS, GPT, PRO, SONNET] }] });
  });
});

const rowOf = (model: string) => page.locator(`.crow[data-model="${model}"]`);

/** Where each row and the heading begin, by name. */
const TOPS = `(Object.fromEntries([...document.querySelectorAll('.crow, .tier[data-line]')].map((row) => [
  row.getAttribute('data-model') ?? 'heading', row.getBoundingClientRect().top])))`;
/** Rows, but for the one in the hand, that lie over the heading once all have come to rest. */
const OVERLAPS = `(async () => {
  await Promise.all(document.getAnimations().map((each) => each.finished));
  const { top, bottom } = document.querySelector('.tier[data-line]').getBoundingClientRect();
  return [...document.querySelectorAll('.crow:not(.crow-slot)')].filter((row) => {
    const box = row.getBoundingClientRect();
    return box.top < bottom - 1 && box.bottom > top + 1;
  }).map((row) => row.getAttribute('data-model'));
})()`;

describe('given policies that come later than their chain', () => {
  it('when they are drawn, then its rows stay where they were', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 820 } });
    const late = await context.newPage();
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    await late.route(/\/rpc\/config\.get/, async (route) => {
      await gate;
      await route.continue();
    });
    await late.goto(`${server.url.split('#')[0]}${planChain()}`);
    const row = late.locator(`.crow[data-model="${OPUS}"]`);
    await late.locator('.chain-policy .cap').first().waitFor();
    const before = await row.boundingBox();
    go();
    await late.locator('.chain-policy button').first().waitFor();
    expect((await row.boundingBox())?.y).toBe(before?.y);
    await context.close();
  });
});

describe('given a finger', () => {
  it('when a model is dragged by its handle below the next, then they change places', async () => {
    const context = await browser.newContext({ viewport: { width: 640, height: 480 }, hasTouch: true });
    const touched = await context.newPage();
    await touched.goto(`${server.url.split('#')[0]}${planChain()}`);
    const grip = touched.getByRole('button', { name: 'Move claude-opus-4-1, position 1 of 4' });
    const next = touched.locator(`.crow[data-model="${GPT}"]`);
    await grip.scrollIntoViewIfNeeded();
    const [from, to] = await Promise.all([grip.boundingBox(), next.boundingBox()]);
    if (!from || !to) throw new Error('The rows are not on the page');
    const finger = await context.newCDPSession(touched);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x: from.x + 8, y }] });
    await touch('touchStart', from.y + 8);
    for (let step = 1; step <= 5; step++) await touch('touchMove', from.y + 8 + ((to.y - from.y + 8) * step) / 5);
    await touched.getByText('claude-opus-4-1, over position 2 of 4.').waitFor({ state: 'attached' });
    await touch('touchEnd');
    await touched.getByRole('button', { name: 'Move gpt-5, position 1 of 4' }).waitFor();
    expect(await touched.locator('.crow').first().getAttribute('data-model')).toBe(GPT);
    await context.close();
  });
});

describe('given a panel that nobody sees', () => {
  const turn = (isHidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
      document.dispatchEvent(new Event('visibilitychange'))`);

  it('when an hour of news goes by, then it asks and hears nothing; when it is seen again, then it tells them', {
    tags: ['nightly'],
  }, async () => {
    await page.clock.install();
    await page.reload();
    await page.getByText('May gpt-5 answer for sentinel?').waitFor();
    const isGone = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/events'));
    await turn(true);
    await isGone;
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    seeded.core.host.handlers['health.reset']({
      target: { model: OPUS },
      rev: Number.MAX_SAFE_INTEGER,
      actor: 'panel',
    });
    await page.clock.fastForward(3_600_000);
    expect([requests, await page.getByText('You reset claude-opus-4-1').count()]).toEqual([[], 0]);
    await turn(false);
    await page.getByText('You reset claude-opus-4-1').first().waitFor();
    expect(requests.map((url) => new URL(url).pathname)).toContain('/events');
  });
});
