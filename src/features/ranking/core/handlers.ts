import type { Handlers } from '../../../contract/contract';
import type { RankQuery } from '../contract/ranking';

/** An agent of a directory; null for the user's own files alone. */
export type Where = Readonly<{ directory: string | null; agent: string }>;

/** The answers to everything that is asked of rankings. */
export type RankingHandlers = Pick<Handlers, RankQuery>;
