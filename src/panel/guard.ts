import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Compares in constant time. */
export function isSameSecret(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Returns why a request must be refused, or null. The host must be one of our loopback names (another name would be
 * DNS rebinding), and the origin our own page.
 * @param port The port this panel listens on.
 */
export function foreignRequest(headers: IncomingHttpHeaders, port: number): string | null {
  const hosts = ['127.0.0.1', 'localhost', '[::1]'].flatMap((name) =>
    port === 80 ? [name, `${name}:80`] : [`${name}:${port}`],
  );
  const host = headers.host?.toLowerCase() ?? '';
  if (!hosts.includes(host)) return `Host not allowed. Open the panel at 127.0.0.1:${port}.`;
  if (headers.origin !== undefined && headers.origin !== `http://${host}`) return 'Origin not allowed.';
  // Browsers treat other ports of this machine as "same-site".
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return 'Requests from other pages are not allowed. Paste the address into the address bar.';
  }
  return null;
}

export function bearerOf({ authorization = '' }: IncomingHttpHeaders): string {
  return /^Bearer ([\w-]{1,200})$/.exec(authorization)?.[1] ?? '';
}
