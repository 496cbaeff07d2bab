import type { Connection } from './border';

export type Account = Readonly<{ label: string; integration: string; connection: Connection }>;

/** By provider, the account in use first; providers with one account are absent. */
export type Accounts = ReadonlyMap<string, readonly Account[]>;
