import * as z from 'zod';
import { parseJson } from '../../contract/parse-json';

const Text = z.string().max(4_096);
const At = z.number().finite().nonnegative();

/** No step takes more: a larger number is damage, and would make every sum with it useless. */
const MOST_TOKENS = 1e12;
const MOST_DOLLARS = 1e6;

export const PAID_FOR = ['turn', 'internal', 'ranking'] as const;

/** One step that was paid for, or would have been: figures, and where they belong. */
export const SpentLine = z.object({
  /** Wall clock, Unix ms. */
  at: At,
  for: z.enum(PAID_FOR),
  provider: Text,
  agent: Text,
  directory: Text,
  /** The conversation that a person began. */
  session: Text,
  tokens: z.number().nonnegative().max(MOST_TOKENS),
  /** US dollars; null where nobody knows a price. */
  cost: z.number().nonnegative().max(MOST_DOLLARS).nullable(),
  /** The account that was asked, where it is not the provider's usual one, by the key of its health. */
  account: Text.optional(),
  /** The reservation that it ends. */
  settles: Text.optional(),
});
export type SpentLine = z.infer<typeof SpentLine>;

/** A person has said to go on beyond a budget, by its id. */
export const AllowedLine = z.object({ at: At, allowed: z.string().min(1).max(9_100) });
export type AllowedLine = z.infer<typeof AllowedLine>;

/** A limit of some hours began anew for an account, at `began`, Unix ms: whoever counts later begins there as well. */
export const BeganLine = z.object({ at: At, account: Text, hours: z.number().positive(), began: At });
export type BeganLine = z.infer<typeof BeganLine>;

/** A request that is about to leave. Its estimate counts where the process ended before it settled the request. */
export const ReservedLine = z.object({
  at: At,
  reserved: Text,
  /** The process: its id and a random word. */
  by: Text,
  /** The session that asks; `estimate` names the one that a person began. */
  asker: Text,
  turn: Text,
  model: Text,
  estimate: SpentLine,
});
export type ReservedLine = z.infer<typeof ReservedLine>;

/** A reservation ended, and nothing was used. */
export const SettledLine = z.object({ at: At, settled: Text });

export const LedgerLine = z.union([SpentLine, AllowedLine, BeganLine, ReservedLine, SettledLine]);
export type LedgerLine = z.infer<typeof LedgerLine>;

const KINDS = ['for', 'allowed', 'began', 'reserved', 'settled'];

/** A line that is no JSON, or is of a kind that is known and does not hold what that kind has. */
export function isDamaged(text: string): boolean {
  if (text === '') return false;
  const line = parseJson(text);
  if (line === undefined) return true;
  const isOurs = typeof line === 'object' && line !== null && KINDS.some((key) => Object.hasOwn(line, key));
  return isOurs && !LedgerLine.safeParse(line).success;
}

/** What a line says; null for one that is none of ours, or was cut off. */
export function ledgerLineIn(text: string): LedgerLine | null {
  return LedgerLine.safeParse(parseJson(text)).data ?? null;
}
