import * as z from 'zod';
import { METRICS } from '../../contract/scorecard';
import { BUDGET_ACTIONS, DEFAULT_FLAPPING, DEFAULT_HEALTH, DRAIN_MODES, FAILURE_KINDS } from '../../engine';
import { DEFAULT_RETRY_BUDGET, FALLBACK_ON_WORDS } from '../../engine/tools';
import { later } from '../base/later';
import { ENTERED_MAX, EnteredLimit } from './entered-limit';

/** The longest possible timer, about 24.8 days. */
const MAX_TIMER_MS = 2_147_483_647;
export const MAX_CHAIN = 100;
const MAX_NAME = 100;
const MAX_MODEL = 300;

/** Allows unencrypted addresses only on this machine. */
function isAskable(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Source: docs/configuration.md, defaults. */
export const DEFAULTS = {
  policy: 'swift',
  cooldownMs: DEFAULT_HEALTH.cooldownMs,
  quotaCooldownMs: DEFAULT_HEALTH.quotaCooldownMs,
  restMs: DEFAULT_HEALTH.restMs,
  retryOriginalAfterMs: DEFAULT_HEALTH.retryOriginalAfterMs,
  maxFallbackDepth: null,
  maxRetries: 3,
  retryBudget: DEFAULT_RETRY_BUDGET,
  backoff: { baseMs: 1_000, capMs: 30_000, jitter: 0.2 },
  circuitBreaker: { ...DEFAULT_HEALTH.breaker, shadow: false },
  networkBreaker: DEFAULT_HEALTH.network,
  flapping: DEFAULT_FLAPPING,
  firstTokenTimeoutMs: 60_000,
  stallTimeoutMs: 120_000,
  vendorLock: false,
  maxPriceRatio: null,
  panicProbe: false,
  guessProbe: true,
  onExhausted: 'error',
  backupModel: null,
} as const;

/** Source: docs/configuration.md, headroom. */
export const HEADROOM_DEFAULTS = { act: 'move', moveAt: 97 } as const;

// Texts follow "must be".
const flag = z.boolean('must be true or false');
const number = (words: string, min: number, max: number) => z.number(words).min(min, words).max(max, words);
const whole = (words: string, min: number, max: number) => z.int(words).min(min, words).max(max, words);
const duration = number(`must be a number of milliseconds from 0 to ${MAX_TIMER_MS}`, 0, MAX_TIMER_MS);
const deadline = number(`must be a number of milliseconds from 1 to ${MAX_TIMER_MS}`, 1, MAX_TIMER_MS);
const count = whole('must be a whole number from 0 to 1000', 0, 1_000);
const threshold = whole('must be a whole number from 1 to 1000', 1, 1_000);
const oneOf = <const T extends readonly string[]>(words: T) => z.enum(words, `must be one of ${words.join(', ')}`);
const kind = z.enum(FAILURE_KINDS, 'must be a kind of failure such as "rate_limit" or "quota"');
const text = (words: string, max: number) => z.string(words).min(1, words).max(max, words);
const name = text(`must be a name of 1 to ${MAX_NAME} characters`, MAX_NAME);
const path = text('must be a path', 4_096);

export const MODEL_WORDS = 'must be a model written as "provider/model"';
/** Invisible characters would make two different ids look the same. */
export const ModelName = text(MODEL_WORDS, MAX_MODEL).regex(
  /^[^/\s\p{C}]+\/[^\s\p{C}](?:[^\p{C}]*[^\s\p{C}])?$/u,
  MODEL_WORDS,
);
const models = later(() => z.array(ModelName, 'must be a list of models'));

// The reader of policies reports invalid steps more clearly.
const step = text('must be a step such as "switch", "retry:3", "wait:30000", "continue:1", "return"', 60);

const section = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape, 'must be an object');

const Defaults = later(() =>
  section({
    policy: name.optional(),
    fallbackOn: z.array(oneOf(FALLBACK_ON_WORDS), 'must be a list of words').optional(),
    cooldownMs: duration.optional(),
    quotaCooldownMs: duration.optional(),
    restMs: duration.optional(),
    retryOriginalAfterMs: duration.optional(),
    maxFallbackDepth: z
      .union([z.int().min(0).max(100), z.null()], 'must be a whole number from 0 to 100, or null')
      .optional(),
    maxRetries: count.optional(),
    retryBudget: section({ perSession: count, warnAt: count, failingTurns: count }).partial().optional(),
    backoff: section({
      baseMs: duration.optional(),
      capMs: duration.optional(),
      jitter: number('must be a number from 0 to 1', 0, 1).optional(),
    }).optional(),
    circuitBreaker: section({
      failureThreshold: threshold.optional(),
      windowMs: duration.optional(),
      cooldownMs: duration.optional(),
      growth: number('must be a number from 1 to 10', 1, 10).optional(),
      maxCooldownMs: duration.optional(),
      shadow: flag.optional(),
    }).optional(),
    networkBreaker: section({ failureThreshold: threshold.optional(), cooldownMs: duration.optional() }).optional(),
    flapping: section({
      changes: whole('must be a whole number from 2 to 100', 2, 100).optional(),
      windowMs: duration.optional(),
      holdMs: duration.optional(),
    }).optional(),
    firstTokenTimeoutMs: deadline.optional(),
    stallTimeoutMs: deadline.optional(),
    vendorLock: flag.optional(),
    maxPriceRatio: z
      .union([z.number().positive().max(1_000_000), z.null()], 'must be a number above 0, or null')
      .optional(),
    panicProbe: flag.optional(),
    guessProbe: flag.optional(),
    onExhausted: oneOf(['error', 'native']).optional(),
    backupModel: ModelName.nullable().optional(),
  }),
);

