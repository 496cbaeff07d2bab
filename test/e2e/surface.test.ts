import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page, Request } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenedCore } from '../../src/node/attach-core';
import { openCore } from '../../src/node/open-core';
import { startPanelServer } from '../../src/panel/server';
import { isRecording, recordedSurface, recordSurface, sorted, withoutDigits } from '../recorded/surface';
import { leaveBrowser, openBrowser } from '../support/browser';
import { eventually } from '../support/eventually';
import { worldOf } from '../support/layout-worlds';
import { handsOn } from '../support/page-hands';
import { fakeHost } from '../support/panel-host';
import { RUN } from '../support/sample-council';

const RENDERER = join(import.meta.dirname, '..', '..', 'out', 'renderer');
const SECTIONS = ['general', 'notifications', 'breaker', 'projects', 'data', 'appearance', 'advanced'];
const PAGES = [
  ...['#/now', '#/now?notices', '#/chains', '#/models', '#/sessions', '#/sessions/ses_1', '#/usage', '#/events'],
  ...['#/headroom', '#/ranking', '#/council', `#/council/${RUN}`, '#/fleet', '#/setup', '#/glance'],
  ...SECTIONS.map((section) => `#/settings/${section}`),
];
const CONTROL =
  /^\s*- (button|link|textbox|searchbox|combobox|checkbox|switch|radio|tab|slider|spinbutton|menuitem)(?: "((?:[^"\\]|\\.)*)")?/;

describe('given the recorded controls of the panel', () => {
  let root: string;
  let core: OpenedCore;
  let browser: Browser;
  let page: Page;
  /** Questions of the page that have no answer yet. */
  const pending = new Set<Request>();
  const { until } = handsOn(() => page);

  beforeAll(async () => {
    browser = await openBrowser();
    root = await mkdtemp(join(tmpdir(), 'us-'));
    const env = {
      ...process.env,
      UNDERSTUDY_HOME: join(root, 'u'),
      XDG_CONFIG_HOME: join(root, 'c'),
      XDG_DATA_HOME: join(root, 'd'),
    };
    core = await openCore({ version: '0.1.0', runtime: 'test', env });
    page = await (await browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB' })).newPage();
    await page.setViewportSize({ width: 1280, height: 820 });
    page.on('request', (request) => request.url().includes('/rpc/') && pending.add(request));
    page.on('requestfinished', (request) => pending.delete(request));
    page.on('requestfailed', (request) => pending.delete(request));
  });
  afterAll(async () => {
    await leaveBrowser(browser);
    await core?.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  });

  async function open(hash: string): Promise<void> {
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await until(`document.querySelector('main h1') !== null && document.querySelector('.bone') === null`);
    await eventually(async () => pending.size === 0);
    await page.evaluate(`for (const each of document.querySelectorAll('details')) each.open = true`);
  }

  async function controls(): Promise<readonly string[]> {
    const lines = (await page.locator('body').ariaSnapshot()).split('\n');
    return lines.flatMap((line) => {
      const [, role, name = ''] = line.match(CONTROL) ?? [];
      return role === undefined ? [] : [withoutDigits(`${role} ${name.replaceAll(root, 'ROOT')}`.trim())];
    });
  }

  it('when each view of three worlds is opened, then none is missing and none is new', {
    tags: ['nightly'],
    timeout: 600_000,
  }, async () => {
    const found: Record<string, readonly string[]> = {};
    for (const world of ['empty', 'many', 'trouble'] as const) {
      const { snapshot, handlers } = worldOf(world, Date.now());
      const { 'snapshot.get': _, ...real } = core.host.handlers;
      const host = fakeHost(snapshot, { ...real, ...handlers });
      const server = await startPanelServer({ host, rendererRoot: RENDERER, port: 0 });
      await page.goto(server.url);
      await page.getByRole('heading', { level: 1 }).waitFor();
      for (const hash of PAGES) {
        await open(hash);
        const view = hash.replace(RUN, 'RUN');
        found[view] = sorted([...(found[view] ?? []), ...(await controls())]);
      }
      await server.close();
    }
    if (isRecording) return recordSurface({ controls: found });
    expect(found).toEqual(recordedSurface().controls);
  });
});
