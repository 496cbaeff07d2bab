import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Handlers } from '../../src/contract/contract';
import type { CouncilView } from '../../src/features/council/contract/council';
import type { CouncilRunRow } from '../../src/features/council/contract/council-run';
import { type PanelServer, startPanelServer } from '../../src/panel/server';
import { complaintsOf, leaveBrowser, openBrowser, picture, THEMES } from '../support/browser';
import { INTERACTIVE, overlapsOf, stickingOutOf, UNREADABLE, USED_WIDTH } from '../support/layout';
import { isNightly, nightlyIf } from '../support/nightly';
import { handsOn } from '../support/page-hands';
import { type FakeHost, fakeHost } from '../support/panel-host';
import {
  councilAnswers,
  finishedRow,
  RUN,
  sampleQuestion,
  sampleRuns,
  sampleStorm,
  sampleView,
  withCouncils,
} from '../support/sample-council';
import { sampleSnapshot } from '../support/sample-snapshot';

const RENDERER = join(import.meta.dirname, '..', '..', 'out', 'renderer');
/** Only the nightly run looks at every width and theme, and asks for contrast; that part of a test has no tag of its own. */
const WIDTHS = isNightly ? ([1920, 1280, 640, 320] as const) : ([1280, 320] as const);
/** The scene in which most can overlap; the nightly run plays all of them. */
const PER_MERGE = 'crowd';
/** What is cut off on purpose, or scrolls. */
const CLIPPED = 'svg, .sr, .id-slash, .scroll, pre, select';

let browser: Browser;
let host: FakeHost;
let server: PanelServer;
let page: Page;
let complaints: string[];
const { tabTo, tabUntil, until, violations } = handsOn(() => page);

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => leaveBrowser(browser));

beforeEach(async () => {
  const context = await browser.newContext({
    ...{ viewport: { width: 1280, height: 820 }, reducedMotion: 'reduce', locale: 'en-GB', acceptDownloads: true },
  });
  page = await context.newPage();
  complaints = complaintsOf(page);
});
afterEach(async () => {
  await page?.context().close();
  await server?.close();
  expect(complaints).toEqual([]);
});

/** A core that holds one run, and all there is to list. */
type World = Readonly<{ view: CouncilView; runs: readonly CouncilRunRow[]; councils?: readonly CouncilRunRow[] }>;

async function open({ view, runs, councils = [view.row] }: World, hash: string, change: Partial<Handlers> = {}) {
  const at = Date.now();
  host = fakeHost(withCouncils(sampleSnapshot(at), councils), { ...councilAnswers(at, view, runs), ...change });
  server = await startPanelServer({ host, rendererRoot: RENDERER, port: 0 });
  await page.goto(`${server.url}${hash}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await until(`document.querySelector('.bone') === null`);
}

/** Everything that a person may find on the page of councils, by what it is called. */
function scenes(
  at: number,
): Readonly<Record<string, Readonly<{ world: World; hash: string; reach?: () => Promise<void> }>>> {
  const question = { state: 'awaiting_fallback_decision' as const, question: sampleQuestion(at) };
  const asked = sampleView({ at, row: question });
  const crowd = sampleView({ at, heroes: 10, findings: 50 });
  const over = sampleView({ at, row: finishedRow(at) });
  const storm = sampleStorm({ at });
  const ranked = sampleStorm({ at, row: { ...finishedRow(at), headline: 'Write orders to an outbox, and watch it.' } });
  const capped = sampleView({ at, row: { state: 'paused_for_user', spent: 2 } });
  const off = sampleView({ at, row: { state: 'paused' } });
  const left = sampleView({ at, row: { state: 'left', isPlayed: false } });
  const one = (view: CouncilView): World => ({ view, runs: [view.row] });
  return {
    empty: { world: { view: asked, runs: [], councils: [] }, hash: '#/council' },
    plan: {
      world: { view: asked, runs: sampleRuns(at), councils: [] },
      hash: '#/council',
      reach: async () => {
        await page
          .getByRole('textbox', { name: 'What should the council review?' })
          .fill('/home/ada/code/storefront-api');
        await page.getByRole('button', { name: 'Check' }).click();
        await page.getByRole('heading', { name: 'Plan' }).waitFor();
      },
    },
    question: { world: one(asked), hash: `#/council/${RUN}`, reach: openFinding },
    crowd: { world: one(crowd), hash: `#/council/${RUN}`, reach: openFilters },
    capped: { world: one(capped), hash: `#/council/${RUN}` },
    off: { world: one(off), hash: `#/council/${RUN}` },
    left: { world: one(left), hash: `#/council/${RUN}` },
    storm: { world: one(storm), hash: `#/council/${RUN}` },
    report: { world: one(over), hash: `#/council/${RUN}`, reach: openFolds },
    ranked: { world: one(ranked), hash: `#/council/${RUN}`, reach: openFolds },
  };
}

const openFinding = () => page.locator('.fnd').nth(2).click();
const openFilters = () => page.locator('.fl-more').click();
const openFolds = () =>
  page.evaluate(`for (const each of document.querySelectorAll('main details')) each.open = true`) as Promise<void>;

const drawn = () => page.evaluate('new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))');

