import * as z from 'zod';
import { ROLES, type Role } from '../base/roles';
import { BenchmarkValue } from '../base/values';

export const PHASES = [
  'pre_check',
  'models',
  'headroom',
  'artificial_analysis',
  /** Measurements by the user's `lm_eval`. */
  'local_runs',
  'research',
  'estimate',
  'review',
  'normalization',
  'optimization',
  'post_check',
] as const;
export type Phase = (typeof PHASES)[number];

/**
 * External requests: they run if the user selects them and has seen their cost. Measuring and searching take hours or
 * the user's attention; they start separately, and their phases report the result.
 */
export const ASKED_PHASES = ['models', 'artificial_analysis'] as const;
export type AskedPhase = (typeof ASKED_PHASES)[number];

/** `open`: waits for the user. A phase that was `running` when its process ended restarts. */
export const PHASE_STATES = ['waiting', 'running', 'open', 'done', 'skipped', 'failed'] as const;
export type PhaseState = (typeof PHASE_STATES)[number];

const Model = z.string().min(1).max(300);
const WallMs = z.number().nonnegative();
const MODELS_MAX = 1000;
const VALUES_MAX = 5000;
const SAYS_MAX_CHARS = 500;
/** Names per note; the ranking lists all. */
const NAMED_MAX = 20;
const Count = z.int().nonnegative();

/** The chain's file, and the user's own with the limit. */
const WRITTEN_MAX = 5;
const WrittenFile = z.object({ path: z.string(), receipt: z.string().nullable() });

export const PhaseNote = z.discriminatedUnion('code', [
  /** External text or a rejection, already in words. */
  z.object({ code: z.literal('told'), text: z.string().max(SAYS_MAX_CHARS) }),
  z.object({ code: z.literal('candidates'), all: Count, hosted: Count, unlisted: z.array(Model).max(NAMED_MAX) }),
  z.object({ code: z.literal('kept.unknown'), models: z.array(Model).max(NAMED_MAX) }),
  z.object({ code: z.literal('models.unlisted') }),
  z.object({ code: z.literal('chain.long'), models: Count, most: Count }),
  z.object({ code: z.literal('answered'), answered: Count, of: Count }),
  z.object({ code: z.literal('headroom'), accounts: z.array(Model).max(NAMED_MAX) }),
  z.object({ code: z.literal('values.read'), values: Count, isIndicesOnly: z.boolean() }),
  z.object({ code: z.literal('measured'), values: Count }),
  z.object({ code: z.literal('missing'), values: Count, found: Count }),
  z.object({ code: z.literal('estimate.unneeded') }),
  z.object({ code: z.literal('estimated'), models: Count, of: Count }),
  z.object({ code: z.literal('unrankable') }),
  z.object({ code: z.literal('decide'), open: Count, of: Count }),
  z.object({ code: z.literal('decided'), of: Count }),
  z.object({ code: z.literal('normalized'), values: Count }),
  z.object({ code: z.literal('ordered'), added: Count, moved: Count, removed: Count, lacking: Count }),
  z.object({ code: z.literal('nothing') }),
  z.object({ code: z.literal('written'), isAsApproved: z.boolean() }),
  z.object({ code: z.literal('unwritten') }),
]);
export type PhaseNote = z.infer<typeof PhaseNote>;

export const named = (names: readonly string[]): string[] => names.slice(0, NAMED_MAX);

export const toldNote = (text: string): PhaseNote => ({ code: 'told', text: text.slice(0, SAYS_MAX_CHARS) });

const PhaseRow = z.object({
  state: z.enum(PHASE_STATES),
  /** Unix ms of this state; null while it waits. */
  at: WallMs.nullable(),
  progress: z.object({ done: z.int().nonnegative(), of: z.int().nonnegative() }).nullable(),
  note: PhaseNote.nullable(),
});
export type PhaseRow = z.infer<typeof PhaseRow>;

export const ForModel = z.object({ model: Model, value: BenchmarkValue });

/** The next process continues it. */
export const Run = z.object({
  v: z.literal(1),
  id: z.string().min(1).max(100),
  agent: z.string().min(1).max(100),
  role: z.enum(ROLES),
  /** Unix ms. */
  startedAt: WallMs,
  isLive: z.boolean(),
  wants: z.array(z.enum(ASKED_PHASES)),
  phases: z.record(z.enum(PHASES), PhaseRow),
  answers: z.record(Model, z.object({ isAnswered: z.boolean(), reason: z.string().max(500).nullable() })),
  /** They count after approval. */
  found: z.array(ForModel).max(VALUES_MAX),
  /** For this run only. */
  estimates: z.array(ForModel).max(VALUES_MAX),
  /** From 1, among hosted models. */
  kept: z.array(z.tuple([Model, z.int().positive().max(100)])).max(MODELS_MAX),
  /** Digest; null before approval. */
  settled: z.string().max(100).nullable(),
  written: z.object({ files: z.array(WrittenFile).max(WRITTEN_MAX), chain: z.array(Model) }).nullable(),
});
export type Run = z.infer<typeof Run>;

const WAITING: PhaseRow = { state: 'waiting', at: null, progress: null, note: null };

/** Unselected phases are skipped from the start. */
export function newRun(
  about: Readonly<{
    id: string;
    agent: string;
    role: Role;
    startedAt: number;
    isLive: boolean;
    wants: readonly AskedPhase[];
  }>,
): Run {
  const { wants, startedAt, ...named } = about;
  const skipped: PhaseRow = { ...WAITING, state: 'skipped', at: startedAt };
  const isWanted = (phase: Phase): boolean => !isAsked(phase) || wants.includes(phase);
  return {
    v: 1,
    ...named,
    startedAt,
    wants: [...wants],
    phases: Object.fromEntries(PHASES.map((phase) => [phase, isWanted(phase) ? WAITING : skipped])) as Run['phases'],
    answers: {},
    found: [],
    estimates: [],
    kept: [],
    settled: null,
    written: null,
  };
}

export const isAsked = (phase: Phase): phase is AskedPhase => (ASKED_PHASES as readonly string[]).includes(phase);

export const phaseOf = (run: Run): Phase | null => PHASES.find((phase) => !isBehind(run.phases[phase])) ?? null;

/** A failed phase counts as finished: a proposal does not need external data. */
const isBehind = ({ state }: PhaseRow): boolean => state === 'done' || state === 'skipped' || state === 'failed';

export function isResting(run: Run): boolean {
  const phase = phaseOf(run);
  return phase === null || phase === 'post_check' || run.phases[phase].state !== 'running';
}

/** @param at Unix ms. */
export const withPhase = (run: Run, phase: Phase, at: number, row: Partial<Omit<PhaseRow, 'at'>>): Run => ({
  ...run,
  phases: { ...run.phases, [phase]: { ...run.phases[phase], note: null, ...row, at } },
});

/** Resets this phase and all later ones except skipped ones. Found values stay. */
export function backTo(run: Run, phase: Phase): Run {
  const from = PHASES.indexOf(phase);
  const phases = PHASES.map((one, at) => {
    const row = run.phases[one];
    return [one, at < from || row.state === 'skipped' ? row : WAITING] as const;
  });
  return { ...run, phases: Object.fromEntries(phases) as Run['phases'], settled: null, written: null };
}
