import * as z from 'zod';
import { ABILITIES, FAILURE_KINDS } from '../engine';
import { STEP_CONDITIONS } from '../engine/tools';
import { HeadroomRules } from './headroom';
import { boundedRecord, Count, Ms, Tokens } from './measures';
import { AgentName, ModelRef, safeText } from './text';

/** Models with facts: only those of chains. */
export const CATALOGUE_MAX = 500;
/** Per directory; it limits the length of its line. */
export const AGENTS_MAX = 200;

export const VARIANT_CHARS = 100;

const when = z.enum(STEP_CONDITIONS).optional();

export const PolicyStep = z.lazy(() =>
  z.discriminatedUnion('step', [
    z.object({ step: z.literal('waitHint'), maxMs: Ms, when }),
    z.object({ step: z.literal('retry'), n: Count, when }),
    z.object({ step: z.literal('wait'), ms: Ms, when }),
    z.object({ step: z.literal('continue'), n: Count, when }),
    z.object({ step: z.enum(['switch', 'switchLarger', 'compact', 'ask', 'defer', 'hold', 'return']), when }),
  ]),
);
export const Steps = z.lazy(() => z.array(PolicyStep).max(10));

const AgentPlan = z.lazy(() =>
  z.object({
    chain: z.array(ModelRef).max(100),
    /** Partial: an older companion has no row for a newer kind. */
    policy: z.partialRecord(z.enum(FAILURE_KINDS), Steps),
    breaker: z.object({ failureThreshold: z.int().positive(), cooldownMs: Ms }).optional(),
    maxRetries: Count.optional(),
    isNamed: z.boolean().optional(),
    variants: boundedRecord(ModelRef, safeText(VARIANT_CHARS), 100).optional(),
  }),
);

/** US dollars. */
export const Price = z.number().nonnegative().max(1_000_000);
export const ModelFacts = z.lazy(() =>
  z.object({
    context: Tokens.optional(),
    vision: z.boolean().optional(),
    tools: z.boolean().optional(),
    vendor: safeText(100).optional(),
    priceIn: Price.optional(),
    priceOut: Price.optional(),
  }),
);

const HealthNumbers = z.lazy(() =>
  z.object({
    cooldownMs: Ms,
    quotaCooldownMs: Ms,
    retryOriginalAfterMs: Ms,
    restMs: Ms,
    breaker: z.object({
      failureThreshold: z.int().positive(),
      windowMs: Ms,
      cooldownMs: Ms,
      growth: z.number().min(1).max(1000),
      maxCooldownMs: Ms.optional(),
    }),
    network: z.object({ failureThreshold: z.int().positive(), cooldownMs: Ms }),
    shadow: z.boolean().optional(),
    flapping: z.object({ changes: z.int().min(2).max(100), windowMs: Ms, holdMs: Ms }).optional(),
  }),
);

const PROVIDERS_MAX = 200;
/** A partition of health: see the engine's `books.ts`. */
const Book = z.string().regex(/^[\da-f]{12}$/);

export const ScopeConfig = z.lazy(() =>
  z.object({
    enabled: z.boolean(),
    health: HealthNumbers,
    maxFallbackDepth: Count,
    onExhausted: z.enum(['error', 'native']),
    backupModel: ModelRef.nullable(),
    agents: boundedRecord(AgentName, AgentPlan, AGENTS_MAX),
    unplanned: boundedRecord(AgentName, ModelRef.nullable(), AGENTS_MAX).optional(),
    abilities: z.array(z.enum(ABILITIES)).max(ABILITIES.length).optional(),
    maxRetries: Count.optional(),
    retryBudget: z.object({ perSession: Count, warnAt: Count, failingTurns: Count.optional() }).optional(),
    backoff: z.object({ baseMs: Ms, capMs: Ms, jitter: z.number().min(0).max(1) }).optional(),
    models: boundedRecord(ModelRef, ModelFacts, CATALOGUE_MAX).optional(),
    vendorLock: z.boolean().optional(),
    maxPriceRatio: z.number().positive().max(1_000_000).nullable().optional(),
    panicProbe: z.boolean().optional(),
    guessProbe: z.boolean().optional(),
    books: boundedRecord(safeText(200), Book, PROVIDERS_MAX).optional(),
    headroom: HeadroomRules.optional(),
    unpriced: z.object({ isAllBut: z.boolean(), models: z.array(ModelRef).max(CATALOGUE_MAX) }).optional(),
  }),
);

export const Needs = z.lazy(() =>
  z.object({
    contextTokens: Tokens.optional(),
    vision: z.boolean().optional(),
    tools: z.boolean().optional(),
  }),
);
