import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { siblingOf, writeAndSync } from './atomic-file';
import { link } from './disk';
import type { Outcome } from './failure';
import { failureCode, failureText } from './failure';
import { discard } from './look';
import type { PrivateRead } from './private-folder';
import { readPrivateFile } from './private-folder';
import { quarantine } from './quarantine';
import { CLEAR } from './state-home';

const TOKEN_BYTES = 32;
/** 32 bytes in base64url. */
const TOKEN_SHAPE = /^[\w-]{43}$/;
const MAX_FILE_BYTES = 200;
/** Each round meets at most one broken file or faster process. */
const MAX_ROUNDS = 5;

export function tokenPath(home: string): string {
  return join(home, 'token');
}

export const metricsTokenPath = (home: string): string => join(home, 'metrics-token');

/** Proves that a peer runs as this user. Replaces a token that is corrupt, another user's, or readable by others. */
export async function ensureToken(home: string, path = tokenPath(home)): Promise<Outcome<{ token: string }>> {
  let reason = 'the token could not be created';
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const found = asToken(await readPrivateFile(path, MAX_FILE_BYTES), path);
    if (found.ok) return { ok: true, token: found.text };
    const isInTheWay = found.code !== 'missing' && (await quarantine(path)) === null;
    if (isInTheWay) reason = `${found.reason}. ${CLEAR}`;
    if (isInTheWay && found.code === 'foreign') break;
    const created = await createOnce(path);
    if (!created.ok) return created;
  }
  return { ok: false, reason };
}

export async function readToken(home: string): Promise<Outcome<{ token: string }>> {
  const path = tokenPath(home);
  const found = asToken(await readPrivateFile(path, MAX_FILE_BYTES), path);
  return found.ok ? { ok: true, token: found.text } : { ok: false, reason: found.reason };
}

/** In constant time: reveals neither position nor length of a difference. */
export function tokensMatch(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function asToken(read: PrivateRead, path: string): PrivateRead {
  if (!read.ok) return read;
  const text = read.text.trim();
  return TOKEN_SHAPE.test(text)
    ? { ok: true, text }
    : { ok: false, code: 'unreadable', reason: `${path} contains no token` };
}

// A link appears with its content; an exclusive create would show an empty file.
async function createOnce(path: string): Promise<Outcome> {
  const sibling = siblingOf(path);
  const token = `${randomBytes(TOKEN_BYTES).toString('base64url')}\n`;
  try {
    await writeAndSync(sibling, token);
    await link(sibling, path).catch(async (error: unknown) => {
      // Some file systems have no links.
      if (failureCode(error) !== 'EEXIST') await writeAndSync(path, token);
    });
    return { ok: true };
  } catch (error) {
    return failureCode(error) === 'EEXIST' ? { ok: true } : { ok: false, reason: failureText(error) };
  } finally {
    await discard(sibling);
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
