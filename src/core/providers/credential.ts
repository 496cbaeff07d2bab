import type { Apart } from '../../features/fleet/contract/fleet-values';

/** Headers that say which account of a provider is asked, the plainest first. */
const NAMED = ['chatgpt-account-id', 'x-api-key', 'api-key', 'x-goog-api-key', 'authorization'] as const;

/** Logins whose secret changes by itself: they are one account of this user. */
const CHANGING =
  /^(?:sk-ant-oat|ya29\.|ghu_|gho_|tid=|bedrock-api-key-)|^(?:AWS4-HMAC-SHA256 .*Credential=ASIA)|^[\w-]+\.[\w-]+\.[\w-]+$/;

/** What a signature is made with; the signature itself is another one each time. */
const SIGNED_WITH = /Credential=(\w+)/;

/** Where a request goes, as far as an account is told by it. */
export type Sent = Readonly<{ url: string; header: (name: string) => string | null }>;

/** A token that is read has three parts; the middle one says whom it was made out to. Longer ones are no such thing. */
const TOKEN = /^[\w-]+\.([\w-]+)\.[\w-]+$/;
const MAX_TOKEN_CHARS = 16_384;
const MAX_CLAIM_CHARS = 200;
/** Where ChatGPT says which of a person's accounts a token is for. */
const CHATGPT = 'https://api.openai.com/auth';

/** The account a login names in its own token, which stays as it is when the token changes; null where it names none. */
function namedIn(token: string): string | null {
  const body = token.length > MAX_TOKEN_CHARS ? undefined : TOKEN.exec(token)?.[1];
  const claims = body === undefined ? null : claimsIn(body);
  if (claims === null) return null;
  const inner = claims[CHATGPT];
  const account = typeof inner === 'object' && inner !== null && 'chatgpt_account_id' in inner ? inner : null;
  return claim(account?.chatgpt_account_id) ?? subjectOf(claims);
}

function subjectOf({ iss, sub }: Readonly<Record<string, unknown>>): string | null {
  const subject = claim(sub);
  return subject === null ? null : `${claim(iss) ?? ''} ${subject}`;
}

const claim = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= MAX_CLAIM_CHARS ? value : null;

function claimsIn(body: string): Readonly<Record<string, unknown>> | null {
  try {
    const said: unknown = JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof said === 'object' && said !== null ? (said as Record<string, unknown>) : null;
  } catch {
    // silent: most keys are no tokens with claims
    return null;
  }
}

/**
 * Whose account a request goes to. @property apart why no other machine means the same one by that: `login`, a login that names no
 * account; `keyless`, nothing that tells whose it is; `local`, a server of this machine. Null where one may.
 */
export type AccountSent = Readonly<{ account: string; apart: Apart | null }>;

/** A server that each machine has for itself. */
const OF_THIS_MACHINE = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/**
 * What tells the account of a request from another one at the same provider: a key that stays as it is, and the server it is
 * sent to. A login whose token changes is the account that its token names, or one account where it names none. To be made unreadable before it is kept anywhere; null for an address
 * that is none.
 */
export function accountSent({ url, header }: Sent): AccountSent | null {
  if (!URL.canParse(url)) return null;
  const { origin, hostname, searchParams } = new URL(url);
  const said = NAMED.map((name) => header(name)).find((value) => value !== null) ?? searchParams.get('key') ?? '';
  const secret = said.replace(/^(?:bearer|token|basic)\s+/i, '');
  const isChanging = CHANGING.test(secret);
  const named = isChanging ? namedIn(secret) : (SIGNED_WITH.exec(secret)?.[1] ?? secret);
  const apart = OF_THIS_MACHINE.test(hostname) ? 'local' : named === null ? 'login' : named === '' ? 'keyless' : null;
  return { account: `${origin} ${named ?? 'login'}`, apart };
}
