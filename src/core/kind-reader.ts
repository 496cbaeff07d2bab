import type { FailureKind, PolicyStep } from '../engine';
import {
  type CompiledMap,
  compileMap,
  kindInMaps,
  type MapEvidence,
  mapsFor,
  type ProviderMap,
} from '../engine/provider-map';

/** What a provider's own words mean, where they say more than the general rules know. */
export type MappedKind = Readonly<{ kind: FailureKind; needsUser?: boolean }>;

/** A failure as a map reads it, with the row of steps the map gives it in place of the policy's. */
export type Reading = Readonly<{ mapped: MappedKind; steps?: readonly PolicyStep[] }>;

/** A phrase of the user's, from `patterns`; without a provider it is believed of each. */
export type UserPhrase = Readonly<{ phrase: string; kind: FailureKind; provider?: string }>;

/** Reads failures by provider maps. */
export type KindReader = (provider: string, evidence: MapEvidence) => Reading | null;

const DEFAULT = 'default';

/**
 * Makes a reader of provider maps; the user's phrases come first. A status means what the general rules say unless the
 * provider's own map names it. Maps are made ready for a provider at its first failure.
 */
export function createKindReader(maps: () => readonly ProviderMap[], phrases: readonly UserPhrase[]): KindReader {
  const ready = new Map<string, readonly CompiledMap[]>();
  const own = (provider: string): readonly CompiledMap[] => {
    const known = ready.get(provider);
    if (known) return known;
    const said = phrases.filter((phrase) => phrase.provider === undefined || phrase.provider === provider);
    const users = said.length === 0 ? [] : [mapOf(said)];
    const compiled = [...users, ...mapsFor(maps(), provider)].map(compileMap);
    ready.set(provider, compiled);
    return compiled;
  };
  return (provider, evidence) => {
    const all = own(provider);
    const match = kindInMaps(all, evidence);
    if (!match) return null;
    const special = all.filter((map) => map.provider !== DEFAULT);
    if (match.source === 'status' && kindInMaps(special, evidence) === null) return null;
    const { kind, needsUser, steps } = match;
    return { mapped: needsUser === true ? { kind, needsUser } : { kind }, ...(steps ? { steps } : {}) };
  };
}

/** The user's phrases as a map that is asked before those of the provider. */
const mapOf = (phrases: readonly UserPhrase[]): ProviderMap => ({
  version: 1,
  provider: 'patterns',
  aliases: [],
  vendor: 'unknown',
  statuses: {},
  codes: {},
  phrases: phrases.map(({ phrase, kind }) => ({ phrase, kind })),
  resetHeaders: [],
});
