/** Chromium alone has no custom schemes: each origin becomes a host that never resolves and is served here. */
const SUFFIX = '.scheme.invalid';
const NATIVE = new Set(['http:', 'https:', 'data:', 'about:', 'blob:', 'file:', 'devtools:', 'chrome:']);

export function toPage(address: string): string {
  const url = new URL(address);
  if (NATIVE.has(url.protocol)) return address;
  const rest = address.slice(address.indexOf(url.host, url.protocol.length) + url.host.length);
  return `https://${url.host}.${url.protocol.slice(0, -1)}${SUFFIX}${rest}`;
}

export function toApp(address: string): string {
  if (!URL.canParse(address)) return address;
  const { hostname, pathname, search, hash } = new URL(address);
  if (!hostname.endsWith(SUFFIX)) return address;
  const [scheme, ...host] = hostname.slice(0, -SUFFIX.length).split('.').reverse();
  return `${scheme}://${host.reverse().join('.')}${pathname}${search}${hash}`;
}
