import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import type { Outcome } from './failure';
import { ensurePrivateFolder } from './private-folder';
import { openSharedFile, type Reading } from './shared-file';
import { ensureToken } from './token';

/** Bump when an older companion could not read what this one writes. */
const VERSION = 1;
/** Providers, and directories of one, that are remembered; the oldest are forgotten first. */
const MAX_PROVIDERS = 200;
const MAX_DIRECTORIES = 200;
/** So many accounts of one provider in one directory and one process are one login whose token changes. */
const MAX_ACCOUNTS = 4;

const Mark = z.string().regex(/^[\da-f]{12}$/);
const Known = z.object({
  /** The account whose health all directories share. */
  usual: Mark,
  /** The last account of each directory, by a mark of the directory. */
  last: z.record(Mark, Mark),
});
const Content = z.object({ v: z.literal(VERSION), providers: z.record(z.string().max(200), Known) });
const Versioned = z.object({ v: z.number() });

type Providers = Readonly<Record<string, Readonly<z.infer<typeof Known>>>>;

/** Which account of each provider a directory uses, as marks that tell nothing of a key. */
export type AccountBooks = Readonly<{
  /** Books of the providers that a directory asks by another account than the usual one. */
  booksOf(directory: string): Readonly<Record<string, string>>;
  /**
   * Takes in which account a request of a directory goes to, as {@link accountSent} tells it.
   *
   * @returns whether the directory's books have changed by it.
   */
  noteAsked(directory: string, provider: string, account: string): boolean;
}>;

/** Where it is remembered which accounts there are. */
export const accountsPath = (home: string): string => join(home, 'accounts.json');
/** The secret that makes a key unreadable; it never leaves this machine. */
export const accountSecretPath = (home: string): string => join(home, 'account-secret');

/**
 * Opens what is remembered of accounts. Without a secret, or a file that can be read, everything is one account, as if
 * nobody looked. Never rejects. Source: ADR 0028.
 */
export async function openAccountBooks(home: string, warn: (message: string) => void): Promise<AccountBooks> {
  const file = openSharedFile<Providers>({
    path: accountsPath(home),
    parse: readAccounts,
    write: (providers) => ({ v: VERSION, providers }),
    onUnreadable: warn,
    loss: 'Which account each directory uses is found out anew.',
  });
  const [secret, found] = await Promise.all([secretIn(home), file.news()]);
  let providers: Providers = found ?? {};
  const seen = new Map<string, Set<string>>();

  const markOf = (...parts: readonly string[]): string =>
    createHmac('sha256', secret.ok ? secret.token : '')
      .update(parts.join('\n'))
      .digest('hex')
      .slice(0, 12);
  const accountMark = (directory: string, provider: string, account: string): string => {
    const mark = markOf('account', provider, account);
    const marks = seen.get(`${provider} ${directory}`) ?? new Set();
    // Once it is a login, no more of its secrets are counted.
    if (marks.size <= MAX_ACCOUNTS) seen.set(`${provider} ${directory}`, marks.add(mark));
    return marks.size > MAX_ACCOUNTS ? markOf('login', provider) : mark;
  };
  const bookIn = ({ usual, last }: Providers[string], directory: string): string | null => {
    const own = last[markOf('directory', directory)];
    return own === undefined || own === usual ? null : own;
  };
  return {
    booksOf: (directory) =>
      Object.fromEntries(
        Object.entries(providers).flatMap(([provider, known]) => {
          const book = bookIn(known, directory);
          return book === null ? [] : [[provider, book] as const];
        }),
      ),
    noteAsked(directory, provider, account) {
      if (!secret.ok) return false;
      const asked = {
        provider,
        directory: markOf('directory', directory),
        mark: accountMark(directory, provider, account),
      };
      const before = knownIn(providers, provider);
      if (before?.last[asked.directory] === asked.mark) return false;
      const book = before && bookIn(before, directory);
      providers = noted(providers, asked);
      // Written beside the request; two processes that see a provider first at once agree at their next start.
      void file.update((old) => noted(old ?? {}, asked));
      return bookIn(providers[provider] as Providers[string], directory) !== (book ?? null);
    },
  };
}

/** The secret of this machine; made at first use. */
async function secretIn(home: string): Promise<Outcome<{ token: string }>> {
  const folder = await ensurePrivateFolder(home);
  return folder.ok ? await ensureToken(home, accountSecretPath(home)) : folder;
}

/** What is known of a provider, whatever it is called. */
const knownIn = (providers: Providers, provider: string): Providers[string] | undefined =>
  Object.hasOwn(providers, provider) ? providers[provider] : undefined;

type Asked = Readonly<{ provider: string; directory: string; mark: string }>;

/** A directory that leaves the usual account has a new key: that is the usual one from then on. */
function noted(providers: Providers, { provider, directory, mark }: Asked): Providers {
  const known = knownIn(providers, provider);
  const { [provider]: _, ...others } = providers;
  const { [directory]: before, ...last } = known?.last ?? {};
  const usual = known === undefined || before === known.usual ? mark : known.usual;
  return {
    ...latest(others, MAX_PROVIDERS),
    [provider]: { usual, last: { ...latest(last, MAX_DIRECTORIES), [directory]: mark } },
  };
}

/** The newest entries, with room for one more. */
const latest = <T>(entries: Readonly<Record<string, T>>, max: number): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(entries).slice(1 - max));

function readAccounts(json: unknown): Reading<Providers> {
  const content = Content.safeParse(json);
  if (content.success) return { value: content.data.providers };
  return (Versioned.safeParse(json).data?.v ?? 0) > VERSION ? 'newer' : 'damaged';
}
