import type { App, Session, WebContents, WebPreferences } from 'electron';

/** Scheme of the panel in the app, which loads nothing else. */
export const PANEL_SCHEME = 'app';
export const PANEL_HOST = 'understudy';
export const PANEL_URL = `${PANEL_SCHEME}://${PANEL_HOST}/`;
/** A page without a script, in case the panel itself crashes. */
export const SAFE_URL = `${PANEL_URL}safe.html`;

/** Whether an address belongs to the panel. Compared by parts: a prefix would also match `app://understudy.other/`. */
export function isPanelUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, port, username, password } = new URL(url);
  return protocol === `${PANEL_SCHEME}:` && hostname === PANEL_HOST && `${port}${username}${password}` === '';
}

/** The preferences of every window. @param preload Path of the built preload script. */
export function windowPreferences(preload: string, isPackaged: boolean): WebPreferences {
  return {
    preload,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    webviewTag: false,
    navigateOnDragDrop: false,
    // The spell checker would fetch its dictionaries from the network.
    spellcheck: false,
    devTools: !isPackaged,
  };
}

/** Keeps every page on the panel's own origin, without new windows or embedded pages. */
export function lockNavigation(app: Pick<App, 'on'>): void {
  app.on('web-contents-created', (_event, contents) => lockContents(contents));
}

function lockContents(contents: WebContents): void {
  contents.on('will-navigate', keepHome);
  contents.on('will-redirect', keepHome);
  contents.on('will-frame-navigate', keepHome);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

function keepHome(details: Readonly<{ url: string; preventDefault(): void }>): void {
  if (!isPanelUrl(details.url)) details.preventDefault();
}

/** Denies the page all permissions, devices and network requests: it only displays data. */
export function lockSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, choose) => choose(null));
  session.webRequest.onBeforeRequest((details, decide) => decide({ cancel: !mayLoad(details.url) }));
}

function mayLoad(url: string): boolean {
  // Developer tools load their own files; packaged builds have none.
  const isOwn = isPanelUrl(url) || url.startsWith(`blob:${PANEL_URL}`);
  return isOwn || url.startsWith('data:') || url.startsWith('devtools:');
}
