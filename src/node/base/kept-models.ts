import { join } from 'node:path';
import * as z from 'zod';
import { KeptFacts, keptAccounts, type OfferedFacts, type Offers } from '../../core/base/offers';
import type { HostModels } from '../../core/config';
import { ownValue } from '../../engine/tools';
import { writeFileAtomic } from './atomic-file';
import { takeLock } from './file-lock';
import { readPrivateJson } from './private-folder';
import { LOCK } from './shared-file';
import { ensureStateHome } from './state-home';

/** Where it is kept what OpenCode said last. */
export const keptModelsPath = (home: string): string => join(home, 'models.json');
/** A router lists thousands of models. */
const MAX_BYTES = 8_388_608;
const DIRECTORIES_MAX = 10;
/** A list that has not changed is dated anew after this long, in ms. */
const DATED_AFTER_MS = 3_600_000;

/** The first version held names alone; what came later may be missing. */
const List = z.lazy(() =>
  z.object({
    directory: z.string(),
    at: z.number(),
    models: z.array(z.string()),
    /** Checked when it is asked for: ten directories of a router are tens of thousands. */
    catalogue: z.record(z.string(), z.unknown()).default({}),
    leads: z.record(z.string(), z.string().nullable()).default({}),
    defaultModel: z.string().nullable().default(null),
    /** Null where OpenCode keeps one of each; missing in a list of an earlier version. Checked when it is asked for. */
    accounts: z.unknown().optional(),
    /** Checked when a start asks for it. */
    listing: z.unknown().optional(),
  }),
);
type List = z.infer<typeof List>;
export const StoredModels = z.lazy(() => z.object({ v: z.literal(1), lists: z.array(List) }));

const names = z.array(z.string());
/** The rest of a listing of OpenCode 1: a later start can do without one while `print` is the same. */
const KeptListing = z.lazy(() =>
  z.object({
    /** Hash of the version, the configuration and the logins that the listing depends on. */
    print: z.string(),
    agents: names,
    provable: names,
    loggedIn: z.array(names),
    uncertain: names,
  }),
);
export type KeptListing = Readonly<z.infer<typeof KeptListing>>;

/** Models as OpenCode listed them in a directory, and which of them its agents are configured with. */
export type KeptModels = Offers &
  Pick<HostModels, 'leads' | 'defaultModel'> &
  Readonly<{
    directory: string;
    /** When, in Unix ms. */
    at: number;
    /** An earlier version kept nothing of accounts: whether there are several is not known then. */
    tellsAccounts: boolean;
    listing?: KeptListing;
  }>;

/**
 * Keeps what OpenCode says of its models in a directory, for when it is not there to be asked: names, sizes, prices, what
 * accounts are called; never a key or an address. Never rejects.
 */
export async function keepModels(
  home: string,
  directory: string,
  {
    models = [],
    catalogue = {},
    leads,
    defaultModel,
    accounts,
    listing,
  }: HostModels & Readonly<{ listing?: KeptListing | undefined }>,
  now = Date.now(),
): Promise<void> {
  const list = List.parse({
    directory,
    at: now,
    models,
    catalogue: checked(catalogue),
    leads,
    defaultModel,
    accounts: accounts === undefined ? null : keptAccounts(accounts),
    ...(listing === undefined ? {} : { listing }),
  });
  if (withList(await read(home), list) === null) return;
  // What is not kept is listed again when OpenCode starts.
  if (!(await ensureStateHome(home)).ok) return;
  const path = keptModelsPath(home);
  // Several projects hear of the same news at once, and each has its list in this file.
  // silent: the list is stored when OpenCode starts again
  const release = await takeLock(path, LOCK).catch(() => null);
  if (release === null) return;
  try {
    const lists = withList(await read(home), list);
    if (lists !== null) await writeFileAtomic(path, textOf(lists));
  } finally {
    await release();
  }
}