export const AgentEntry = later(() =>
  section({
    policy: name.optional(),
    fallbackModels: models.optional(),
    tiers: z.array(section({ name: name.optional(), models }), 'must be a list of tiers').optional(),
    currentModel: ModelName.optional(),
    maxRetries: count.optional(),
    circuitBreaker: section({ failureThreshold: threshold.optional(), cooldownMs: duration.optional() }).optional(),
  }),
);

const Policy = later(() =>
  section({
    extends: name.optional(),
    rows: z
      .partialRecord(
        kind,
        z.array(step, 'must be a list of steps').max(10, 'must have at most 10 steps'),
        'must be an object',
      )
      .optional(),
  }),
);

const phrase = text('must be a phrase of 1 to 200 characters', 200);
const Pattern = later(() =>
  z.union(
    [phrase, section({ phrase, kind: kind.optional(), provider: name.optional(), agent: name.optional() })],
    'must be a phrase or { "phrase": …, "kind": … }',
  ),
);

const format = oneOf(['json', 'csv', 'html', 'md']);
const formats = later(() => z.union([format, z.array(format)], 'must be json, csv, html or md, or a list of them'));
const metrics = later(() =>
  z.union([z.boolean(), z.array(oneOf(METRICS))], 'must be true, false or a list of metrics'),
);
const Triage = later(() =>
  section({
    enabled: flag.optional(),
    exportFormat: formats.optional(),
    exportPath: path.optional(),
    report: oneOf(['end-of-session']).optional(),
    scorecard: section({
      trackMetrics: metrics.optional(),
      exportFormat: formats.optional(),
      exportPath: path.optional(),
      generateReport: flag.optional(),
      reportInterval: oneOf(['end-of-session']).optional(),
    }).optional(),
  }),
);

const SPEAKER_WORDS = 'must be a name of 1 to 40 characters without blanks, other than "all"';
/** In commands such as `/retry claude`, `all` means all speakers. */
export const SpeakerName = text(SPEAKER_WORDS, 40).regex(/^(?!all$)[^\s\p{C}]+$/u, SPEAKER_WORDS);
const HERO_ID_WORDS = 'must be an id such as "poet" of small letters, digits and hyphens, other than "oracle"';
const lines = (max: number) => text(`must be a text of 1 to ${max} characters`, max);
const Speaker = later(() =>
  section({
    enabled: flag.optional(),
    model: ModelName,
    fallback: ModelName.nullable().optional(),
    vendor: name.optional(),
  }),
);
const Hero = later(() =>
  section({
    id: text(HERO_ID_WORDS, 40).regex(/^(?!oracle$)[a-z][a-z0-9-]*$/, HERO_ID_WORDS),
    name,
    title: name,
    examines: lines(500),
    persona: lines(2_000),
  }),
);
const COMMAND_WORDS = 'must be a list of a program and its arguments, such as ["npx", "-y", "some-server"]';
const URL_WORDS =
  'must be an address that begins with https://, or with http:// on this machine, without a name and a password in it';
const VALUE_WORDS = 'must be a text of at most 8192 characters';
const values = (of: string) =>
  z.record(
    text(`must be the name of a ${of}`, 200).regex(/^[\w.-]+$/, `must be the name of a ${of}`),
    z.string(VALUE_WORDS).max(8_192, VALUE_WORDS),
    'must be an object',
  );
