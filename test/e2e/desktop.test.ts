import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { complaintsOf } from '../support/browser';
import { withTrayHost } from '../support/desktop/bar';
import {
  addressOf,
  type Desktop,
  type DesktopOptions,
  type ElectronHere,
  launchDesktop,
  realElectron,
} from '../support/desktop/launch';
import { crash, nextPage, shortenHalfMinutes } from '../support/desktop/pages';
import { eventually } from '../support/eventually';

const electron = realElectron();
if (electron === null) console.log('No Electron here: the desktop app is proved over a stand-in and a real Chromium.');
/** What can be looked into only where Electron is stood in for. */
const overStandIn = electron === null ? it : it.skip;

let home: string;
let open: Desktop[] = [];

const makeHome = async (): Promise<void> => {
  home = await mkdtemp(join(tmpdir(), 'us-'));
};
const leaveAll = async (): Promise<void> => {
  await Promise.all(open.map((desktop) => desktop.close()));
  open = [];
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
};

async function launch(options: Partial<DesktopOptions> = {}): Promise<Desktop> {
  const desktop = await launchDesktop({ home, ...options });
  open.push(desktop);
  return desktop;
}

const stateOf = (desktop: Desktop) =>
  desktop.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => [window.isVisible(), window.isMinimized()]),
  );

