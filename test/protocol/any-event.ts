import fc from 'fast-check';
import {
  ABILITIES,
  BUDGET_ACTIONS,
  BUDGET_PERIODS,
  type EngineEvent,
  type Evidence,
  FAILURE_KINDS,
  HINT_HEADERS,
  HOLD_TASKS,
  type ScopeConfig,
  WINDOW_UNITS,
} from '../../src/engine';
import { TOOL_REASONS } from '../../src/engine/scorecard';
import { FALLBACK_ON_WORDS, narrowPolicy, PRESETS } from '../../src/engine/tools';
import type { Noted } from '../../src/protocol';

const ms = fc.nat(2_000_000_000);
const count = fc.nat(1_000);
const yes = fc.constant(true as const);
const word = fc.stringMatching(/^[\w .:-]{1,40}$/);
const id = fc.stringMatching(/^[\w:-]{1,60}$/);
const model = fc.stringMatching(/^[a-z]{1,9}\/[\w./:-]{1,40}$/);
const kind = fc.constantFrom(...FAILURE_KINDS);
/** Any subset of the fields, an absent one really absent. */
const some = <T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> =>
  fc.record<T>(fields, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;

const needs = some({ contextTokens: fc.nat(2_000_000), vision: fc.boolean(), tools: fc.boolean() });
const policy = fc
  .tuple(fc.constantFrom(...Object.values(PRESETS)), fc.subarray([...FALLBACK_ON_WORDS]), fc.boolean())
  .map(([preset, words, isNarrow]) => (isNarrow ? narrowPolicy(preset, words) : preset));
const plan = fc.record({ chain: fc.array(model, { maxLength: 8 }), policy });

const health = fc
  .record({
    cooldownMs: ms,
    quotaCooldownMs: ms,
    retryOriginalAfterMs: ms,
    restMs: ms,
    breaker: fc.record({
      failureThreshold: fc.integer({ min: 1, max: 1_000 }),
      windowMs: ms,
      cooldownMs: ms,
      growth: fc.integer({ min: 1, max: 10 }),
      maxCooldownMs: fc.integer({ min: 0, max: 86_400_000 }),
    }),
    network: fc.record({ failureThreshold: fc.integer({ min: 1, max: 1_000 }), cooldownMs: ms }),
  })
  .chain((numbers) => some({ shadow: fc.boolean() }).map((shadow) => ({ ...numbers, ...shadow })));

const facts = some({
  context: fc.nat(10_000_000),
  vision: fc.boolean(),
  tools: fc.boolean(),
  vendor: word,
  priceIn: fc.double({ min: 0, max: 900, noNaN: true }),
  priceOut: fc.double({ min: 0, max: 900, noNaN: true }),
});

/** Everything a configuration may carry, each optional part there or not. */
export const anyScope: fc.Arbitrary<ScopeConfig> = fc
  .record({
    enabled: fc.boolean(),
    health,
    maxFallbackDepth: count,
    onExhausted: fc.constantFrom('error' as const, 'native' as const),
    backupModel: fc.option(model),
    agents: fc.dictionary(word, plan, { maxKeys: 4 }),
  })
  .chain((base) =>
    some({
      abilities: fc.subarray([...ABILITIES]),
      maxRetries: count,
      retryBudget: fc
        .record({ perSession: count, warnAt: count })
        .chain((budget) => some({ failingTurns: count }).map((more) => ({ ...budget, ...more }))),
      backoff: fc.record({ baseMs: ms, capMs: ms, jitter: fc.double({ min: 0, max: 1, noNaN: true }) }),
      models: fc.dictionary(model, facts, { maxKeys: 6 }),
      vendorLock: fc.boolean(),
      maxPriceRatio: fc.option(fc.double({ min: 0.1, max: 1_000, noNaN: true })),
      panicProbe: fc.boolean(),
      guessProbe: fc.boolean(),
    }).map((rest) => ({ ...base, ...rest })),
  );

const steps = fc.constantFrom(...Object.values(PRESETS).flatMap((rows) => Object.values(rows)));
const evidence: fc.Arbitrary<Evidence> = fc
  .constantFrom('headers' as const, 'body' as const, 'stream' as const, 'watchdog' as const)
  .chain((phase) =>
    some({
      status: fc.integer({ min: 100, max: 599 }),
      code: word,
      message: word,
      headers: fc.dictionary(fc.constantFrom(...HINT_HEADERS), word),
      observed: fc.constantFrom('early_termination' as const, 'timeout' as const, 'aborted' as const),
      outputChars: count,
      mapped: fc
        .tuple(kind, fc.option(fc.boolean(), { nil: undefined }))
        .map(([name, needsUser]) => (needsUser === undefined ? { kind: name } : { kind: name, needsUser })),
      hintMs: ms,
      seenAt: ms,
      steps,
    }).map((rest) => ({ phase, ...rest })),
  );
const decided = fc
  .record({ kind: fc.constantFrom('switch' as const, 'hold' as const, 'exhausted' as const), code: id })
  .chain((base) =>
    some({ to: model, waitMs: ms, task: fc.constantFrom(...HOLD_TASKS) }).map((rest) => ({ ...base, ...rest })),
  );

const part = fc.double({ min: 0, max: 10, noNaN: true });
const amount = fc.option(fc.double({ min: 0, max: 1e15, noNaN: true }));
const spend = fc.record({ input: count, fresh: count, output: count, most: count });
const seenWindow = fc
  .record({
    ...{ id, unit: fc.constantFrom(...WINDOW_UNITS), lengthMs: fc.option(ms), used: part, limit: amount },
    ...{ remaining: amount, resetInMs: fc.option(ms) },
    of: fc.oneof(fc.constantFrom('account' as const, 'model' as const), fc.record({ family: id })),
    refills: fc.constantFrom('at_reset' as const, 'evenly' as const),
    charges: fc.constantFrom('maximum' as const, 'used' as const),
  })
  .chain((base) => some({ isRuling: yes, isRefusing: yes, isOverdrawable: yes }).map((rest) => ({ ...base, ...rest })));

const money = fc.double({ min: 0.001, max: 1e6, noNaN: true });
const budget = fc.record({
  ...{ id, period: fc.constantFrom(...BUDGET_PERIODS), action: fc.constantFrom(...BUDGET_ACTIONS) },
  ...{ provider: fc.option(id), agent: fc.option(word), directory: fc.option(word), session: fc.option(id) },
  ...{ limit: money, spent: money, maxPrice: fc.option(money), endsInMs: fc.option(ms), isAllowed: fc.boolean() },
});

const place = { turn: id, session: id, directory: word, agent: word, model };
const of = <T extends EngineEvent['type']>(type: T): { type: fc.Arbitrary<T> } => ({ type: fc.constant(type) });
const maybe = { parentSession: id, needs, spend, decided };

/** Any event a companion has to tell. */
export const anyEvent: fc.Arbitrary<EngineEvent | Noted> = fc.oneof(
  fc.record({ ...of('scope.configured'), directory: word, config: anyScope }),
  fc.record({ ...of('scope.closed'), directory: word }),
  fc
    .record({ ...of('prompt.submitted'), ...place, hostLead: fc.option(model), isExplicit: fc.boolean() })
    .chain((base) => some(maybe).map((rest) => ({ ...base, ...rest }))),
  fc
    .record({ ...of('attempt.started'), ...place, attempt: id, purpose: fc.constantFrom('turn', 'internal') })
    .chain((base) =>
      some({ ...maybe, epoch: id, tellsFlaws: fc.constant(true as const) }).map((rest) => ({ ...base, ...rest })),
    ),
  fc
    .record({ ...of('attempt.failed'), attempt: id, evidence, durationMs: ms })
    .chain((base) => some({ decided }).map((rest) => ({ ...base, ...rest }))),
  fc.record({ ...of('attempt.succeeded'), attempt: id, durationMs: ms, firstTokenMs: ms, outputChars: count }),
  fc.record({ ...of('attempt.aborted'), attempt: id }),
  fc.record({ ...of('attempt.silent'), attempt: id }),
  fc.record({ ...of('attempt.answering'), attempt: id }),
  fc.record({
    ...{ ...of('headroom.seen'), attempt: fc.option(id), directory: word, model },
    windows: fc.array(seenWindow, { maxLength: 3 }),
  }),
  fc.record({
    ...of('headroom.counted'),
    accounts: fc.array(fc.tuple(id, fc.array(seenWindow, { maxLength: 3 })), { maxLength: 3 }),
  }),
  fc.record({ ...of('money.counted'), levels: fc.array(budget, { maxLength: 3 }) }),
  fc
    .record({ ...of('switch.carried'), turn: id, from: model, ok: fc.boolean(), durationMs: ms })
    .chain((base) => some({ reason: word }).map((rest) => ({ ...base, ...rest }))),
  fc.record({ ...of('session.idle'), session: id }),
  fc.record({ ...of('session.waiting'), session: id, for: fc.constantFrom('permission', 'answer', null) }),
  fc.record({ ...of('session.closed'), session: id }),
  fc.record({ ...of('host.retrying'), turn: id }),
  fc.record({ ...of('question.answered'), question: id, yes: fc.boolean(), actor: word }),
  fc.record({ ...of('speaker.retried'), session: id, agent: fc.option(word), actor: word }),
  fc.record({
    ...of('health.reset'),
    target: fc.oneof(fc.record({ model }), fc.record({ provider: id }), fc.constant({ all: true as const })),
    actor: word,
  }),
  fc.record({
    ...{ type: fc.constant('usage.recorded' as const), ...place },
    purpose: fc.constantFrom('turn' as const, 'internal' as const),
    tokens: fc.record({ input: count, output: count, reasoning: count, cacheRead: count, cacheWrite: count }),
    cost: fc.option(fc.double({ min: 0, max: 900, noNaN: true, noDefaultInfinity: true })),
  }),
  fc.record({
    ...{ type: fc.constant('tool.failed' as const), session: id, turn: id, agent: word, model },
    ...{ reason: fc.constantFrom(...TOOL_REASONS), isRepeated: fc.boolean() },
  }),
  fc.record({ type: fc.constant('answer.continued' as const), session: id, turn: id, agent: word, model }),
) as fc.Arbitrary<EngineEvent | Noted>;
