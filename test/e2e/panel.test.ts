import { rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { complaintsOf, isPictured, leaveBrowser, openBrowser, picture, picturesOf, THEMES } from '../support/browser';
import { type PanelProcess, startPanel } from '../support/panel-process';
import { textOf } from '../support/said';
import { openStage, type Stage } from '../support/stage';
import type { TabSecret } from '../support/tab-codes';

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
    // No file of this home names the companion, so the panel opens on Setup.
    await expect.poll(() => page.evaluate('location.hash')).toBe('#/setup');
    await page.evaluate(`location.hash = '#/now'`);
    await page.evaluate('window.hasNotReloaded = true');

    const session = await server.createSession(directory);
    expect(textOf(await server.prompt(session, { text: 'One' }))).toBe(ANSWER.text);

    await page.locator('.q', { hasText: `build uses ${ids[1]}, 2 of 2.` }).waitFor();
    await page
      .locator('.map-row', { hasText: ids[1] ?? '' })
      .getByText('Model 2 of 2')
      .waitFor();
    await page.getByText(`build switched ${ids[0]} → ${ids[1]}`, { exact: false }).first().waitFor();
    expect(await page.evaluate('window.hasNotReloaded')).toBe(true);

    for (const route of ['now', 'chains', 'models', 'events']) {
      for (const colorScheme of THEMES) {
        for (const width of isPictured ? [1280, 640] : [640]) {
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

  it('when somebody asks without a secret, or from elsewhere, then they are refused', async () => {
    panel = await startPanel(stage.home);
    const { host, origin } = new URL(panel.url);
    const statuses = await Promise.all([
      statusOf(`${origin}/events`, {}),
      statusOf(`${origin}/rpc/snapshot.get`, {}, 'POST'),
      statusOf(`${origin}/session`, {}, 'POST'),
      statusOf(panel.url, { host: `evil.example:${host.split(':')[1]}` }),
      statusOf(panel.url, { origin: 'http://evil.example' }),
      statusOf(panel.url, {}),
    ]);
    expect(statuses).toEqual([401, 401, 415, 403, 403, 200]);
  });

  it('when the same browser visits another server of this machine, then that one is sent nothing and can do nothing', async () => {
    panel = await startPanel(stage.home);
    const { origin } = new URL(panel.url);
    const neighbour = await startNeighbour(origin);
    const context = await browser.newContext();
    try {
      const page = await context.newPage();
      await page.goto(panel.url);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await shown(page);
      // The token has left the address, and what this tab was given is nowhere else.
      expect([page.url(), await context.cookies()]).toEqual([`${origin}/`, []]);
      const { secret } = JSON.parse(await page.evaluate(STORED)) as TabSecret;
      const token = new URL(panel.url).searchParams.get('t') ?? '';
      expect(secret).toMatch(/^[\w-]{43}$/);

      for (const host of ['127.0.0.1', 'localhost']) {
        const visit = await context.newPage();
        await visit.goto(neighbour.url.replace('127.0.0.1', host));
        const tried = await visit.evaluate<Record<string, string>>('tried');
        expect(tried).toEqual({
          sessionStorage: 'nothing',
          'fetch with credentials': 'refused',
          'fetch without reading': 'refused',
          'a frame': 'refused',
          'an image': 'refused',
          'a window': 'refused',
        });
        await visit.close();
      }
      // The same tab, gone there and come back.
      await page.goto(neighbour.url);
      expect(await page.evaluate<Record<string, string>>('tried')).toMatchObject({ sessionStorage: 'nothing' });
      expect(neighbour.heard().filter((text) => text.includes(secret) || text.includes(token))).toEqual([]);
      await page.goto(origin);
      await page.getByRole('link', { name: 'Chains' }).first().waitFor();

      // A tab that was opened without the address has nothing either, and says how to come in.
      const stranger = await context.newPage();
      await stranger.goto(origin);
      await stranger.getByRole('heading', { name: 'This tab is not connected to the panel.' }).waitFor();
    } finally {
      await context.close();
      await neighbour.close();
    }
  });

  it('when the panel is started anew at its port, then an open tab goes on without a reload, also after F5', async () => {
    panel = await startPanel(stage.home);
    const { port } = new URL(panel.url);
    const page = await browser.newPage();
    await page.goto(panel.url);
    await shown(page);
    await page.evaluate('window.hasNotReloaded = true');
    await panel.kill();
    await page.getByText('"understudy panel" starts it.').waitFor();
    panel = await startPanel(stage.home, process.env, Number(port));
    await page.getByText('"understudy panel" starts it.').waitFor({ state: 'detached' });
    expect(await page.evaluate('window.hasNotReloaded')).toBe(true);
    await page.reload();
    await shown(page);
    await page.close();
  });

  it('when another program has its port, then it gets nothing from an open tab that the next panel accepts', async () => {
    panel = await startPanel(stage.home);
    const { port, origin } = new URL(panel.url);
    const page = await browser.newPage();
    await page.goto(panel.url);
    await shown(page);
    const { id, secret } = JSON.parse(await page.evaluate(STORED)) as TabSecret;
    await panel.kill();
    // The panel runs again at another port, and the program passes on to it all that the tab sends.
    panel = await startPanel(stage.home);
    const thief = await startThief(Number(port), panel.url);
    try {
      await page.evaluate(`location.hash = '#/usage'`);
      await page.getByRole('heading', { name: 'Another program answers at this address.' }).waitFor();
      expect(await page.evaluate(STORED)).toBeNull();
      await picturesOf(page, 'screens/shut');
      const texts = thief.asked().map((one) => JSON.stringify(one));
      expect([texts.some((text) => text.includes(id)), texts.some((text) => text.includes(secret))]).toEqual([
        true,
        false,
      ]);
    } finally {
      await thief.close();
    }
    // All of it, sent once more: to this panel, and to one that has the port again.
    for (const at of [Number(new URL(panel.url).port), Number(port)]) {
      if (at === Number(port)) {
        await panel.kill();
        panel = await startPanel(stage.home, process.env, at);
      }
      for (const { url, authorization, body } of thief.asked()) {
        expect(url).toBe('/session');
        const bearer = authorization ?? `Bearer ${(JSON.parse(body) as { nonce: string }).nonce}`;
        expect(await statusOf(`http://127.0.0.1:${at}/events`, { authorization: bearer })).toBe(401);
      }
    }
    await page.goto(`${origin}/?t=${'x'.repeat(43)}`);
    await page.getByRole('heading', { name: 'This address no longer opens the panel.' }).waitFor();
    await page.goto(panel.url);
    await shown(page);
    await page.close();
  });

  it('when the panel has lost its tabs, then an open tab says how to come in', { tags: ['nightly'] }, async () => {
    panel = await startPanel(stage.home);
    const { port } = new URL(panel.url);
    const page = await browser.newPage();
    await page.goto(panel.url);
    await shown(page);
    await panel.kill();
    await rm(join(stage.home, 'panel-tabs.json'));
    panel = await startPanel(stage.home, process.env, Number(port));
    await page.getByRole('heading', { name: 'This tab is no longer valid.' }).waitFor();
    await page.close();
  });
});

/** Waits until the page shows a snapshot. */
const shown = (page: Page) =>
  page.getByText('OpenCode running').or(page.getByText('OpenCode is not connected')).first().waitFor();

const STORED = `sessionStorage.getItem('understudy-session')`;

type Stolen = Readonly<{ url: string; authorization: string | undefined; body: string }>;

/** Another program at the port of a panel that has ended, which passes everything on to the panel of this address. */
async function startThief(port: number, panelUrl: string) {
  const asked: Stolen[] = [];
  const server = createServer((incoming, response) => {
    let body = '';
    incoming.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    incoming.on('end', () => {
      const { method = 'GET', url = '/', headers } = incoming;
      asked.push({ url, authorization: headers.authorization, body });
      const { host } = new URL(panelUrl);
      const passed = request(`http://${host}${url}`, {
        method,
        headers: { ...headers, host, origin: `http://${host}` },
      });
      passed.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      passed.on('error', () => response.destroy());
      passed.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    asked: () => asked,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Another server on a port of this machine, whose page tries what it can to get into the panel. */
async function startNeighbour(panel: string) {
  const heard: string[] = [];
  const script = `
    const target = ${JSON.stringify(panel)};
    const settled = (element, url) => new Promise((done) => {
      element.onload = () => done('loaded');
      element.onerror = () => done('refused');
      element.src = url;
      document.body.append(element);
    });
    const tried = (async () => ({
      sessionStorage: sessionStorage.length === 0 ? 'nothing' : JSON.stringify(sessionStorage),
      'fetch with credentials': await fetch(target + '/rpc/snapshot.get', {
        method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body: '{"input":null}',
      }).then((answer) => answer.text(), () => 'refused'),
      'fetch without reading': await fetch(target + '/rpc/snapshot.get', {
        method: 'POST', mode: 'no-cors', credentials: 'include', body: '{"input":null}',
      }).then((answer) => answer.type, () => 'refused'),
      'a frame': await settled(document.createElement('iframe'), target + '/').then(() => {
        try { return frames[0].document.body.innerText || 'refused'; } catch { return 'refused'; }
      }),
      'an image': await settled(document.createElement('img'), target + '/icon.svg'),
      'a window': await (async () => {
        const opened = open(target + '/');
        if (!opened) return 'refused';
        // At first it is an empty page of our own.
        for (;;) {
          try {
            if (opened.closed) return 'refused';
            if (opened.location.href !== 'about:blank') return 'read ' + opened.sessionStorage.length;
          } catch { return 'refused'; }
          await new Promise(requestAnimationFrame);
        }
      })(),
    }))();
  `;
  const server = createServer((request, response) => {
    heard.push(JSON.stringify([request.url, request.headers]));
    response.setHeader('content-type', 'text/html').end(`<!doctype html><body><script>${script}</script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    heard: () => heard,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

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
