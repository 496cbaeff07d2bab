import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { servePanelScheme } from '../../src/main/protocol';
import { isPanelUrl, lockNavigation, lockSession, windowPreferences } from '../../src/main/security';
import { ContentsDouble, electronDouble, prevented } from '../support/electron-double';

const FOREIGN = [
  'https://understudy/',
  'app://understudy.evil/',
  'app://understudy:80/',
  'app://user@understudy/',
  'apps://understudy/',
  'file:///etc/passwd',
  'about:blank',
  'javascript:alert(1)',
  'data:text/html,x',
  'app:understudy',
  '',
];

describe('given an address', () => {
  it.each(['app://understudy/', 'app://understudy/index.html', 'app://understudy/#/models'])(
    'when it is %s, then it is the panel’s',
    (url) => {
      expect(isPanelUrl(url)).toBe(true);
    },
  );

  it.each(FOREIGN)('when it is "%s", then it is foreign', (url) => {
    expect(isPanelUrl(url)).toBe(false);
  });
});

describe('given any page of the app', () => {
  it('when it wants to leave, open a window or embed a page, then it may not', () => {
    const app = new EventEmitter();
    lockNavigation(app as never);
    const contents = new ContentsDouble(1);
    app.emit('web-contents-created', {}, contents);
    for (const event of ['will-navigate', 'will-redirect', 'will-frame-navigate']) {
      expect(FOREIGN.filter((url) => !prevented(contents, event, { url }))).toEqual([]);
      expect(prevented(contents, event, { url: 'app://understudy/' })).toBe(false);
    }
    expect(prevented(contents, 'will-attach-webview')).toBe(true);
    expect(contents.openHandler?.()).toEqual({ action: 'deny' });
  });

  it('when it asks for a permission, a device, a screen or the network, then it is denied', () => {
    const { electron, sessionRules } = electronDouble();
    lockSession(electron.session.defaultSession);
    const answers: unknown[] = [];
    const decide = ((answer: unknown) => answers.push(answer)) as never;
    sessionRules.permissionRequest?.({} as never, 'notifications' as never, decide);
    sessionRules.displayMedia?.({} as never, decide);
    answers.push(sessionRules.permissionCheck?.(), sessionRules.devicePermission?.());
    for (const url of [
      'https://example.com/',
      'http://127.0.0.1/',
      'ws://127.0.0.1/',
      'file:///x',
      'blob:https://example.com/1',
      'app://understudy/',
      'blob:app://understudy/1',
    ]) {
      sessionRules.beforeRequest?.({ url } as never, decide);
    }
    expect(answers).toEqual([
      ...[false, null, false, false],
      ...[true, true, true, true, true, false, false].map((cancel) => ({ cancel })),
    ]);
  });

  it('when its window is made, then it is isolated and sandboxed, and packaged builds have no developer tools', () => {
    expect(windowPreferences('/out/preload/index.cjs', true)).toEqual({
      preload: '/out/preload/index.cjs',
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: false,
    });
  });
});

describe('given the app’s own scheme', () => {
  const { electron, schemes } = electronDouble();
  servePanelScheme(electron.protocol, new Map([['/index.html', { body: Buffer.from('panel'), type: 'text/html' }]]));
  const ask = async (url: string, method = 'GET') => {
    const response = await schemes.get('app')!({ url, method } as Request);
    return [response.status, response.status === 200 ? await response.text() : ''];
  };

  it.each(['app://understudy/', 'app://understudy/index.html', 'app://understudy/?x#y'])(
    'when %s is loaded, then the panel comes',
    async (url) => {
      expect(await ask(url)).toEqual([200, 'panel']);
    },
  );

  it.each([
    'app://understudy/missing.js',
    'app://understudy/../../etc/passwd',
    'app://understudy/%2e%2e/%2e%2e/etc/passwd',
    'app://understudy/..%2f..%2fetc%2fpasswd',
    'app://understudy/%',
    'app://other/index.html',
  ])('when %s is loaded, then it answers 404', async (url) => {
    expect(await ask(url)).toEqual([404, '']);
  });

  it('when something is posted, then it answers 405', async () => {
    expect(await ask('app://understudy/', 'POST')).toEqual([405, '']);
  });

  it('when a page comes, then its policy lets it talk to nothing', async () => {
    const { headers } = await schemes.get('app')!({ url: 'app://understudy/', method: 'GET' } as Request);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
        "connect-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
    );
  });
});
