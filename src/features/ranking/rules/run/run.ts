import * as z from 'zod';
import { ROLES, type Role } from '../base/roles';
import { BenchmarkValue } from '../base/values';

/** What a proposal goes through, in this order. */
export const PHASES = [
  /** Schema, weights, kept places, models nobody knows. */
  'pre_check',
  /** Which candidates answer. */
  'models',
  /** How much is left of subscriptions. */
  'headroom',
  'artificial_analysis',
  /** What was measured on this machine by the user's own `lm_eval`. */
  'local_runs',
  'research',
  /** SWE-Bench Pro worked out from other benchmarks. */
  'estimate',
  /** One model at a time, by a person. */
  'review',
  'normalization',
  'optimization',
  'post_check',
] as const;
export type Phase = (typeof PHASES)[number];

/**
 * Phases that ask somebody outside: they run where a person wants them, and say first what they cost. Measuring and searching
 * take hours or a person's eye, and are begun for themselves; their phases tell what has come of them.
 */
export const ASKED_PHASES = ['models', 'artificial_analysis'] as const;
export type AskedPhase = (typeof ASKED_PHASES)[number];

/** `open`: waits for a person. A phase that was `running` when its process ended begins again. */
export const PHASE_STATES = ['waiting', 'running', 'open', 'done', 'skipped', 'failed'] as const;
export type PhaseState = (typeof PHASE_STATES)[number];

const Model = z.string().min(1).max(300);
const WallMs = z.number().nonnegative();
const MODELS_MAX = 1000;
const VALUES_MAX = 5000;
const SAYS_MAX_CHARS = 500;
/** Names in one note; whoever needs all asks for the ranking. */
const NAMED_MAX = 20;
const Count = z.int().nonnegative();

/** The file of the chain, and the user's own with the limit. */
const WRITTEN_MAX = 5;
const WrittenFile = z.object({ path: z.string(), receipt: z.string().nullable() });

/** What a phase came to, to be put into words in the reader's language. */
export const PhaseNote = z.discriminatedUnion('code', [
  /** In words already: what somebody outside has said, or a refusal. */
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

/** As many names as a note has room for. */
export const named = (names: readonly string[]): string[] => names.slice(0, NAMED_MAX);

/** A reason in words, cut where it is too long to be kept. */
export const toldNote = (text: string): PhaseNote => ({ code: 'told', text: text.slice(0, SAYS_MAX_CHARS) });

const PhaseRow = z.object({
  state: z.enum(PHASE_STATES),
  /** When it came to that, in Unix ms; null while it waits. */
  at: WallMs.nullable(),
  /** How far it is, of how much; null where nothing is counted. */
  progress: z.object({ done: z.int().nonnegative(), of: z.int().nonnegative() }).nullable(),
  /** What it came to; null where the state says it all. */
  note: PhaseNote.nullable(),
});
export type PhaseRow = z.infer<typeof PhaseRow>;

export const ForModel = z.object({ model: Model, value: BenchmarkValue });

/** A proposal on its way, as it is kept: whatever ends the process, it goes on from here. */
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
  /** Values that were found for models, and count once somebody has said yes to them. */
  found: z.array(ForModel).max(VALUES_MAX),
  /** Values worked out from others: they count for this run alone. */
  estimates: z.array(ForModel).max(VALUES_MAX),
  /** Places a person keeps: from 1, among hosted models. */
  kept: z.array(z.tuple([Model, z.int().positive().max(100)])).max(MODELS_MAX),
  /** Digest of the proposal as it was when all was decided; null before. */
  settled: z.string().max(100).nullable(),
  /** What was written; null before. */
  written: z.object({ files: z.array(WrittenFile).max(WRITTEN_MAX), chain: z.array(Model) }).nullable(),
});
export type Run = z.infer<typeof Run>;

const WAITING: PhaseRow = { state: 'waiting', at: null, progress: null, note: null };

/** A run that has not begun. Phases nobody wants are skipped from the start. */
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

/** The phase a run is at: the first that is not behind it. Null once all are. */
export const phaseOf = (run: Run): Phase | null => PHASES.find((phase) => !isBehind(run.phases[phase])) ?? null;

/** What failed outside is told and passed: a proposal needs none of it. */
const isBehind = ({ state }: PhaseRow): boolean => state === 'done' || state === 'skipped' || state === 'failed';

/** Whether a run goes no further by itself: it waits for a person, or for its chain to be written, or was stopped. */
export function isResting(run: Run): boolean {
  const phase = phaseOf(run);
  return phase === null || phase === 'post_check' || run.phases[phase].state !== 'running';
}

/** The run with one phase come to another state. @param at Unix ms. */
export const withPhase = (run: Run, phase: Phase, at: number, row: Partial<Omit<PhaseRow, 'at'>>): Run => ({
  ...run,
  phases: { ...run.phases, [phase]: { ...run.phases[phase], note: null, ...row, at } },
});

/**
 * The run taken back to a phase: that one and all after it wait again, but for what nobody wants. What was found stays found.
 */
export function backTo(run: Run, phase: Phase): Run {
  const from = PHASES.indexOf(phase);
  const phases = PHASES.map((one, at) => {
    const row = run.phases[one];
    return [one, at < from || row.state === 'skipped' ? row : WAITING] as const;
  });
  return { ...run, phases: Object.fromEntries(phases) as Run['phases'], settled: null, written: null };
}
