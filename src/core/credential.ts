/** Headers that say which account of a provider is asked, the plainest first. */
const NAMED = ['chatgpt-account-id', 'x-api-key', 'api-key', 'x-goog-api-key', 'authorization'] as const;

/** Logins whose secret changes by itself: they are one account of this user. */
const CHANGING =
  /^(?:sk-ant-oat|ya29\.|ghu_|gho_|tid=|bedrock-api-key-)|^(?:AWS4-HMAC-SHA256 .*Credential=ASIA)|^[\w-]+\.[\w-]+\.[\w-]+$/;

/** What a signature is made with; the signature itself is another one each time. */
const SIGNED_WITH = /Credential=(\w+)/;

/** Where a request goes, as far as an account is told by it. */
export type Sent = Readonly<{ url: string; header: (name: string) => string | null }>;

/**
 * What tells the account of a request from another one at the same provider: a key that stays as it is, and the server it is
 * sent to. A login whose token changes is one account. To be made unreadable before it is kept anywhere; null for an address
 * that is none.
 */
export function accountSent({ url, header }: Sent): string | null {
  if (!URL.canParse(url)) return null;
  const { origin, searchParams } = new URL(url);
  const said = NAMED.map((name) => header(name)).find((value) => value !== null) ?? searchParams.get('key') ?? '';
  const secret = said.replace(/^(?:bearer|token|basic)\s+/i, '');
  const account = CHANGING.test(secret) ? 'login' : (SIGNED_WITH.exec(secret)?.[1] ?? secret);
  return `${origin} ${account}`;
}
