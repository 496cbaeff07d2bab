/** @module-tag nightly */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../src/contract/snapshot';
import type { FleetStatus } from '../../src/features/fleet/contract/fleet';
import { NO_FLEET } from '../../src/features/fleet/contract/no-fleet';
import { type PanelServer, startPanelServer } from '../../src/panel/server';
import { complaintsOf, leaveBrowser, openBrowser, picture, picturesOf } from '../support/browser';
import { dayOf, eightAgents } from '../support/eight-agents';
import { handsOn } from '../support/page-hands';
import { fakeHost } from '../support/panel-host';
import {
  AWAY,
  fleetPreferences,
  fleetSettings,
  knownFromBuild7,
  machineOf,
  sampleFleet,
} from '../support/sample-fleet';
import { sampleHeadroom } from '../support/sample-headroom';
import { sampleSnapshot } from '../support/sample-snapshot';

const RENDERER = join(import.meta.dirname, '..', '..', 'out', 'renderer');
const THEMES = ['light', 'dark'] as const;
const WIDTHS = [320, 640, 1280, 1920] as const;
const [BUILD_7, BUILD_9, LAPTOP] = ['3f9a1c07b2d84e65', 'c41e80d7395fa26b', '08b7e2f4916ac3d5'] as const;

/** A team on a busy afternoon: three machines, of which one says what is not so. */
const TEAM = sampleFleet({
  accounts: [
    { account: 'anthropic', apart: null, machines: [BUILD_7, BUILD_9] },
    { account: 'google', apart: null, machines: [BUILD_7] },
    { account: 'moonshot', apart: null, machines: [] },
    { account: 'openai@work', apart: null, machines: [] },
    { account: 'mistral', apart: 'login', machines: [] },
    { account: 'lmstudio-local', apart: 'local', machines: [] },
  ],
  machines: [
    machineOf('build-7', '7', { id: BUILD_7 }),
    machineOf('build-9', '9', { id: BUILD_9, agoMs: 48_000 }),
    machineOf('ada-laptop', 'a', { id: LAPTOP, version: null, agoMs: 9 * 60_000, isIgnored: true }),
  ],
});

/** The same afternoon in the snapshot: two models are known from another machine, and one is tried again. */
function afternoon(at: number): Snapshot {
  const { instances, events } = sampleSnapshot(at);
  const known = knownFromBuild7(eightAgents(at, 'trouble'), 'anthropic/claude-opus-4-1', 'google/gemini-3-pro');
  const models = known.models.map((row) =>
    row.provider === 'moonshot' ? { ...row, state: 'probing' as const, until: null, source: null } : row,
  );
  return { ...known, models, instances, events, headroom: sampleHeadroom(at) };
}

let browser: Browser;
let server: PanelServer;
let host: ReturnType<typeof fakeHost>;
let settings: ReturnType<typeof fleetSettings>;
let status: FleetStatus;
let page: Page;
let complaints: string[];
const { tabTo, until, violations } = handsOn(() => page);

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => leaveBrowser(browser));

async function open(first: FleetStatus, hash = '#/fleet'): Promise<void> {
  const snapshot = afternoon(Date.now());
  status = first;
  settings = fleetSettings(
    fleetPreferences(first.state === 'off' ? { url: null, team: '', ignored: [] } : { ignored: [LAPTOP] }),
  );
  host = fakeHost(snapshot, {
    ...settings.handlers,
    'fleet.get': () => status,
    'models.states': ({ models }) => dayOf(models, snapshot.at),
  });
  server = await startPanelServer({ host, rendererRoot: RENDERER, port: 0 });
  const context = await browser.newContext({
    ...{ viewport: { width: 1280, height: 820 }, reducedMotion: 'reduce' },
    ...{ locale: 'en-GB', timezoneId: 'Europe/Berlin' },
  });
  page = await context.newPage();
  complaints = complaintsOf(page);
  await page.goto(server.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate(`location.hash = '${hash}'`);
}
beforeEach(() => {
  complaints = [];
});
afterEach(async () => {
  await page?.context().close();
  await server?.close();
  expect(complaints).toEqual([]);
});

const headed = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const excess = () =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
async function tooWide(): Promise<string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 820 });
    if ((await excess()) > 0) found.push(`${width} px: too wide`);
  }
  return found;
}

