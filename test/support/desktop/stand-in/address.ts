/** Chromium alone has no schemes of ours: each origin of one is a host that resolves nowhere, and is answered here. */
const SUFFIX = '.scheme.invalid';
/** Schemes Chromium serves itself. */
const NATIVE = new Set(['http:', 'https:', 'data:', 'about:', 'blob:', 'file:', 'devtools:', 'chrome:']);

/** The address under which the page really is. */
export function toPage(address: string): string {
  const url = new URL(address);
  if (NATIVE.has(url.protocol)) return address;
  const rest = address.slice(address.indexOf(url.host, url.protocol.length) + url.host.length);
  return `https://${url.host}.${url.protocol.slice(0, -1)}${SUFFIX}${rest}`;
}

/** The address as Electron would tell it. */
export function toApp(address: string): string {
  if (!URL.canParse(address)) return address;
  const { hostname, pathname, search, hash } = new URL(address);
  if (!hostname.endsWith(SUFFIX)) return address;
  const [scheme, ...host] = hostname.slice(0, -SUFFIX.length).split('.').reverse();
  return `${scheme}://${host.reverse().join('.')}${pathname}${search}${hash}`;
}
