import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { WebPreferences, WindowOpenHandlerResponse } from 'electron';
import type { CDPSession, Page, Route } from 'playwright';
import { prevented } from '../../electron-double';
import { toApp, toPage } from './address';
import { BINDING, PRELOAD_WORLD, pageScripts } from './page-scripts';
import type { Runtime } from './runtime';

type Frame = Readonly<{ url: string; parent: object | null; origin: string }>;
type Sent = Readonly<{ id: number; channel: string; given: readonly unknown[] }>;
type Context = Readonly<{ id: number; name: string; auxData?: Readonly<{ frameId?: string; isDefault?: boolean }> }>;
type FrameTree = Readonly<{ frame: Readonly<{ id: string; url: string }>; childFrames?: readonly FrameTree[] }>;
type OpenHandler = (details: { url: string }) => WindowOpenHandlerResponse;

let count = 0;

export class WebContents extends EventEmitter {
  readonly id = ++count;
  readonly preferences: WebPreferences;
  readonly #runtime: Runtime;
  #page: Promise<Opened>;
  #url = '';
  /** Address that the shell itself loads; all other navigation needs permission. */
  #awaited: string | null = null;
  #openHandler: OpenHandler | null = null;
  #isHidden = false;
  #isDestroyed = false;
  #size = { width: 800, height: 600 };

  constructor(runtime: Runtime, preferences: WebPreferences) {
    super();
    this.#runtime = runtime;
    this.preferences = preferences;
    this.#page = this.#open();
    // Electron reports a failed load by an event; tests look at the page.
    this.#page.catch(() => undefined);
  }

