import type { Connection } from './border';

/** One of a user's accounts of a provider, as OpenCode keeps it. */
export type Account = Readonly<{ label: string; integration: string; connection: Connection }>;

/** Accounts by provider, the one in use first; providers with one alone are left out. */
export type Accounts = ReadonlyMap<string, readonly Account[]>;