async function faults(): Promise<readonly string[]> {
  const excess = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  return [
    ...(excess > 0 ? [`${excess} px too wide`] : []),
    ...(await page.evaluate<string[]>(overlapsOf(INTERACTIVE))),
    ...(await page.evaluate<string[]>(UNREADABLE)),
    ...(await page.evaluate<string[]>(stickingOutOf('main .card', CLIPPED))),
  ];
}

describe('given councils in every state', () => {
  for (const name of Object.keys(scenes(0)))
    it(
      `when the page is looked at (${name}), then in every width and theme nothing overlaps, is cut, scrolls sideways or breaks a rule`,
      nightlyIf(name !== PER_MERGE),
      async () => {
        const { world, hash, reach } = scenes(Date.now())[name] ?? { world: null, hash: '' };
        if (!world) throw new Error(`There is no scene ${name}.`);
        const found = new Set<string>();
        await open(world, hash);
        await picture(page, `council/${name}-first-1280-light`);
        await reach?.();
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 820 });
          for (const theme of THEMES) {
            await page.emulateMedia({ colorScheme: theme });
            await drawn();
            for (const fault of await faults()) found.add(`${width}: ${fault}`);
            // A theme changes colours alone.
            if (width === 1280 || (width === 320 && theme === 'light'))
              for (const rule of await violations(`${width} ${theme}`, { contrast: isNightly && width === 1280 }))
                found.add(rule);
            await picture(page, `council/${name}-${width}-${theme}`, { fullPage: true });
          }
          if (width === 1920) expect(await page.evaluate<number>(USED_WIDTH)).toBeGreaterThan(0.9);
        }
        await page.getByRole('button', { name: 'Deutsch' }).click();
        await until(`document.documentElement.lang === 'de'`);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 820 });
          await drawn();
          for (const fault of await faults()) found.add(`German ${width}: ${fault}`);
          await picture(page, `council/${name}-${width}-de`, { fullPage: true });
        }
        expect([...found]).toEqual([]);
      },
    );
});

describe('given a person with a keyboard alone, and no council yet', () => {
  const press = (key: string) => page.keyboard.press(key);

  it('when they go from the empty page over plan, question and findings to a report, then that is saved as a file', async () => {
    const at = Date.now();
    const said: unknown[] = [];
    const first = sampleView({ at, row: { state: 'awaiting_fallback_decision', question: sampleQuestion(at) } });
    const goesOn = sampleView({ at, rev: 50 });
    const ended = sampleView({ at, rev: 90, row: finishedRow(at) });
    let view = first;
    let { rev } = sampleSnapshot(at);
    const become = (next: CouncilView): void => {
      view = next;
      rev += 1;
      host.publish({ ...withCouncils(sampleSnapshot(at), [next.row]), rev });
    };
    await open({ view: first, runs: [], councils: [] }, '#/now', {
      'council.run': () => view,
      'council.export': ({ format }) => ({ ok: true, name: `council-${RUN}.${format}`, text: view.report.headline }),
      'council.begin': () => {
        become(first);
        return { ok: true, run: RUN };
      },
      'council.say': ({ word }) => {
        said.push(word);
        become(goesOn);
        return { ok: true };
      },
    });

    await press('Control+6');
    await page.getByRole('heading', { level: 1, name: 'Council' }).waitFor();
    await tabUntil(`it.matches('.co-ask textarea')`);
    await page.keyboard.insertText('/home/ada/code/storefront-api');
    await tabTo('Check');
    await press('Enter');
    await page.getByRole('heading', { name: 'Plan' }).waitFor();
    await tabTo('Start');
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: /^Cross-Reference, stage 3 of 6/ }).waitFor();

    await tabTo('Yes');
    await press('Enter');
    await page.locator('main .ask').waitFor({ state: 'detached' });
    expect(said).toEqual([{ kind: 'answer', yes: true, question: 'q1' }]);

    // Whose transcript it is, by the party.
    await tabUntil(`it.matches('.party-row')`);
    await press('ArrowDown');
    await press('Enter');
    await until(`document.querySelector('.party-row[data-row=architect]').getAttribute('aria-pressed') === 'true'`);

    // Only the critical ones, and what is behind the second.
    await tabTo('Critical: 2');
    await press('Space');
    await until(`document.querySelectorAll('.co-board > div .fnd').length === 2`);
    await tabUntil(`it.matches('.fnd')`);
    await press('ArrowDown');
    await press('Enter');
    await page.locator('#co-f-f2').waitFor();
    await press('Escape');
    await page.locator('#co-f-f2').waitFor({ state: 'detached' });

    become(ended);
    await tabTo('Show the report');
    await press('Enter');
    await page.locator('.rep').waitFor();
    await page.evaluate('scrollTo(0, 0)');
    await tabTo('SARIF');
    const [download] = await Promise.all([page.waitForEvent('download'), press('Enter')]);
    expect(download.suggestedFilename()).toBe(`council-${RUN}.sarif`);
    const file = await download.path();
    expect(await readFile(file, 'utf8')).toContain('Fix two things before the release');
    await page.getByText(`is saved as council-${RUN}.sarif.`).waitFor();
  });
});