describe('given a team on a busy afternoon, in Chromium', () => {
  it.each(THEMES)(
    'when the view is opened in the %s theme, in English and German, then axe finds nothing, and nothing scrolls sideways',
    async (theme) => {
      await open(TEAM);
      await page.emulateMedia({ colorScheme: theme });
      await headed('Team acme is connected, with 2 other machines.');
      await page.getByText('27 requests to limited accounts were saved.').waitFor();
      await page.getByText('reported by build-7').first().waitFor();
      const found = await violations('team');
      await picturesOf(page, `screens/fleet-${theme}`, { fullPage: true });
      await page.getByRole('button', { name: 'Deutsch' }).click();
      await headed('Team acme ist verbunden, mit 2 anderen Rechnern.');
      found.push(...(await violations('German', { contrast: false })));
      await picturesOf(page, `fleet/de-${theme}`, { fullPage: true });
      expect([...found, ...(await tooWide())]).toEqual([]);
    },
  );

  it('when a person gets there by keys and does not heed a machine, then that is written, and Undo takes it back', async () => {
    await open(TEAM, '#/now');
    await headed(/./);
    await page.keyboard.press('g');
    await page.keyboard.press('f');
    await headed('Team acme is connected, with 2 other machines.');
    await tabTo('Ignore build-7');
    await page.keyboard.press('Enter');
    await page.getByText('is ignored on this machine.').waitFor();
    // The team is joined anew, and nobody is known for a moment: the focus stays where it was.
    status = sampleFleet({ state: 'connecting', machines: [], accounts: [] });
    host.publish({ ...afternoon(Date.now()), rev: 98, settings: 1 });
    await headed('Connecting to the server of team acme.');
    await until(`document.activeElement.getAttribute('aria-label') === 'Stop ignoring build-7'`);
    expect(settings.fleet().ignored).toEqual([LAPTOP, BUILD_7]);
    expect(await violations('ignored')).toEqual([]);
    status = TEAM;
    await headed('Team acme is connected, with 2 other machines.');
    await picturesOf(page, 'fleet/ignored-light', { fullPage: true });
    await tabTo('Undo');
    await page.keyboard.press('Enter');
    await page.getByText('Undone.').waitFor();
    expect(settings.fleet().ignored).toEqual([LAPTOP]);
  });

  it('when the server goes away while the page is open, then it says so by itself, and that work goes on', async () => {
    await open(TEAM);
    await headed('Team acme is connected, with 2 other machines.');
    status = { ...TEAM, ...AWAY };
    await headed('The server of team acme does not answer.');
    await page.getByText('This machine works alone and keeps looking for the server.').waitFor();
    const found = await violations('away');
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      await picturesOf(page, `fleet/away-${theme}`, { fullPage: true });
    }
    expect([...found, ...(await tooWide())]).toEqual([]);
  });

  it('when the system forces its colours, then axe finds nothing', async () => {
    await open(TEAM);
    await page.emulateMedia({ forcedColors: 'active' });
    await headed('Team acme is connected, with 2 other machines.');
    expect(await violations('forced colours')).toEqual([]);
    await picture(page, 'fleet/forced-1280', { fullPage: true });
  });
});

describe('given a machine whose secret is gone, in Chromium', () => {
  it('when the view is opened in English and German, then each says what is missing, where, and that work goes on', async () => {
    const at = '/home/ada/.local/state/understudy/fleet-secret';
    await open({ ...NO_FLEET, state: 'unready', missing: { what: 'secret', team: 'acme', at, why: '' } });
    await headed('This machine is not ready for its fleet.');
    await page.getByText(`The secret of team acme is missing: ${at}. This machine works alone.`).waitFor();
    const found = await violations('unready');
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByText(`Das Geheimnis des Teams acme fehlt: ${at}. Dieser Rechner arbeitet allein`).waitFor();
    await picturesOf(page, 'fleet/de-unready-light', { fullPage: true });
    expect([...found, ...(await tooWide())]).toEqual([]);
  });
});

describe('given a machine in no fleet, in Chromium', () => {
  it.each(THEMES)(
    'when the view is opened in the %s theme, then it says how to begin, and axe finds nothing',
    async (theme) => {
      await open(NO_FLEET);
      await page.emulateMedia({ colorScheme: theme });
      await headed('This machine is in no fleet.');
      const found = await violations('off');
      await picturesOf(page, `fleet/off-${theme}`, { fullPage: true });
      expect([...found, ...(await tooWide())]).toEqual([]);
    },
  );
});

describe('given other views, in Chromium', () => {
  it.each(THEMES)(
    'when "now" is opened in the %s theme, then it says which machine has found out what',
    async (theme) => {
      await open(TEAM, '#/now');
      await page.emulateMedia({ colorScheme: theme });
      await page.locator('.q', { hasText: 'oracle' }).getByText('reported by build-7').waitFor();
      expect(await page.locator('.rb-from').allTextContents()).toEqual(['reported by build-7', 'reported by build-7']);
      const found = await violations('now');
      await picturesOf(page, `fleet/now-${theme}`, { fullPage: true });
      expect([...found, ...(await tooWide())]).toEqual([]);
    },
  );

  it.each(['on', 'off'] as const)(
    'when the settings are opened while the fleet is %s, then their card fits every width, and axe finds nothing',
    async (state) => {
      await open(state === 'on' ? TEAM : NO_FLEET, '#/settings/general');
      const card = page.getByRole('region', { name: 'Fleet' });
      await card.waitFor();
      const found: string[] = [];
      for (const theme of THEMES) {
        await page.emulateMedia({ colorScheme: theme });
        found.push(...(await violations(theme)));
        await picturesOf(page, `fleet/settings-${state}-${theme}`, { fullPage: true });
      }
      expect([...found, ...(await tooWide())]).toEqual([]);
      if (state === 'off') return;
      await card.getByLabel('Share the usage of limits').click();
      await page.getByText('Settings changed.').waitFor();
      expect(settings.fleet().share).toEqual(['health']);
      await card.getByRole('link', { name: 'Open the fleet' }).click();
      await headed('Team acme is connected, with 2 other machines.');
    },
  );
});
