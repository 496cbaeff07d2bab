import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { countAs } from '../../core/base/internal-errors';
import type { AccountSent } from '../../core/providers/credential';
import type { HealthKey } from '../../engine';
import { ownValue } from '../../engine/tools';
import { APART, type Apart } from '../../features/fleet/contract/fleet-values';
import type { Outcome } from '../base/failure';
import { ensurePrivateFolder } from '../base/private-folder';
import { openSharedFile, type Reading, type SharedFile } from '../base/shared-file';
import { ensureToken } from '../base/token';

/** Increase when an older companion could not read the new format. */
const VERSION = 1;
/** The oldest are dropped first. */
const MAX_PROVIDERS = 200;
const MAX_DIRECTORIES = 200;
/** Entries that wait for a failing disk. */
const MAX_UNWRITTEN = 200;
/** More accounts per directory and process count as one login with a changing token. */
const MAX_ACCOUNTS = 4;

const Mark = z.string().regex(/^[\da-f]{12}$/);
const Known = z.lazy(() =>
  z.object({
    /** All directories share this account’s health. */
    usual: Mark,
    /** By a hash of the directory. */
    last: z.record(Mark, Mark),
    /** `by` identifies the fleet's secret. */
    fleet: z.object({ by: z.string().max(20), marks: z.record(Mark, z.string().max(40)) }).optional(),
  }),
);
export const StoredAccounts = z.lazy(() =>
  z.object({ v: z.literal(VERSION), providers: z.record(z.string().max(200), Known) }),
);
const Versioned = z.lazy(() => z.object({ v: z.number() }));

type Providers = Readonly<Record<string, Readonly<z.infer<typeof Known>>>>;

/** `apart`: why an account stays local. */
export type FleetAccounts = Readonly<{
  marks: ReadonlyMap<HealthKey, string>;
  apart: ReadonlyMap<HealthKey, Apart>;
}>;

export type FleetMarks = Readonly<{ by: string; markOf(account: string): string }>;

/** Stores hashes that reveal nothing of a key. */
export type AccountBooks = Readonly<{
  /** Only providers called with another account than the usual one. */
  booksOf(directory: string): Readonly<Record<string, string>>;
  /** @returns a function that unsubscribes. */
  follow(directory: string, onChange: () => void): () => void;
  /** Await it before a decision. */
  refresh(): Promise<void>;
  /** @returns whether the account is new. */
  noteAsked(directory: string, provider: string, account: AccountSent): boolean;
  /** Null: no fleet. */
  nameBy(fleet: FleetMarks | null): void;
  forFleet(): FleetAccounts;
}>;

export const accountsPath = (home: string): string => join(home, 'accounts.json');
/** Makes keys unreadable; it never leaves this machine. */
export const accountSecretPath = (home: string): string => join(home, 'account-secret');

/** Without a secret or a readable file, everything counts as one account. Never rejects. Source: ADR 0028. */
export async function openAccountBooks(home: string, warn: (message: string) => void): Promise<AccountBooks> {
  const file = openAccountsFile(home, warn);
  const [secret, found] = await Promise.all([secretIn(home), file.news()]);
  let providers: Providers = found ?? {};
  /** Applied on top of other processes' entries. */
  let unwritten: readonly Account[] = [];
  let writes = 0;
  const followers = new Set<Readonly<{ directory: string; onChange: () => void }>>();
  const marks = createMarks(secret.ok ? secret.token : '');
  let fleet: FleetMarks | null = null;
  /** Requests from before it is certain whether this machine is in a fleet. */
  let early: Map<string, Parameters<AccountBooks['noteAsked']>> | null = new Map();

  const booksOf = (directory: string): Readonly<Record<string, string>> => {
    const mark = marks.ofDirectory(directory);
    const books = Object.entries(providers).flatMap(([provider, { usual, last }]) => {
      const book = ownValue(last, mark) ?? usual;
      return book === usual ? [] : [[provider, book] as const];
    });
    return Object.fromEntries(books);
  };
  const know = (next: Providers): void => {
    const textOf = (directory: string): string => JSON.stringify(Object.entries(booksOf(directory)).toSorted());
    const before = [...followers].map((follower) => [follower, textOf(follower.directory)] as const);
    providers = next;
    for (const [{ directory, onChange }, text] of before) if (textOf(directory) !== text) onChange();
  };
  const write = async (): Promise<void> => {
    let others = null as Providers | null;
    let written: readonly Account[] = [];
    const outcome = await file.update((old) => {
      others = old;
      written = unwritten;
      return written.reduce(noted, old ?? {});
    });
    if (!outcome.ok) return;
    writes++;
    if (others) know(unwritten.reduce(noted, others));
    unwritten = unwritten.filter((entry) => !written.includes(entry));
  };
  const noteAsked: AccountBooks['noteAsked'] = (directory, provider, sent) => {
    if (!secret.ok) return false;
    if (fleet === null) early?.set(`${provider} ${directory}`, [directory, provider, sent]);
    const { account, apart } = sent;
    const { mark, isLogin } = marks.ofAccount(directory, provider, account);
    const name = fleet && { by: fleet.by, mark: apart ?? (isLogin ? 'login' : fleet.markOf(account)) };
    const entry = { provider, directory: marks.ofDirectory(directory), mark, fleet: name };
    if (isNoted(providers, entry)) return false;
    unwritten = [...unwritten, entry].slice(-MAX_UNWRITTEN);
    know(noted(providers, entry));
    // Runs beside the request: our error must not become one of OpenCode's process.
    void write().catch(countAs('accounts.write'));
    return true;
  };
  return {
    booksOf,
    follow(directory, onChange) {
      const follower = { directory, onChange };
      followers.add(follower);
      return () => void followers.delete(follower);
    },
    async refresh() {
      const before = writes;
      const others = await file.news();
      // After a write of ours, the read may be older.
      if (others && before === writes) know(unwritten.reduce(noted, others));
    },
    noteAsked,
    nameBy(next) {
      fleet = next;
      const all = early?.values() ?? [];
      early = null;
      if (next) for (const entry of all) noteAsked(...entry);
    },
    forFleet: () => (fleet === null ? NO_ACCOUNTS : accountsFor(providers, fleet.by)),
  };
}

