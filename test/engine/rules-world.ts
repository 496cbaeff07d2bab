import {
  type Ability,
  DEFAULT_HEALTH,
  type Evidence,
  type ModelFacts,
  type ModelId,
  type ScopeConfig,
} from '../../src/engine';
import { PRESETS } from '../../src/engine/policy/presets';
import { DAY, EVIDENCE, HOUR, MINUTE, SECOND } from './world';

/** Models of three vendors: dear, small and blind ones among them. */
export const FACTS: Readonly<Record<ModelId, Required<ModelFacts>>> = {
  'a/lead': { vendor: 'a', priceIn: 1, priceOut: 2, context: 100_000, vision: true, tools: true },
  'a/small': { vendor: 'a', priceIn: 1, priceOut: 1, context: 1_000, vision: true, tools: true },
  'b/even': { vendor: 'b', priceIn: 1, priceOut: 2, context: 200_000, vision: true, tools: true },
  'b/blind': { vendor: 'b', priceIn: 1, priceOut: 2, context: 200_000, vision: false, tools: true },
  'c/dear': { vendor: 'c', priceIn: 100, priceOut: 200, context: 200_000, vision: true, tools: false },
  'a/last': { vendor: 'a', priceIn: 5, priceOut: 5, context: 100_000, vision: true, tools: true },
};
export const MODELS: readonly ModelId[] = Object.keys(FACTS);
const BACKUP = 'a/last';
/** Two directories with one account, and one with another account of the first provider. */
export const BOOKS = { '/one': undefined, '/two': undefined, '/other': { a: 'aaaaaaaaaaaa' } } as const;
export const DIRECTORIES = Object.keys(BOOKS);
export const HINTS = ['0', '1', '4', '20', '50', '1200', '90000'];
/** Some conversations are too long again and again. */
export const TOO_LONG: Evidence = { phase: 'body', status: 400, message: 'maximum context length is 8192 tokens' };
export const FAILURES: readonly Evidence[] = [
  ...Object.values(EVIDENCE),
  EVIDENCE.serverError,
  EVIDENCE.rateLimit,
  TOO_LONG,
];
export const WAITS = [0, 0, 0, 1, 700, 15 * SECOND, MINUTE, 10 * MINUTE, HOUR, DAY];
/** How long people mean what they say for, in ms; null until further notice. */
export const TERMS = [20 * SECOND, 10 * MINUTE, 2 * HOUR, null];
export const ACTOR = 'ann';

export const directoryOf = (session: string): string =>
  DIRECTORIES[Number(session.slice(1)) % DIRECTORIES.length] as string;

type Pick = <T>(list: readonly T[]) => T;

/** A chain for every agent that has one; `alone` has its lead, `strict` a breaker of its own, `none` no chain at all. */
export const AGENTS = ['build', 'build', 'build', 'build', 'strict', 'strict', 'alone', 'none'] as const;
const WAITING: readonly Ability[] = ['hold.start', 'hold.other', 'retry.output', 'continue'];
const CHAIN = MODELS.filter((model) => model !== BACKUP);

/** A configuration of the same three agents with other rules each time. */
export function anyConfig(pick: Pick): ScopeConfig {
  const policy = pick([PRESETS.swift, PRESETS.steady, PRESETS.patient, PRESETS.council]);
  const breaker = { failureThreshold: pick([1, 2]), windowMs: HOUR, cooldownMs: HOUR, growth: 10 };
  return {
    enabled: true,
    health: {
      ...DEFAULT_HEALTH,
      breaker: { ...DEFAULT_HEALTH.breaker, ...breaker },
      shadow: pick([false, false, false, true]),
    },
    maxFallbackDepth: pick([1, 3, 5]),
    onExhausted: pick(['error', 'error', 'native']),
    backupModel: pick([null, BACKUP]),
    models: FACTS,
    vendorLock: pick([false, true]),
    maxPriceRatio: pick([null, 2]),
    panicProbe: pick([false, true]),
    guessProbe: true,
    abilities: policy === PRESETS.council ? [...pick([[], WAITING]), 'ask'] : pick([[], WAITING]),
    agents: {
      build: { chain: CHAIN, policy },
      strict: { chain: CHAIN, policy, breaker: { failureThreshold: 1, cooldownMs: 2 * HOUR } },
      alone: { chain: CHAIN.slice(0, 1), policy },
    },
  };
}

/** The same in which nothing but health decides, for an agent `solo`: no guesses, and somebody else to turn to. */
export const plainly = (config: ScopeConfig): ScopeConfig => ({
  ...config,
  ...{ panicProbe: false, guessProbe: false, onExhausted: 'error', abilities: [] },
  agents: { ...config.agents, solo: { chain: CHAIN, policy: PRESETS.swift } },
});
