import type { Handlers } from '../../../contract/contract';
import type { RankQuery } from '../contract/ranking';

/** A null directory means only the user's files. */
export type Where = Readonly<{ directory: string | null; agent: string }>;

export type RankingHandlers = Pick<Handlers, RankQuery>;
