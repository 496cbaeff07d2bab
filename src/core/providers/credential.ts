import type { Apart } from '../../features/fleet/contract/fleet-values';

/** The most explicit first. */
const NAMED = ['chatgpt-account-id', 'x-api-key', 'api-key', 'x-goog-api-key', 'authorization'] as const;

/** Their secrets change; they count as one account of the user. */
const CHANGING =
  /^(?:sk-ant-oat|ya29\.|ghu_|gho_|tid=|bedrock-api-key-)|^(?:AWS4-HMAC-SHA256 .*Credential=ASIA)|^[\w-]+\.[\w-]+\.[\w-]+$/;

/** The signature itself changes each time. */
const SIGNED_WITH = /Credential=(\w+)/;

export type Sent = Readonly<{ url: string; header: (name: string) => string | null }>;

const TOKEN = /^[\w-]+\.([\w-]+)\.[\w-]+$/;
const MAX_TOKEN_CHARS = 16_384;
const MAX_CLAIM_CHARS = 200;
const CHATGPT = 'https://api.openai.com/auth';

/** It stays the same when the token changes. */
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
    const claims: unknown = JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : null;
  } catch {
    // silent: most keys are no tokens with claims
    return null;
  }
}

/**
 * @property apart why the account cannot be shared between machines: `login`, a login without a named account;
 * `keyless`, no credentials; `local`, a server on this machine. Null if it can.
 */
export type AccountSent = Readonly<{ account: string; apart: Apart | null }>;

const OF_THIS_MACHINE = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/**
 * Identifies an account by server and permanent key. A login with a changing token counts as the account that its
 * token names, or as one account. Hash the result before storing it. Null for an invalid address.
 */
export function accountSent({ url, header }: Sent): AccountSent | null {
  if (!URL.canParse(url)) return null;
  const { origin, hostname, searchParams } = new URL(url);
  const credential = NAMED.map((name) => header(name)).find((value) => value !== null) ?? searchParams.get('key') ?? '';
  const secret = credential.replace(/^(?:bearer|token|basic)\s+/i, '');
  const isChanging = CHANGING.test(secret);
  const named = isChanging ? namedIn(secret) : (SIGNED_WITH.exec(secret)?.[1] ?? secret);
  const apart = OF_THIS_MACHINE.test(hostname) ? 'local' : named === null ? 'login' : named === '' ? 'keyless' : null;
  return { account: `${origin} ${named ?? 'login'}`, apart };
}
