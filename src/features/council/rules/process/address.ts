/** Source: docs/council.md. */
export const FETCHED_MAX_BYTES = 500 * 1_048_576;

export type Address = Readonly<{
  /** Has no login. */
  url: string;
  name: string;
  /** Never stored, displayed or logged. */
  login: Login | null;
}>;

/** `origin` is `https://host` with its port. */
export type Login = Readonly<{ origin: string; user: string; password: string | null }>;

const ADDRESS_MAX_CHARS = 2_000;
const BY_SSH = /^git@([^:/]+):(\S+)$/;
const HOST = /^(?:[a-z\d][\w.-]*|\[[\da-f:.]+\])$/i;
const USER = /^\w[\w.+-]*$/;
/** Characters that no address needs, also as git decodes them. */
const UNFIT = /[\p{Cc}\p{Cf}\s]|%[01][\da-f]|%7f/iu;

const HOW = 'Repositories are fetched only by https or ssh: https://…, ssh://… or git@host:path.';
const ODD = 'This is not an address of a repository.';

/** Rejects everything that git could take for an option or a program. */
export function readAddress(text: string): Readonly<{ address: Address }> | Readonly<{ problem: string }> {
  if (text.length > ADDRESS_MAX_CHARS || UNFIT.test(text)) return { problem: ODD };
  const [, host, path] = BY_SSH.exec(text) ?? [];
  if (host !== undefined && path !== undefined)
    return HOST.test(host) && !path.startsWith('-') ? named({ url: text, path, login: null }) : { problem: ODD };
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'ssh:') return { problem: HOW };
  if (!HOST.test(url.hostname)) return { problem: ODD };
  if (url.search !== '' || url.hash !== '') return { problem: 'Omit ? and # and everything after them.' };
  return url.protocol === 'ssh:' ? bySsh(url) : byHttps(url);
}

function bySsh(url: URL): ReturnType<typeof readAddress> {
  if (url.password !== '') return { problem: 'ssh ignores a password in the address. Omit it.' };
  if (url.username !== '' && !USER.test(url.username)) return { problem: ODD };
  return named({ url: url.href, path: url.pathname, login: null });
}

function byHttps(url: URL): ReturnType<typeof readAddress> {
  const [user, password] = [decoded(url.username), decoded(url.password)];
  if (user === null || password === null) return { problem: ODD };
  const isOpen = user === '' && password === '';
  const login = isOpen ? null : { origin: url.origin, user, password: password === '' ? null : password };
  return named({ url: `${url.origin}${url.pathname}`, path: url.pathname, login });
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    // silent: a malformed address is refused with a sentence
    return null;
  }
}

function named({
  url,
  path,
  login,
}: Omit<Address, 'name'> & Readonly<{ path: string }>): ReturnType<typeof readAddress> {
  const last = path.replace(/\/+$/, '').split('/').at(-1) ?? '';
  const name = last.replace(/(?<=.)\.git$/, '');
  return name === '' ? { problem: 'This address names no repository.' } : { address: { url, name, login } };
}
