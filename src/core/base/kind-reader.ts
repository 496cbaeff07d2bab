import type { FailureKind, PolicyStep } from '../../engine';
import {
  type CompiledMap,
  compileMap,
  fold,
  kindInMaps,
  limitOf,
  type MapEvidence,
  mapsFor,
  type ProviderMap,
  readingOf,
} from '../../engine/tools';

/** What a provider's own words mean, where they say more than the general rules know. */
export type MappedKind = Readonly<{ kind: FailureKind; needsUser?: boolean; isVague?: true }>;

/** A failure as a map reads it, with the row of steps the map gives it in place of the policy's. */
export type Reading = Readonly<{ mapped: MappedKind; steps?: readonly PolicyStep[] }>;

/**
 * A phrase of the user's, from `patterns`: without a kind a rate limit, without a provider or an agent believed of each. A bare
 * one, with none of them, only says that something is a limit: whoever has a word for the failure knows better.
 */
export type UserPhrase = Readonly<{ phrase: string; kind?: FailureKind; provider?: string; agent?: string }>;

/** Reads failures by provider maps; phrases of one agent count where that is the one that met the failure. */
export type KindReader = (provider: string, evidence: MapEvidence, agent?: string) => Reading | null;

const DEFAULT = 'default';
/** The map that the user's phrases make. */
const USERS = 'patterns';
/** Statuses of these kinds say little: a phrase that says more does not contradict them. */
const VAGUE: readonly FailureKind[] = ['server_error', 'invalid_request'];

/** What is known of one provider's failures, the most special first, and what the user calls a limit beyond that. */
type Ready = Readonly<{ known: readonly CompiledMap[]; bare: readonly CompiledMap[] }>;

/**
 * Makes a reader of provider maps; the user's phrases come first, but for bare ones. A status means what the general rules
 * say unless the provider's own map names it. Maps are made ready for a provider at its first failure.
 */
export function createKindReader(maps: () => readonly ProviderMap[], phrases: readonly UserPhrase[]): KindReader {
  const ready = new Map<string, Ready>();
  const own = (provider: string, met: string | undefined): Ready => {
    // Agents that no phrase names are all alike.
    const agent = phrases.some((phrase) => phrase.agent === met) ? met : undefined;
    const key = JSON.stringify([provider, agent]);
    const before = ready.get(key);
    if (before) return before;
    const said = phrases.filter(
      (phrase) =>
        (phrase.provider === undefined || phrase.provider === provider) &&
        (phrase.agent === undefined || phrase.agent === agent),
    );
    const compiled = {
      known: [...mapOf(said.filter((phrase) => !isBare(phrase))), ...mapsFor(maps(), provider)].map(compileMap),
      bare: mapOf(said.filter(isBare)).map(compileMap),
    };
    ready.set(key, compiled);
    return compiled;
  };
  return (provider, evidence, agent) => {
    const { known, bare } = own(provider, agent);
    const special = kindInMaps(
      known.filter((map) => map.provider !== DEFAULT),
      evidence,
    );
    const isNamed = special?.source === 'status' && !VAGUE.includes(special.kind);
    const match = kindInMaps(isNamed ? known : [...known, ...bare], evidence);
    if (!match || (match.source === 'status' && special === null)) return null;
    const isUsers =
      kindInMaps(
        [...known, ...bare].filter((map) => map.provider === USERS),
        evidence,
      ) !== null;
    return readingOf(
      isUsers || match.needsUser ? match : { ...match, kind: limitOf(match.kind, fold(evidence.message ?? '')) },
    );
  };
}

const isBare = ({ kind, provider, agent }: UserPhrase): boolean => (kind ?? provider ?? agent) === undefined;

const mapOf = (phrases: readonly UserPhrase[]): readonly ProviderMap[] =>
  phrases.length === 0
    ? []
    : [
        {
          version: 1,
          provider: USERS,
          aliases: [],
          vendor: 'unknown',
          statuses: {},
          codes: {},
          phrases: phrases.map(({ phrase, kind = 'rate_limit' }) => ({ phrase, kind })),
          resetHeaders: [],
        },
      ];
