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

export type MappedKind = Readonly<{ kind: FailureKind; needsUser?: boolean; isVague?: true }>;

export type Reading = Readonly<{ mapped: MappedKind; steps?: readonly PolicyStep[] }>;

/** Without the optional fields, more specific sources take precedence. */
export type UserPhrase = Readonly<{ phrase: string; kind?: FailureKind; provider?: string; agent?: string }>;

/** Ignores phrases for agents other than `agent`. */
export type KindReader = (provider: string, evidence: MapEvidence, agent?: string) => Reading | null;

const DEFAULT = 'default';
const USERS = 'patterns';
/** Statuses of these kinds are unspecific: a more specific phrase does not contradict them. */
const VAGUE: readonly FailureKind[] = ['server_error', 'invalid_request'];

/** `known`: the most specific first; `bare`: the user's unscoped phrases. */
type Ready = Readonly<{ known: readonly CompiledMap[]; bare: readonly CompiledMap[] }>;

/** Only a provider's own map changes the general meaning of a status. */
export function createKindReader(maps: () => readonly ProviderMap[], phrases: readonly UserPhrase[]): KindReader {
  const ready = new Map<string, Ready>();
  const own = (provider: string, met: string | undefined): Ready => {
    const agent = phrases.some((phrase) => phrase.agent === met) ? met : undefined;
    const key = JSON.stringify([provider, agent]);
    const before = ready.get(key);
    if (before) return before;
    const matchingPhrases = phrases.filter(
      (phrase) =>
        (phrase.provider === undefined || phrase.provider === provider) &&
        (phrase.agent === undefined || phrase.agent === agent),
    );
    const compiled = {
      known: [...mapOf(matchingPhrases.filter((phrase) => !isBare(phrase))), ...mapsFor(maps(), provider)].map(
        compileMap,
      ),
      bare: mapOf(matchingPhrases.filter(isBare)).map(compileMap),
    };
    ready.set(key, compiled);
    return compiled;
  };
  return (provider, evidence, agent) => {
    const { known: specificMaps, bare } = own(provider, agent);
    const special = kindInMaps(
      specificMaps.filter((map) => map.provider !== DEFAULT),
      evidence,
    );
    const isNamed = special?.source === 'status' && !VAGUE.includes(special.kind);
    const match = kindInMaps(isNamed ? specificMaps : [...specificMaps, ...bare], evidence);
    if (!match || (match.source === 'status' && special === null)) return null;
    const isUsers =
      kindInMaps(
        [...specificMaps, ...bare].filter((map) => map.provider === USERS),
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
