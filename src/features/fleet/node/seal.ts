import { createHmac } from 'node:crypto';
import { tokensMatch } from '../../../node/base/token';

/** Enough to prevent collisions. */
const MARK_BYTES = 16;

const markOf = (secret: string, ...parts: readonly (string | number)[]): string =>
  createHmac('sha256', secret).update(JSON.stringify(parts)).digest().subarray(0, MARK_BYTES).toString('hex');

/**
 * Equal on all machines of a team, meaningless without its secret.
 * @param account as from `accountSent`.
 */
export const accountMark = (secret: string, account: string): string => markOf(secret, 'account', account);

export const secretMark = (secret: string): string => markOf(secret, 'secret').slice(0, 8);

/** The seal is invalid at any other place or time. */
export type SealedAt = Readonly<{ account: string; machine: string; saidAt: number; until: number }>;

export function sealed(secret: string, at: SealedAt, text: string): string {
  return `${sealOf(secret, at, text)} ${text}`;
}

/** Null if the seal is invalid. */
export function unsealed(secret: string, at: SealedAt, words: string): string | null {
  const text = words.slice(2 * MARK_BYTES + 1);
  return tokensMatch(words.slice(0, 2 * MARK_BYTES + 1), `${sealOf(secret, at, text)} `) ? text : null;
}

const sealOf = (secret: string, { account, machine, saidAt, until }: SealedAt, text: string): string =>
  markOf(secret, 'words', account, machine, saidAt, until, text);