  async loadURL(address: string): Promise<void> {
    const { page } = await this.#page;
    this.#awaited = toPage(address);
    this.#url = address;
    await page.goto(this.#awaited).catch((error: unknown) => {
      if (!this.#isDestroyed) throw error;
    });
    // Navigation within a page loads nothing.
    this.#awaited = null;
  }
  /** Opens a crashed page again, as Electron does. */
  reload(): void {
    const address = this.getURL();
    const old = this.#page;
    this.#page = old.then(({ page }) => page.close()).then(() => this.#open());
    void this.loadURL(address);
  }
  getURL(): string {
    return this.#url;
  }
  send(channel: string, data: unknown): void {
    void this.#tell(`deliver(${JSON.stringify(channel)}, ${JSON.stringify(data)})`);
  }
  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler;
  }
  getLastWebPreferences(): WebPreferences {
    return this.preferences;
  }
  isDestroyed(): boolean {
    return this.#isDestroyed;
  }
  isCrashed(): boolean {
    return false;
  }
  hide(isHidden: boolean): void {
    if (this.#isHidden === isHidden) return;
    this.#isHidden = isHidden;
    void this.#tell(`hide(${isHidden})`);
  }
  resize({ width, height }: Readonly<{ width: number; height: number }>): void {
    this.#size = { width, height };
    void this.#page.then(({ page }) => page.setViewportSize(this.#size)).catch(() => undefined);
  }
  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    const opened = await this.#page.catch(() => null);
    await opened?.page.close();
    this.emit('destroyed');
  }

  async #open(): Promise<Opened> {
    const { context } = await this.#runtime.chromium();
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    const worlds = new Map<number, Context>();
    cdp.on('Runtime.executionContextCreated', ({ context: made }) => worlds.set(made.id, made as Context));
    cdp.on('Runtime.executionContextDestroyed', ({ executionContextId }) => worlds.delete(executionContextId));
    cdp.on('Runtime.executionContextsCleared', () => worlds.clear());
    cdp.on('Runtime.bindingCalled', ({ payload, executionContextId }) => {
      // A closed page gets no response.
      this.#answer(cdp, payload, worlds.get(executionContextId)).catch(() => undefined);
    });
    await cdp.send('Page.enable');
    await cdp.send('Runtime.enable');
    await cdp.send('Runtime.addBinding', { name: BINDING, executionContextName: PRELOAD_WORLD });
    const scripts = pageScripts(this.preferences.preload ? readFileSync(this.preferences.preload, 'utf8') : '');
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: scripts.page });
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: scripts.preload, worldName: PRELOAD_WORLD });
    await page.route('**/*', (route) => this.#serve(page, route).catch(() => undefined));
    page.on('load', () => this.emit('did-finish-load'));
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.#url = toApp(frame.url());
    });
    page.on('crash', () => this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 139 }));
    page.on('popup', (popup) => {
      const verdict = this.#openHandler?.({ url: toApp(popup.url()) });
      if (verdict?.action !== 'allow') void popup.close();
    });
    return { page, cdp, worlds };
  }

  /** All requests of the page pass here, as in Electron's session. */
  async #serve(page: Page, route: Route): Promise<void> {
    const request = route.request();
    const address = toApp(request.url());
    if (request.isNavigationRequest() && !this.#mayGo(request.frame() === page.mainFrame(), request.url(), address))
      return await route.abort('aborted');
    if (!(await this.#runtime.mayLoad(address))) return await route.abort('blockedbyclient');
    const response = await this.#runtime.serve(address, request.method());
    if (response === null) return await route.abort('internetdisconnected');
    const headers = Object.fromEntries(response.headers.entries());
    await route.fulfill({ status: response.status, headers, body: Buffer.from(await response.arrayBuffer()) });
  }

  #mayGo(isMainFrame: boolean, url: string, address: string): boolean {
    if (isMainFrame && this.#awaited === url) {
      this.#awaited = null;
      return true;
    }
    const details = { url: address, isMainFrame };
    const isFrameKept = prevented(this, 'will-frame-navigate', details);
    return !(isMainFrame && prevented(this, 'will-navigate', details)) && !isFrameKept;
  }

  async #answer(cdp: CDPSession, payload: string, world: Context | undefined): Promise<void> {
    const { id, channel, given } = JSON.parse(payload) as Sent;
    const { frameTree } = (await cdp.send('Page.getFrameTree')) as unknown as { frameTree: FrameTree };
    const senderFrame = frameOf(frameTree, world?.auxData?.frameId);
    const answer = await this.#runtime.invoke(channel, { sender: this, senderFrame }, given);
    const contextId = world?.id;
    if (contextId === undefined) return;
    const expression = `globalThis.__standIn?.settle(${id}, ${JSON.stringify(answer)})`;
    await cdp.send('Runtime.evaluate', { contextId, expression }).catch(() => undefined);
  }

  async #tell(call: string): Promise<void> {
    const opened = await this.#page.catch(() => null);
    if (!opened) return;
    const { frameTree } = (await opened.cdp.send('Page.getFrameTree').catch(() => ({ frameTree: null }))) as {
      frameTree: FrameTree | null;
    };
    for (const { id, name, auxData } of opened.worlds.values()) {
      if (name !== PRELOAD_WORLD || auxData?.frameId !== frameTree?.frame.id) continue;
      const expression = `globalThis.__standIn?.${call}`;
      await opened.cdp.send('Runtime.evaluate', { contextId: id, expression }).catch(() => undefined);
    }
  }
}

type Opened = Readonly<{ page: Page; cdp: CDPSession; worlds: ReadonlyMap<number, Context> }>;

/** The frame as Electron passes it to a handler; null if it no longer exists. */
function frameOf(tree: FrameTree, id: string | undefined, parent: object | null = null): Frame | null {
  const url = toApp(tree.frame.url);
  const frame = { url, parent, origin: URL.canParse(url) ? new URL(url).origin : 'null' };
  if (tree.frame.id === id) return frame;
  for (const child of tree.childFrames ?? []) {
    const found = frameOf(child, id, frame);
    if (found) return found;
  }
  return null;
}
