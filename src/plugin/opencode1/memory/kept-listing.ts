import { createHash } from 'node:crypto';
import { type KeptListing, keptModels } from '../../../node/base/kept-models';
import { placeOf } from '../../../node/base/log-paths';
import { statOrNull } from '../../../node/base/look';
import { stateHome } from '../../../node/base/state-home';
import { counting } from '../../base/counting';
import { placesIn } from '../../runtime/places';
import { goneModels } from '../../user/unasked';
import { type Listing, listModels } from './catalogue';
import type { Instance } from './instance';
import type { OpenCodeConfig } from './types';

/** Providers add models. */
const SERVES_MS = 86_400_000;
/** A proof of a switch needs two. */
const PROVABLE_MAX = 50;

export type Listed = Readonly<{ found: Listing; listing: KeptListing | undefined; isKept: boolean }>;

/**
 * Reuses an earlier listing if OpenCode, its configuration, logins and the environment's names are unchanged: a new
 * one costs OpenCode 40 MiB. Never rejects.
 */
export async function listOrKeep(
  instance: Instance,
  config: OpenCodeConfig,
  version: Promise<string>,
): Promise<Listed> {
  const print = await counting('kept listing', () => printOf(instance, config, version));
  const cached = print === null ? null : await counting('kept listing', () => keptListing(instance, print));
  if (cached !== null) return cached;
  const found = await listModels(instance.client);
  const { agents, provable, loggedIn, uncertain } = found;
  const ofDefault = instance.defaultModel?.replace(/[^/]*$/, '') ?? '';
  const first = provable.toSorted(
    (one, other) => Number(other.startsWith(ofDefault)) - Number(one.startsWith(ofDefault)),
  );
  const listing =
    print === null || found.models.length === 0 || !found.isWhole
      ? undefined
      : {
          print,
          agents: [...agents],
          provable: first.slice(0, PROVABLE_MAX),
          loggedIn: loggedIn.map((models) => [...models]),
          uncertain: [...uncertain],
        };
  return { found, listing, isKept: false };
}

async function keptListing(instance: Instance, print: string): Promise<Listed | null> {
  const stored = await keptModels(stateHome(), instance.directory);
  if (stored?.listing?.print !== print || Date.now() - stored.at > SERVES_MS) return null;
  const { models, catalogue, listing } = stored;
  const listed = new Set(models);
  const places = placesIn(instance);
  // Only a new list shows added and removed models.
  if ([...places.keys()].some((model) => !listed.has(model))) return null;
  if (goneModels(instance.companion.brain.state()).some(([model]) => places.has(model))) return null;
  const { agents, provable, loggedIn, uncertain } = listing;
  const found = { models, catalogue, agents, provable, loggedIn, uncertain: new Set(uncertain), isWhole: true };
  return { found, listing, isKept: true };
}

/** Omits the values of keys. */
export const configText = (config: OpenCodeConfig): string =>
  JSON.stringify(config, (name, value: unknown) => (name === 'apiKey' ? typeof value : value));

/** Null without OpenCode's version. */
async function printOf(
  { directory }: Pick<Instance, 'directory'>,
  config: OpenCodeConfig,
  version: Promise<string>,
): Promise<string | null> {
  // At once: a plugin may change it while OpenCode responds.
  const text = configText(config);
  const opencode = await version;
  if (opencode === '') return null;
  const logins = await statOrNull(placeOf(null, { usual: ['auth.json'], directory }));
  // A key in the environment makes models available; its value is not read.
  const names = Object.entries(process.env).flatMap(([name, value]) => (value ? [name] : []));
  const parts = [opencode, text, names.toSorted(), logins?.mtimeMs ?? null, logins?.size ?? null];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
