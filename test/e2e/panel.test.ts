import { request } from 'node:http';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { textOf } from '../../src/node/opencode';
import { complaintsOf, leaveBrowser, openBrowser, picture } from '../support/browser';
import { type PanelProcess, startPanel } from '../support/panel-process';
import { openStage, type Stage } from '../support/stage';

let stage: Stage;
let panel: PanelProcess | null = null;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());
afterEach(async () => {
  await panel?.kill();
  panel = null;
});

const LIMITED = { kind: 'status', status: 429, headers: { 'retry-after': '840' } } as const;
const ANSWER = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;
const SLOW = { cooldownMs: 300_000, retryOriginalAfterMs: 900_000, restMs: 60_000 };

describe('given the panel in a real browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => leaveBrowser(browser));

  it('when a turn falls back, then the page shows it without a reload, in both themes and widths, without a complaint', async () => {
    const { provider, server, home } = stage;
    const { directory, ids } = await stage.makeCase({ defaults: SLOW });
    provider.script(ids[0] ?? '', [LIMITED]);
    provider.script(ids[1] ?? '', [ANSWER]);
    panel = await startPanel(home);
    const page = await browser.newPage({ viewport: { width: 1280, height: 820 }, colorScheme: 'light' });
    const complaints = complaintsOf(page);
    const response = await page.goto(panel.url);
    expect(response?.headers()['content-security-policy']).toMatch(
      /default-src 'none'.*script-src 'self'.*style-src 'self'/,
    );
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate('window.hasNotReloaded = true');

    const session = await server.createSession(directory);
    expect(textOf(await server.prompt(session, { text: 'One' }))).toBe(ANSWER.text);

    await page.getByText('build is on an understudy. Nothing has stopped.').waitFor();
    await page.getByText('2 of 2, understudy').first().waitFor();
    await page.getByText(`build switched ${ids[0]} → ${ids[1]}`, { exact: false }).first().waitFor();
    expect(await page.evaluate('window.hasNotReloaded')).toBe(true);

    for (const route of ['now', 'chains', 'models', 'events']) {
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const width of [1280, 640]) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          await page.setViewportSize({ width, height: 820 });
          await page.evaluate(`location.hash = '#/${route}'`);
          await page.getByRole('heading', { level: 1 }).waitFor();
          await picture(page, `screens/${route}-${colorScheme}-${width}`);
        }
      }
    }
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('when somebody asks without the token, or from elsewhere, then they are refused', async () => {
    panel = await startPanel(stage.home);
    const { host, origin } = new URL(panel.url);
    const statuses = await Promise.all([
      statusOf(`${origin}/`, {}),
      statusOf(`${origin}/events`, {}),
      statusOf(`${origin}/rpc/snapshot.get`, {}, 'POST'),
      statusOf(panel.url, { host: `evil.example:${host.split(':')[1]}` }),
      statusOf(panel.url, { origin: 'http://evil.example' }),
      statusOf(panel.url, {}),
    ]);
    expect(statuses).toEqual([401, 401, 401, 403, 403, 303]);
  });
});

/** A bare request, so that any header can be sent. */
function statusOf(url: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    call.on('error', reject);
    call.end();
  });
}