describe('given the built desktop app, which goes on while its page is loaded anew', () => {
  let desktop: Desktop;
  let page: Page;

  beforeAll(async () => {
    await makeHome();
    desktop = await launch();
    page = await desktop.firstPage();
  });
  afterAll(leaveAll);
  beforeEach(async () => {
    await page.evaluate(`location.hash = '#/now'`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  });

  it('when it starts, then the panel is drawn from its own scheme, in a sandbox, without a word on the console', async () => {
    const complaints = complaintsOf(page);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Waiting for OpenCode.' }).waitFor();
    expect(addressOf(page)).toMatch(/^app:\/\/understudy\//);
    const preferences = await desktop.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map(({ webContents }) =>
        (webContents as unknown as { getLastWebPreferences(): object }).getLastWebPreferences(),
      ),
    );
    expect(preferences).toEqual([
      expect.objectContaining({
        ...{ contextIsolation: true, sandbox: true, nodeIntegration: false, webSecurity: true, webviewTag: false },
      }),
    ]);
    expect(complaints).toEqual([]);
  });

  it('when the page looks around, then there is nothing of Node, and a frozen bridge with four names', async () => {
    expect(
      await page.evaluate(`[typeof require, typeof process, typeof module, Object.keys(window.understudy).sort(),
        Object.isFrozen(window.understudy), Object.keys(window).filter((name) => /ipc|electron/i.test(name))]`),
    ).toEqual(['undefined', 'undefined', 'undefined', ['ask', 'on', 'onLink', 'pathOf'], true, []]);
    const refused = await page.evaluate(`Promise.all(['__proto__', 'snapshot.get.x', 'understudy:ask:snapshot.get'].map(
      (name) => window.understudy.ask(name, null).then(() => 'answered', (error) => error.message)))`);
    expect(refused).toEqual(Array(3).fill('Unknown query.'));
    await expect(
      page.evaluate(`window.understudy.ask('model.history', { model: 'x'.repeat(70_000) })`),
    ).rejects.toThrow('The request is too large.');
    expect(await page.evaluate(`window.understudy.ask('snapshot.get', null).then(({ v }) => v)`)).toBe(1);
  });

  it('when a script, a frame, a window, a page or a server of others is wanted, then none comes', async () => {
    const found = await page.evaluate(`(async () => {
      const script = document.createElement('script');
      script.textContent = 'window.injected = true';
      document.body.append(script);
      // Once this call is over: debuggers are let through.
      const evaluated = await new Promise((resolve) => setTimeout(() => {
        try { resolve(eval('"ran"')); } catch (error) { resolve(error.name); }
      }));
      const image = await new Promise((resolve) => {
        const picture = new Image();
        picture.onload = () => resolve('loaded');
        picture.onerror = () => resolve('refused');
        picture.src = 'https://example.org/x.png';
      });
      const fetched = await fetch('https://example.org/').then(() => 'answered', () => 'refused');
      window.open('https://example.org/');
      return [window.injected ?? null, evaluated, image, fetched];
    })()`);
    expect(found).toEqual([null, 'EvalError', 'refused', 'refused']);
    await page.evaluate(`location.href = 'https://example.org/'`).catch(() => undefined);
    await page.evaluate(`location.href = 'app://understudy.evil/'`).catch(() => undefined);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await eventually(async () =>
      page
        .context()
        .pages()
        .every((one) => !one.url().includes('example.org')),
    );
    expect((await desktop.pages()).map(addressOf)).toEqual([expect.stringMatching(/^app:\/\/understudy\//)]);
  });

  it('when a file around it is asked of its scheme, then there is none', async () => {
    const paths = ['/../package.json', '/..%2fpackage.json', '/%2e%2e/%2e%2e/etc/passwd', '/x/../../main/index.js'];
    const answers = await page.evaluate(
      `Promise.all(${JSON.stringify(paths)}.map((path) => new Promise((resolve) => {
        const image = new Image();
        image.onload = () => resolve('loaded');
        image.onerror = () => resolve('refused');
        image.src = path;
      })))`,
    );
    expect(answers).toEqual(paths.map(() => 'refused'));
  });

  overStandIn('when the page asks for what people must allow, then all of it is denied', async () => {
    const verdicts = await desktop.evaluate((here) => {
      const { sessionRules: rules } = (
        here as unknown as { standIn: { sessionRules: Record<string, (...given: unknown[]) => unknown> } }
      ).standIn;
      const said: unknown[] = [];
      rules.permissionRequest?.({}, 'notifications', (isAllowed: boolean) => said.push(isAllowed));
      said.push(rules.permissionCheck?.({}, 'media'), rules.devicePermission?.({ deviceType: 'usb' }));
      rules.displayMedia?.({}, (streams: unknown) => said.push(streams));
      return said;
    });
    expect(verdicts).toEqual([false, false, false, null]);
  });

  overStandIn('when a frame inside the page asks, then it is refused', async () => {
    await page.evaluate(`document.body.append(document.createElement('iframe'))`);
    const cdp = await page.context().newCDPSession(page);
    const { frameTree } = await cdp.send('Page.getFrameTree');
    const frameId = frameTree.childFrames?.[0]?.frame.id ?? '';
    const { executionContextId } = await cdp.send('Page.createIsolatedWorld', { frameId, worldName: 'preload' });
    const { result } = await cdp.send('Runtime.evaluate', {
      contextId: executionContextId,
      awaitPromise: true,
      expression: `new Promise((resolve) => {
        globalThis.__standIn = { settle: (id, answer) => resolve(JSON.stringify(answer)) };
        __standInSend(JSON.stringify({ id: 1, channel: 'understudy:ask:snapshot.get', given: [null] }));
      })`,
    });
    expect(JSON.parse(result.value)).toEqual({
      value: { ok: false, code: 'refused', reason: 'Only the panel may send requests.' },
    });
  });

  it('when it is started once more, then the second writes nothing and ends, and the first shows what it was given', async () => {
    const before = await readdir(home);
    const second = await launch({ args: ['understudy://models'] });
    expect(await second.exited).toBe(0);
    await page.waitForURL(/#\/models$/);
    expect((await readdir(home)).filter((name) => !before.includes(name) && !name.startsWith('second-'))).toEqual([]);
    expect(await stateOf(desktop)).toEqual([[true, false]]);
  });

  it('when the page chooses a theme, then frame and page follow', async () => {
    expect(await page.evaluate(`window.understudy.ask('shell.theme', { theme: 'dark' }).then(({ ok }) => ok)`)).toBe(
      true,
    );
    const isDark = await desktop.evaluate(({ nativeTheme, BrowserWindow }) => [
      nativeTheme.themeSource,
      nativeTheme.shouldUseDarkColors,
      BrowserWindow.getAllWindows()[0]?.getBackgroundColor().toLowerCase(),
    ]);
    expect(isDark).toEqual(['dark', true, '#15171a']);
  });
});

describe('given the built desktop app', () => {
  beforeEach(makeHome);
  afterEach(leaveAll);

  it('when it is told to end or killed, then the next one starts on the same state', {
    tags: ['nightly'],
  }, async () => {
    const desktop = await launch();
    await desktop.firstPage();
    desktop.kill('SIGTERM');
    expect(await desktop.exited).toBe(0);
    const again = await launch();
    await again.firstPage();
    again.kill('SIGKILL');
    await again.exited;
    expect(await (await (await launch()).firstPage()).getByRole('heading', { level: 1 }).textContent()).toBe(
      'Waiting for OpenCode.',
    );
  });

  it('when its page crashes, then it comes again with the same view; the fourth time, a page without a script says so, and leads back', {
    tags: ['nightly'],
  }, async () => {
    const desktop = await launch();
    const known = [await desktop.firstPage()];
    await known[0]!.evaluate(`location.hash = '#/events'`);
    await known[0]!.getByRole('heading', { level: 1, name: 'No events yet.' }).waitFor();
    for (let times = 1; times <= 4; times++) {
      await crash(known.at(-1)!);
      const next = await nextPage(desktop, known);
      await next.getByRole('heading', { level: 1 }).waitFor();
      if (times === 1) {
        await next.getByRole('heading', { level: 1, name: 'No events yet.' }).waitFor();
        expect(addressOf(next)).toBe('app://understudy/#/events');
      }
      known.push(next);
    }
    const safe = known.at(-1)!;
    expect(addressOf(safe)).toBe('app://understudy/safe.html');
    await safe.getByRole('link').click();
    await safe.getByRole('heading', { level: 1, name: 'Waiting for OpenCode.' }).waitFor();
  });

  it('when it is started hidden and no tray is certain, then its window is shown all the same; closed, it minimizes, and closed once more the app ends with all put away', async () => {
    const desktop = await launch({ args: ['--hidden'], env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' } });
    await desktop.firstPage();
    expect(await stateOf(desktop)).toEqual([[true, false]]);
    const closeAll = ({ BrowserWindow }: ElectronHere) => {
      for (const window of BrowserWindow.getAllWindows()) window.close();
    };
    await desktop.evaluate(closeAll);
    expect(await stateOf(desktop)).toEqual([[true, true]]);
    void desktop.evaluate(closeAll).catch(() => undefined);
    expect(await desktop.exited).toBe(0);
    await expect(stat(join(home, 'core.sock'))).rejects.toThrow('ENOENT');
  });

  it('when it is started hidden and a tray is certain, then there is no page, and no timer keeps it awake', async () => {
    const desktop = await launch({
      args: ['--hidden'],
      env: await withTrayHost(home),
    });
    await eventually(() => readFile(join(home, 'token')).catch(() => null));
    const awake = () =>
      desktop.evaluate(() => process.getActiveResourcesInfo().filter((name) => /Timeout|Immediate/.test(name)));
    await expect.poll(awake).toEqual([]);
    expect(await stateOf(desktop)).toEqual([]);
  });

  it('when its window is hidden in the tray and dropped, then the next one has its view, its draft and its place', async () => {
    const desktop = await launch({ env: await withTrayHost(home) });
    const page = await desktop.firstPage();
    await page.evaluate(`location.hash = '#/settings/breaker'`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const field = page.getByRole('textbox', { name: 'Failures that open it', exact: true });
    await field.fill('7');
    await page.evaluate('window.scrollTo(0, 900)');
    await shortenHalfMinutes(desktop, 1_000);
    const gone = page.waitForEvent('close');
    await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    await gone;
    expect([await desktop.pages(), await stateOf(desktop)]).toEqual([[], []]);
    expect(await (await launch()).exited).toBe(0);
    const next = await nextPage(desktop, [page]);
    await next.getByRole('textbox', { name: 'Failures that open it', exact: true }).waitFor();
    expect([
      addressOf(next),
      await next.getByRole('textbox', { name: 'Failures that open it', exact: true }).inputValue(),
    ]).toEqual(['app://understudy/#/settings/breaker', '7']);
    await eventually(() => next.evaluate('window.scrollY === 900'));
  });
});
