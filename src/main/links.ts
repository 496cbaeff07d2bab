import { hrefOf, MAX_DETAIL, PAGES } from '../contract/shell';

/** Links from other programs open a view and change nothing. */
export const LINK_SCHEME = 'understudy';

/** `understudy://models/openai%2Fgpt-5` is `#/models/openai%2Fgpt-5`; null for everything else. */
export function hashOfLink(link: string): string | null {
  if (!URL.canParse(link)) return null;
  const { protocol, hostname, pathname, search, hash, username, password, port } = new URL(link);
  if (protocol !== `${LINK_SCHEME}:` || `${search}${hash}${username}${password}${port}` !== '') return null;
  const page = PAGES.find((name) => name === hostname);
  const detail = decoded(pathname.replace(/^\//, ''));
  if (page === undefined || detail === null) return null;
  return hrefOf(page, detail || undefined);
}

export function hashInArguments(args: readonly string[]): string | null {
  for (const argument of args) {
    const hash = hashOfLink(argument);
    if (hash !== null) return hash;
  }
  return null;
}

function decoded(part: string): string | null {
  try {
    const text = decodeURIComponent(part);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come in.
    return text.length > MAX_DETAIL || /[\u0000-\u001f\u007f]/.test(text) ? null : text;
  } catch {
    // silent: a malformed link opens nothing
    return null;
  }
}
