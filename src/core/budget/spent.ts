import * as z from 'zod';
import { parseJson } from '../../contract/parse-json';

const Text = z.string().max(4_096);
const At = z.number().finite().nonnegative();

/** A larger number is damage and would make every sum useless. */
const MOST_TOKENS = 1e12;
const MOST_DOLLARS = 1e6;

export const PAID_FOR = ['turn', 'internal', 'ranking'] as const;

export const SpentLine = z.object({
  /** Unix ms. */
  at: At,
  for: z.enum(PAID_FOR),
  provider: Text,
  agent: Text,
  directory: Text,
  /** The conversation that a person began. */
  session: Text,
  tokens: z.number().nonnegative().max(MOST_TOKENS),
  /** US dollars; null without a price. */
  cost: z.number().nonnegative().max(MOST_DOLLARS).nullable(),
  /** Health key, if it is not the provider's usual account. */
  account: Text.optional(),
  settles: Text.optional(),
});
export type SpentLine = z.infer<typeof SpentLine>;

export const AllowedLine = z.object({ at: At, allowed: z.string().min(1).max(9_100) });
export type AllowedLine = z.infer<typeof AllowedLine>;

/** Start of an hour-based limit, Unix ms; later counts use it too. */
export const BeganLine = z.object({ at: At, account: Text, hours: z.number().positive(), began: At });
export type BeganLine = z.infer<typeof BeganLine>;

/** The estimate counts if the process ends before the request is settled. */
export const ReservedLine = z.object({
  at: At,
  reserved: Text,
  /** Pid and a random id. */
  by: Text,
  /** `estimate` names the session that a person began. */
  asker: Text,
  turn: Text,
  model: Text,
  estimate: SpentLine,
});
export type ReservedLine = z.infer<typeof ReservedLine>;

export const SettledLine = z.object({ at: At, settled: Text });

export const LedgerLine = z.union([SpentLine, AllowedLine, BeganLine, ReservedLine, SettledLine]);
export type LedgerLine = z.infer<typeof LedgerLine>;

const KINDS = ['for', 'allowed', 'began', 'reserved', 'settled'];

/** Foreign JSON is not damaged. */
export function isDamaged(text: string): boolean {
  if (text === '') return false;
  const line = parseJson(text);
  if (line === undefined) return true;
  const isOurs = typeof line === 'object' && line !== null && KINDS.some((key) => Object.hasOwn(line, key));
  return isOurs && !LedgerLine.safeParse(line).success;
}

export function ledgerLineIn(text: string): LedgerLine | null {
  return LedgerLine.safeParse(parseJson(text)).data ?? null;
}
