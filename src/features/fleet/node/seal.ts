import { createHmac } from 'node:crypto';
import { tokensMatch } from '../../../node/base/token';

/** 128 bits: nobody finds another text for the same mark. */
const MARK_BYTES = 16;

const markOf = (secret: string, ...parts: readonly (string | number)[]): string =>
  createHmac('sha256', secret).update(JSON.stringify(parts)).digest().subarray(0, MARK_BYTES).toString('hex');

/**
 * The mark of an account that machines of one team share, and that tells nothing without the team's secret.
 *
 * @param account as `accountSent` tells it: its key or login, with the server it goes to.
 */
export const accountMark = (secret: string, account: string): string => markOf(secret, 'account', account);

/** Names the secret itself, so that a change of it is seen. */
export const secretMark = (secret: string): string => markOf(secret, 'secret').slice(0, 8);

/** Where sealed words stand, and when they were said: what is sealed cannot be moved to another place. */
export type SealedAt = Readonly<{ account: string; machine: string; saidAt: number; until: number }>;

/** A text that only who knows the team's secret can have written. */
export function sealed(secret: string, at: SealedAt, text: string): string {
  return `${sealOf(secret, at, text)} ${text}`;
}

/** The text in a seal; null where it is not whole, or stands in another place than it was written for. */
export function unsealed(secret: string, at: SealedAt, words: string): string | null {
  const text = words.slice(2 * MARK_BYTES + 1);
  return tokensMatch(words.slice(0, 2 * MARK_BYTES + 1), `${sealOf(secret, at, text)} `) ? text : null;
}

const sealOf = (secret: string, { account, machine, saidAt, until }: SealedAt, text: string): string =>
  markOf(secret, 'words', account, machine, saidAt, until, text);
