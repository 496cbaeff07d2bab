import type { CustomScheme, Protocol } from 'electron';
import { type Bundle, findFile } from '../panel/bundle';
import { pageHeaders } from '../panel/page-headers';
import { isPanelUrl, PANEL_SCHEME } from './security';

/** Register before `ready`. */
export const PANEL_SCHEME_RULES: CustomScheme = {
  scheme: PANEL_SCHEME,
  privileges: { standard: true, secure: true, supportFetchAPI: true },
};

export function servePanelScheme(protocol: Pick<Protocol, 'handle'>, bundle: Bundle): void {
  protocol.handle(PANEL_SCHEME, (request) => answerPage(request, bundle));
}

function answerPage(request: Pick<Request, 'url' | 'method'>, bundle: Bundle): Response {
  if (request.method !== 'GET' && request.method !== 'HEAD') return reply(405, 'text/plain', 'Method not allowed.');
  const file = isPanelUrl(request.url) ? findFile(bundle, new URL(request.url).pathname) : null;
  return file ? reply(200, file.type, file.body) : reply(404, 'text/plain', 'Not found.');
}

function reply(status: number, type: string, body: Buffer | string): Response {
  const bytes = typeof body === 'string' ? body : new Uint8Array(body);
  return new Response(bytes, { status, headers: { ...pageHeaders("'none'"), 'content-type': type } });
}