export const NO_ACCOUNTS: FleetAccounts = { marks: new Map(), apart: new Map() };
const isApart = (name: string): name is Apart => (APART as readonly string[]).includes(name);

function accountsFor(providers: Providers, by: string): FleetAccounts {
  const found = Object.entries(providers).flatMap(([provider, { usual, last, fleet }]) =>
    [...new Set([usual, ...Object.values(last)])].flatMap((mark) => {
      const name = fleet?.by === by ? fleet.marks[mark] : undefined;
      return name === undefined ? [] : [[mark === usual ? provider : `${provider}@${mark}`, name] as const];
    }),
  );
  return {
    marks: new Map(found.filter(([, name]) => !isApart(name))),
    apart: new Map(found.flatMap(([key, name]) => (isApart(name) ? [[key, name] as const] : []))),
  };
}

/** For a process that calls no provider. */
export function followFleetAccounts(home: string, by: string): Readonly<{ news(): Promise<FleetAccounts | null> }> {
  const file = openAccountsFile(home, () => undefined);
  return {
    async news() {
      const providers = await file.news();
      return providers && accountsFor(providers, by);
    },
  };
}

const openAccountsFile = (home: string, warn: (message: string) => void): SharedFile<Providers> =>
  openSharedFile<Providers>({
    path: accountsPath(home),
    parse: readAccounts,
    write: (providers) => ({ v: VERSION, providers }),
    onUnreadable: warn,
    loss: 'Understudy detects the account of each directory again.',
  });

function createMarks(secret: string) {
  const seen = new Map<string, Set<string>>();
  const markOf = (...parts: readonly string[]): string =>
    createHmac('sha256', secret).update(parts.join('\n')).digest('hex').slice(0, 12);
  return {
    ofDirectory: (directory: string): string => markOf('directory', directory),
    ofAccount(directory: string, provider: string, account: string): Readonly<{ mark: string; isLogin: boolean }> {
      const mark = markOf('account', provider, account);
      const marks = seen.get(`${provider} ${directory}`) ?? new Set();
      if (marks.size <= MAX_ACCOUNTS) seen.set(`${provider} ${directory}`, marks.add(mark));
      const isLogin = marks.size > MAX_ACCOUNTS;
      return { mark: isLogin ? markOf('login', provider) : mark, isLogin };
    },
  };
}

async function secretIn(home: string): Promise<Outcome<{ token: string }>> {
  const folder = await ensurePrivateFolder(home);
  return folder.ok ? await ensureToken(home, accountSecretPath(home)) : folder;
}

type Account = Readonly<{
  provider: string;
  directory: string;
  mark: string;
  fleet: Readonly<{ by: string; mark: string }> | null;
}>;

function isNoted(providers: Providers, { provider, directory, mark, fleet }: Account): boolean {
  const existing = ownValue(providers, provider);
  const isNamed = fleet === null || (existing?.fleet?.by === fleet.by && existing.fleet.marks[mark] === fleet.mark);
  return existing?.last[directory] === mark && isNamed;
}

/** A directory that leaves the usual account has a new key: it becomes the usual one. */
function noted(providers: Providers, { provider, directory, mark, fleet }: Account): Providers {
  const existing = ownValue(providers, provider);
  const { [provider]: _, ...others } = providers;
  const { [directory]: before, ...last } = existing?.last ?? {};
  const usual = existing === undefined || before === existing.usual ? mark : existing.usual;
  const nowLast = { ...latest(last, MAX_DIRECTORIES), [directory]: mark };
  const names = fleet === null || existing?.fleet?.by === fleet.by ? (existing?.fleet?.marks ?? {}) : {};
  const used = new Set([usual, ...Object.values(nowLast)]);
  const marks = { ...names, ...(fleet ? { [mark]: fleet.mark } : {}) };
  const by = fleet?.by ?? existing?.fleet?.by;
  const usedMarks = Object.fromEntries(Object.entries(marks).filter(([each]) => used.has(each)));
  return {
    ...latest(others, MAX_PROVIDERS),
    [provider]: { usual, last: nowLast, ...(by === undefined ? {} : { fleet: { by, marks: usedMarks } }) },
  };
}

const latest = <T>(entries: Readonly<Record<string, T>>, max: number): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(entries).slice(1 - max));

function readAccounts(json: unknown): Reading<Providers> {
  const content = StoredAccounts.safeParse(json);
  if (content.success) return { value: content.data.providers };
  return (Versioned.safeParse(json).data?.v ?? 0) > VERSION ? 'newer' : 'damaged';
}