const Knowledge = later(() =>
  section({
    command: z
      .array(text('must be a text', 4_096), COMMAND_WORDS)
      .min(1, COMMAND_WORDS)
      .max(100, COMMAND_WORDS)
      .optional(),
    environment: values('variable').optional(),
    url: text(URL_WORDS, 2_048).refine(isAskable, URL_WORDS).optional(),
    headers: values('header').optional(),
    tool: name,
    argument: name.optional(),
  }).superRefine(({ command, url }, { addIssue }) => {
    if ((command === undefined) === (url === undefined))
      addIssue({
        code: 'custom',
        path: [command === undefined ? 'command' : 'url'],
        message: command === undefined ? `${COMMAND_WORDS}, unless "url" is set` : 'cannot be combined with "command"',
      });
  }),
);
const COST_WORDS = 'must be a number of US dollars above 0, or null';
const Council = later(() =>
  section({
    speakers: z.record(SpeakerName, Speaker, 'must be an object').optional(),
    models: section({ oracle: ModelName.optional(), heroes: models.optional() }).optional(),
    parallel: whole('must be a whole number from 1 to 10', 1, 10).optional(),
    maxCost: z.number(COST_WORDS).positive(COST_WORDS).max(1_000_000, COST_WORDS).nullable().optional(),
    heroes: z.array(Hero, 'must be a list of heroes').max(20, 'must have at most 20 heroes').optional(),
    latency: section({
      blacksmith_timeout_ms: whole(
        `must be a whole number of milliseconds from 1 to ${MAX_TIMER_MS}`,
        1,
        MAX_TIMER_MS,
      ).optional(),
    }).optional(),
    observability: section({ enable_metrics: flag.optional() }).optional(),
    knowledge: Knowledge.optional(),
  }),
);

const PERCENT_WORDS = 'must be a number of percent from 50 to 100';
const RESERVED_WORDS = 'must leave 10 percent at least to all other agents';
const DRAIN_WORDS = 'must be one of ask, auto, never, or an object of them by kinds of failure such as "quota"';
const RESERVE_WORDS = 'must be a number of percent from 1 to 90';
const Headroom = later(() =>
  section({
    act: oneOf(['move', 'warn', 'off']).optional(),
    moveAt: number(PERCENT_WORDS, 50, 100).optional(),
    spread: flag.optional(),
    drain: z.union([oneOf(DRAIN_MODES), z.partialRecord(kind, oneOf(DRAIN_MODES))], DRAIN_WORDS).optional(),
    reserve: z
      .record(
        name,
        z
          .record(name, number(RESERVE_WORDS, 1, 90), 'must be an object of agents')
          .refine((agents) => Object.values(agents).reduce((sum, part) => sum + part, 0) <= 90, RESERVED_WORDS),
        'must be an object of providers',
      )
      .optional(),
    limits: z
      .record(
        name,
        z.array(EnteredLimit, 'must be a list of limits').max(ENTERED_MAX, `must have at most ${ENTERED_MAX} limits`),
        'must be an object of providers',
      )
      .optional(),
    trustEstimates: flag.optional(),
  }),
);

const AMOUNT_WORDS = 'must be an amount of US dollars above 0';
const amount = z.number(AMOUNT_WORDS).positive(AMOUNT_WORDS).max(1_000_000, AMOUNT_WORDS);
const PRICE_WORDS = 'must be US dollars for a million tokens of answer, from 0';
const amounts = {
  day: amount.optional(),
  week: amount.optional(),
  session: amount.optional(),
  action: oneOf(BUDGET_ACTIONS).optional(),
  maxPrice: z.number(PRICE_WORDS).min(0, PRICE_WORDS).max(1_000_000, PRICE_WORDS).optional(),
};
const BudgetPart = later(() => section(amounts));
export type BudgetPart = z.infer<typeof BudgetPart>;
const folder = path.refine(
  (text) => /^(?:~?[\\/]|~$|[A-Za-z]:[\\/])/.test(text),
  'must be a whole path, or begin with "~/"',
);
const Budget = later(() =>
  section({
    ...amounts,
    providers: z.record(name, BudgetPart, 'must be an object of providers').optional(),
    agents: z.record(name, BudgetPart, 'must be an object of agents').optional(),
    projects: z.record(folder, BudgetPart, 'must be an object of folders').optional(),
  }),
);

/** Without defaults, so that two files can be merged. */
export const ConfigFile = later(() =>
  section({
    $schema: z.string('must be the address of a schema').optional(),
    enabled: flag.optional(),
    defaults: Defaults.optional(),
    policies: z.record(name, Policy, 'must be an object').optional(),
    agents: z.record(name, AgentEntry, 'must be an object').optional(),
    patterns: z.array(Pattern, 'must be a list of phrases').max(200, 'must have at most 200 phrases').optional(),
    logging: flag.optional(),
    logPath: path.optional(),
    triage: Triage.optional(),
    sessions: section({ titles: flag.optional() }).optional(),
    accounts: oneOf(['one', 'siblings']).optional(),
    headroom: Headroom.optional(),
    budget: Budget.optional(),
    council: Council.optional(),
    fallback: section({ triage: Triage.optional() }).optional(),
  }),
);
export type ConfigFile = z.infer<typeof ConfigFile>;
export type AgentEntry = z.infer<typeof AgentEntry>;
