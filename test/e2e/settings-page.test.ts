import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenedCore } from '../../src/node/attach-core';
import { openCore } from '../../src/node/open-core';
import { type PanelServer, startPanelServer } from '../../src/panel/server';
import { configured, failed, prompted, started } from '../core/virtual-core';
import { leaveBrowser, openBrowser, openPage, picture, THEMES } from '../support/browser';
import { tellAsCompanion } from '../support/companion';
import { eventually } from '../support/eventually';
import { handsOn } from '../support/page-hands';

const ROOT = join(import.meta.dirname, '..', '..');
const SECTIONS = ['general', 'notifications', 'breaker', 'projects', 'data', 'appearance', 'advanced'] as const;
const FILE = `{
  // calm
  "defaults": { "circuitBreaker": { "failureThreshold": 5 } },
  "agents": { "build": { "policy": "patient", "fallbackModels": ["lead/one", "spare/two"] } }
}
`;
const STRANGE = 'Moon 17 hides your allowance until 4 pm';

let root: string;
let core: OpenedCore;
let server: PanelServer;
let browser: Browser;
let page: Page;
let complaints: string[];
const { tabUntil, violations } = handsOn(() => page);
let hangUp = (): void => undefined;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'us-'));
  const env = {
    ...process.env,
    UNDERSTUDY_HOME: join(root, 'u'),
    XDG_CONFIG_HOME: join(root, 'c'),
    XDG_DATA_HOME: join(root, 'd'),
  };
  await mkdir(dirname(policyFile()), { recursive: true });
  await writeFile(policyFile(), FILE);
  core = await openCore({ version: '0.1.0', runtime: 'test', env });
  server = await startPanelServer({ host: core.host, rendererRoot: join(ROOT, 'out', 'renderer'), port: 0 });
  await strangeFailure(env.UNDERSTUDY_HOME);
  browser = await openBrowser();
  ({ page, complaints } = await openPage(browser, server.url));
});
afterAll(async () => {
  await leaveBrowser(browser);
  hangUp();
  await server?.close();
  await core?.close();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

const policyFile = (): string => join(root, 'c', 'opencode', 'model-fallback.json');
const policies = () => readFile(policyFile(), 'utf8');
const preferences = async () => JSON.parse(await readFile(join(root, 'u', 'preferences.json'), 'utf8'));

/** A companion tells of a failure that nobody can name. */
async function strangeFailure(home: string): Promise<void> {
  const failure = failed('a1', { phase: 'body', message: STRANGE });
  hangUp = await tellAsCompanion(home, [configured(), prompted(), started(), failure]);
  await eventually(async () => (await core.host.handlers['snapshot.get'](null)).unknownPhrases === 1);
}

const open = async (section: (typeof SECTIONS)[number]): Promise<void> => {
  await page.evaluate(`location.hash = '#/settings/${section}'`);
  await page.locator(`.settings-nav a[aria-current][href="#/settings/${section}"]`).waitFor();
};
const card = (name: string) => page.getByRole('region', { name });

/** By how its name begins: fields are named by their labels. */
const tabTo = (name: string): Promise<void> =>
  tabUntil(
    `(it.getAttribute('aria-label') ?? it.labels?.[0]?.textContent ?? it.textContent).startsWith(${JSON.stringify(name)})`,
  );
async function press(name: string): Promise<void> {
  await tabTo(name);
  await page.keyboard.press('Enter');
}
async function type(name: string, text: string): Promise<void> {
  await tabTo(name);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

/** Looks at both themes at both widths, and leaves pictures where they are wanted. @returns where the page is wider than the window. */
async function shoot(name: string): Promise<string[]> {
  const wide: string[] = [];
  const isAsking = await page.locator('dialog[open]').isVisible();
  for (const theme of THEMES) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    for (const width of [1280, 640]) {
      await page.setViewportSize({ width, height: 820 });
      await picture(page, `panel/${name}-${theme}-${width}`, { fullPage: !isAsking });
      if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) wide.push(`${theme} ${width}`);
    }
  }
  await page.setViewportSize({ width: 1280, height: 820 });
  await page.evaluate('delete document.documentElement.dataset.theme');
  return wide;
}

describe('given the settings, and a keyboard', () => {
  it.each(SECTIONS)(
    'when %s is looked at in every theme and at both widths, then axe finds nothing',
    { tags: ['nightly'] },
    async (section) => {
      await open(section);
      await eventually(async () => !(await page.getByText('Loading…').first().isVisible()));
      expect(await shoot(`settings-${section}`)).toEqual([]);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await violations(colorScheme)).toEqual([]);
      }
      await page.emulateMedia({ forcedColors: 'active' });
      expect(await violations('forced colours')).toEqual([]);
      await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });
    },
  );

  it('when a phrase is taught, then the file says so, the inbox is empty, and an undo brings it back', async () => {
    await open('breaker');
    await press(`Teach ${STRANGE}`);
    await tabTo('It means');
    await page.keyboard.type('out of quota');
    await page.getByText('One stored failure contains these words:').waitFor();
    await page.getByRole('dialog').getByText('"kind": "quota"').waitFor();
    expect([await shoot('settings-teach'), await violations('settings-teach')]).toEqual([[], []]);
    await press('Teach');
    await page.getByText('All errors so far were recognised.').waitFor();
    const taught = '[{ "phrase": "hides your allowance until", "kind": "quota", "provider": "lead" }]';
    expect(await policies()).toBe(FILE.replace('] } }\n', `] } },\n  "patterns": ${taught}\n`));
    await press('Undo');
    await eventually(async () => (await policies()) === FILE);
  });

  it('when a row of a policy is changed, then a policy of one’s own says so, and an undo gives the file back', async () => {
    await open('breaker');
    await press('Edit');
    await type('Steps when a model is not answering in time', 'retry:2 swich');
    await press('Apply…');
    await page.getByText('Did you mean "switch"?').first().waitFor();
    expect([await shoot('settings-wrong'), await violations('settings-wrong')]).toEqual([[], []]);
    await type('Steps when a model is not answering in time', 'retry:2 switch');
    await press('Apply…');
    await page.getByRole('dialog').getByText('"timeout": ["retry:2", "switch"]').waitFor();
    expect([await shoot('settings-apply'), await violations('settings-apply')]).toEqual([[], []]);
    await press('Apply');
    await page.getByText('Policy changed.').waitFor();
    expect(JSON.parse((await policies()).replace('// calm', ''))).toMatchObject({
      defaults: { policy: 'mine', circuitBreaker: { failureThreshold: 5 } },
      policies: { mine: { extends: 'swift', rows: { timeout: ['retry:2', 'switch'] } } },
    });
    await card('Steps of a policy').getByText('retry up to 2 times, then switch').waitFor();
    await press('Undo');
    await eventually(async () => (await policies()) === FILE);
  });

  it('when everybody is put under council, then what is written of vendors is shown before, and written', {
    tags: ['nightly'],
  }, async () => {
    await open('breaker');
    await press('Edit');
    await tabTo('All other agents');
    await page.keyboard.type('council');
    await press('Apply…');
    await page.getByRole('dialog').getByText('"vendorLock": false').waitFor();
    await press('Apply');
    await page.getByText('Policy changed.').waitFor();
    expect(JSON.parse((await policies()).replace('// calm', '')).defaults).toEqual({
      ...{ circuitBreaker: { failureThreshold: 5 }, policy: 'council', vendorLock: false },
    });
    await press('Undo');
    await eventually(async () => (await policies()) === FILE);
  });

  it('when retention is changed, then it is kept, told to every window, and can be taken back', {
    tags: ['nightly'],
  }, async () => {
    await open('data');
    await type('Days in full detail', '7');
    await press('Save');
    await page.getByText('Settings changed.').waitFor();
    expect(await preferences()).toEqual({ history: { detailDays: 7, maxMebibytes: 512 } });
    await press('Undo');
    await page.locator('.toast', { hasText: 'Undone.' }).waitFor();
    expect(await preferences()).toEqual({ history: { detailDays: 30, maxMebibytes: 512 } });
  });

  it('when everything is to be deleted, then nothing goes before the word is typed', {
    tags: ['nightly'],
  }, async () => {
    await open('data');
    await press('Delete all my data…');
    expect(await page.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true);
    await type('Type delete', 'delete');
    expect([await shoot('settings-erase'), await violations('settings-erase')]).toEqual([[], []]);
    await page.keyboard.press('Enter');
    await page.getByText('Recording starts again.').waitFor();
  });

  it('when the language and the theme are changed, then the page changes at once and nothing is too wide', async () => {
    await open('appearance');
    await page.getByRole('radio', { name: 'Dark' }).check();
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await page.getByRole('radio', { name: 'System' }).check();
    await page.getByRole('radio', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor();
    for (const section of SECTIONS) {
      await open(section);
      expect(await shoot(`settings-${section}-de`)).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });
});