/** All lists with a new one in the place of its directory's; null where that one says nothing new. */
function withList(lists: readonly List[], list: List): readonly List[] | null {
  const before = lists.find(({ directory }) => directory === list.directory);
  const isSame = before !== undefined && JSON.stringify({ ...before, at: list.at }) === JSON.stringify(list);
  if (isSame && list.at - before.at < DATED_AFTER_MS) return null;
  return [list, ...lists.filter((one) => one !== before)].slice(0, DIRECTORIES_MAX);
}

/** All that is kept, read once for whoever asks about several directories. */
export type AllKept = Readonly<{
  /** What OpenCode listed last in a directory; null when nothing is kept of it, or not readable. */
  in(directory: string): KeptModels | null;
  /** What OpenCode listed last, wherever that was; null when nothing is kept, or not readable. */
  latest(): KeptModels | null;
  /** The primaries that agents have in all directories. */
  commonLeads(): CommonLeads;
}>;

/** `leads` has the agents of every directory; `differing` names all that have another primary somewhere. */
export type CommonLeads = Pick<KeptModels, 'leads' | 'defaultModel'> & Readonly<{ differing: ReadonlySet<string> }>;

/** Reads what is kept of every directory. Never rejects. */
export async function allKept(home: string): Promise<AllKept> {
  const lists = await read(home);
  return {
    in: (directory) => asKept(lists.find((list) => list.directory === directory)),
    latest: () => asKept(lists.toSorted((one, other) => other.at - one.at)[0]),
    commonLeads: () => commonLeads(lists),
  };
}

function commonLeads(lists: readonly List[]): CommonLeads {
  const agents = [...new Set(lists.flatMap(({ leads }) => Object.keys(leads)))];
  const ofAll = (of: (list: List) => string | null): ReadonlySet<string | null> => new Set(lists.map(of));
  const leadIn = (agent: string) => (list: List) => ownValue(list.leads, agent) ?? list.defaultModel;
  const differing = new Set(agents.filter((agent) => ofAll(leadIn(agent)).size > 1));
  const everywhere = agents.filter((agent) => lists.every(({ leads }) => Object.hasOwn(leads, agent)));
  const [defaultModel = null, ...others] = ofAll((list) => list.defaultModel);
  return {
    leads: Object.fromEntries(
      everywhere
        .filter((agent) => !differing.has(agent))
        .map((agent) => [agent, ownValue(lists[0]?.leads, agent) ?? null]),
    ),
    defaultModel: others.length === 0 ? defaultModel : null,
    differing,
  };
}

export const keptModels = async (home: string, directory: string): Promise<KeptModels | null> =>
  (await allKept(home)).in(directory);

export const latestModels = async (home: string): Promise<KeptModels | null> => (await allKept(home)).latest();

function asKept(list: List | undefined): KeptModels | null {
  if (list === undefined) return null;
  const { accounts, listing, ...rest } = list;
  const several = accounts === undefined || accounts === null ? {} : { accounts: keptAccounts(accounts) };
  const { data } = KeptListing.safeParse(listing);
  return {
    ...rest,
    ...several,
    catalogue: checked(list.catalogue),
    tellsAccounts: accounts !== undefined,
    ...(data === undefined ? {} : { listing: data }),
  };
}

const read = async (home: string): Promise<List[]> =>
  (await readPrivateJson(keptModelsPath(home), MAX_BYTES, StoredModels))?.lists ?? [];

/** What OpenCode says is data from outside: what is out of bounds is as good as not known, and nothing else is kept. */
function checked(catalogue: Readonly<Record<string, unknown>>): Record<string, OfferedFacts> {
  const entries = Object.entries(catalogue).flatMap(([model, facts]) => {
    const { data } = KeptFacts.safeParse(facts);
    return data === undefined ? [] : [[model, data] as const];
  });
  // The one cast: zod cannot tell a field that is left out from one that is undefined.
  return Object.fromEntries(entries) as Record<string, OfferedFacts>;
}

/** The oldest lists give way when together they are too long to be read again. */
function textOf(lists: readonly List[]): string {
  const text = `${JSON.stringify({ v: 1, lists })}\n`;
  return lists.length > 1 && Buffer.byteLength(text) > MAX_BYTES ? textOf(lists.slice(0, -1)) : text;
}
