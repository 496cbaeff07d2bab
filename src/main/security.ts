import type { App, Session, WebContents, WebPreferences } from 'electron';

export const PANEL_SCHEME = 'app';
export const PANEL_HOST = 'understudy';
export const PANEL_URL = `${PANEL_SCHEME}://${PANEL_HOST}/`;
/** Without a script, in case the panel crashes. */
export const SAFE_URL = `${PANEL_URL}safe.html`;

/** Compares parts: a prefix would also match `app://understudy.other/`. */
export function isPanelUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, port, username, password } = new URL(url);
  return protocol === `${PANEL_SCHEME}:` && hostname === PANEL_HOST && `${port}${username}${password}` === '';
}

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

/** The page only displays data. */
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
