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

export const keptModelsPath = (home: string): string => join(home, 'models.json');
/** A router lists thousands of models. */
const MAX_BYTES = 8_388_608;
const DIRECTORIES_MAX = 10;
const DATED_AFTER_MS = 3_600_000;

/** The first version stored only names; later fields may be missing. */
const List = z.lazy(() =>
  z.object({
    directory: z.string(),
    at: z.number(),
    models: z.array(z.string()),
    /** Checked on use: routers have tens of thousands of entries. */
    catalogue: z.record(z.string(), z.unknown()).default({}),
    leads: z.record(z.string(), z.string().nullable()).default({}),
    defaultModel: z.string().nullable().default(null),
    /** Null if OpenCode has one account each; missing in earlier versions. Checked on use. */
    accounts: z.unknown().optional(),
    listing: z.unknown().optional(),
  }),
);
type List = z.infer<typeof List>;
export const StoredModels = z.lazy(() => z.object({ v: z.literal(1), lists: z.array(List) }));

const names = z.array(z.string());
/** Valid while `print` is unchanged. */
const KeptListing = z.lazy(() =>
  z.object({
    /** Hash of the version, the configuration and the logins. */
    print: z.string(),
    agents: names,
    provable: names,
    loggedIn: z.array(names),
    uncertain: names,
  }),
);
export type KeptListing = Readonly<z.infer<typeof KeptListing>>;

export type KeptModels = Offers &
  Pick<HostModels, 'leads' | 'defaultModel'> &
  Readonly<{
    directory: string;
    at: number;
    /** False for lists of earlier versions. */
    tellsAccounts: boolean;
    listing?: KeptListing;
  }>;

/** Stores no key or address. Never rejects. */
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
  if (!(await ensureStateHome(home)).ok) return;
  const path = keptModelsPath(home);
  // Several projects receive the same change at once and share this file.
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

/** Null if the list has nothing new. */
function withList(lists: readonly List[], list: List): readonly List[] | null {
  const before = lists.find(({ directory }) => directory === list.directory);
  const isSame = before !== undefined && JSON.stringify({ ...before, at: list.at }) === JSON.stringify(list);
  if (isSame && list.at - before.at < DATED_AFTER_MS) return null;
  return [list, ...lists.filter((one) => one !== before)].slice(0, DIRECTORIES_MAX);
}

export type AllKept = Readonly<{
  in(directory: string): KeptModels | null;
  latest(): KeptModels | null;
  commonLeads(): CommonLeads;
}>;

/** `leads`: agents of every directory; `differing`: those whose primary differs between directories. */
export type CommonLeads = Pick<KeptModels, 'leads' | 'defaultModel'> & Readonly<{ differing: ReadonlySet<string> }>;

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

/** OpenCode's output is external. */
function checked(catalogue: Readonly<Record<string, unknown>>): Record<string, OfferedFacts> {
  const entries = Object.entries(catalogue).flatMap(([model, facts]) => {
    const { data } = KeptFacts.safeParse(facts);
    return data === undefined ? [] : [[model, data] as const];
  });
  // zod cannot tell an omitted field from an undefined one.
  return Object.fromEntries(entries) as Record<string, OfferedFacts>;
}

function textOf(lists: readonly List[]): string {
  const text = `${JSON.stringify({ v: 1, lists })}\n`;
  return lists.length > 1 && Buffer.byteLength(text) > MAX_BYTES ? textOf(lists.slice(0, -1)) : text;
}
