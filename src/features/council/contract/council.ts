import * as z from 'zod';
import { ACTIVITIES, PROCESS_IDS, QUOTE_CHECKS, SEVERITIES } from '../rules/base/types';
import { STAGE_IDS } from '../rules/process/process';
import { CouncilReport } from '../rules/report/schema';
import { RunRef } from './council-run';

const Count = z.int().nonnegative();
const WallMs = z.number();
const Dollars = z.number().nonnegative();
const ModelId = z.string().min(1).max(300);
const Name = z.string().max(200);

/** How a stage of a run stands, for the bar of stages. */
const StageRow = z.object({
  id: z.enum(STAGE_IDS),
  name: Name,
  turns: z.enum(['parallel', 'sequential', 'single']),
  who: z.enum(['heroes', 'oracle', 'synthesizer']),
  state: z.enum(['done', 'now', 'ahead']),
  /** Participants that have taken their turn of it, of those that are to; both 0 before it began. */
  done: Count,
  of: Count,
  /** Of those that were through, how many said something that was understood; null while it is not over. */
  heard: Count.nullable(),
  beganAt: WallMs.nullable(),
  endedAt: WallMs.nullable(),
});

/** How a participant stands: `asks` waits for a person, `deferred` is asked again after the round, `out` takes no part any more. */
export const MEMBER_STATES = ['waits', 'works', 'done', 'asks', 'deferred', 'out'] as const;
const MemberRow = z.object({
  /** `oracle`, or the id of a hero or persona. */
  id: z.string(),
  name: Name,
  title: Name.nullable(),
  speaker: Name,
  /** Who speaks under the speaker's name now. */
  model: ModelId,
  vendor: Name,
  /** What the Oracle asks of it in particular. */
  brief: z.string().nullable(),
  state: z.enum(MEMBER_STATES),
  /** Why it waits for somebody or is out, in words; null otherwise. */
  reason: z.string().nullable(),
  /** Findings, or ideas, that it was the first to post. */
  posted: Count,
  /** Times it confirmed, challenged or built on something of somebody else. */
  remarks: Count,
  /** Its session in OpenCode; null before it has one. */
  session: z.string().nullable(),
  /** Its speaker is asked again after it failed: the coming attempt, and when, in Unix ms. */
  retrying: z.object({ attempt: Count, of: Count, at: WallMs }).nullable(),
});
export type CouncilMemberRow = z.infer<typeof MemberRow>;

const SpeakerRow = z.object({
  name: Name,
  model: ModelId,
  active: ModelId,
  fallback: ModelId.nullable(),
  vendor: Name,
  state: z.enum(['on', 'deferred', 'asking', 'off']),
  reason: z.string().nullable(),
});

/** What one participant said of something of another; the lines on the map. */
const LinkRow = z.object({
  from: z.string(),
  to: z.string(),
  kind: z.enum(['confirms', 'challenges', 'buildsOn']),
  about: z.string(),
});

/** A run as its page shows it. */
export const CouncilView = z.object({
  row: RunRef,
  report: CouncilReport,
  stages: z.array(StageRow),
  members: z.array(MemberRow),
  speakers: z.array(SpeakerRow),
  links: z.array(LinkRow),
  /** What the party knows. */
  knowledge: z.array(z.object({ key: Name, by: z.string(), text: z.string() })),
  /** What it was thought to cost in all, US dollars; null where no price is known. */
  estimate: Dollars.nullable(),
  /** The command that opens a participant's session is said with this; null where none has played it. */
  generation: Count.nullable(),
});
export type CouncilView = z.infer<typeof CouncilView>;

/** What a participant did, or was done to. What was said as it was said is there only while its OpenCode plays the run. */
const TranscriptEntry = z.object({ at: WallMs }).and(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('turn'), stage: z.enum(STAGE_IDS) }),
    z.object({ kind: z.literal('text'), text: z.string() }),
    z.object({ kind: z.literal('tool'), tool: Name, about: z.string(), isRefused: z.boolean() }),
    z.object({
      kind: z.literal('finding'),
      id: z.string(),
      severity: z.enum(SEVERITIES),
      title: z.string(),
      file: z.string(),
      line: Count,
      check: z.enum(QUOTE_CHECKS),
    }),
    z.object({ kind: z.literal('idea'), id: z.string(), title: z.string() }),
    z.object({
      kind: z.literal('remark'),
      remark: z.enum(['confirms', 'supports', 'challenges', 'buildsOn']),
      about: z.string(),
      why: z.string(),
    }),
    z.object({ kind: z.literal('ranking'), ids: z.array(z.string()) }),
    z.object({ kind: z.literal('knowledge'), key: z.string(), text: z.string() }),
    z.object({ kind: z.literal('summary'), text: z.string() }),
    /** What the Oracle decided or said about the whole. */
    z.object({
      kind: z.literal('oracle'),
      what: z.enum(['looks', 'chooses', 'summons', 'dismisses', 'frames', 'gaps', 'presents']),
      text: z.string(),
    }),
    /** What it said that could not be understood. */
    z.object({ kind: z.literal('problem'), text: z.string() }),
    z.object({ kind: z.literal('retry'), attempt: Count, of: Count, waitMs: z.number(), failure: z.string() }),
    z.object({ kind: z.literal('failed'), failure: z.string(), message: z.string() }),
  ]),
);
export type CouncilTranscriptEntry = z.infer<typeof TranscriptEntry>;

/** Entries shown of a participant. */
export const TRANSCRIPT_MAX = 2_000;
export const CouncilTranscript = z.object({
  /** The oldest first; of a longer one its end. */
  entries: z.array(TranscriptEntry).max(TRANSCRIPT_MAX),
  /** Whether what is said as it is said is in it: it is, nobody plays the run, or whoever plays it cannot be asked. */
  live: z.enum(['live', 'notPlayed', 'unreachable']),
});

/** A run as it would be: what will happen, with whom, and for how much. */
export const CouncilPlan = z.object({
  /** Says which plan a yes is meant for. */
  id: z.string().max(60),
  activity: z.enum(ACTIVITIES),
  process: z.enum(PROCESS_IDS),
  problem: z.string().nullable(),
  /** As it is shown: the last part of a path or an address. */
  repo: z.string().nullable(),
  /** It is fetched from an address first. */
  isFetched: z.boolean(),
  stages: z.array(z.object({ id: z.enum(STAGE_IDS), name: Name })),
  speakers: z.array(z.object({ name: Name, model: ModelId, fallback: ModelId.nullable(), vendor: Name })),
  /** Speakers by their names: who plays the Oracle, and who the heroes, in the order in which they are dealt. */
  oracle: Name,
  heroes: z.array(Name),
  /** Who is sent where the Oracle cannot choose. */
  defaultParty: z.array(Name),
  party: z.object({ least: Count, most: Count }),
  parallel: Count,
  /** US dollars; `cost` null where no price is known. */
  estimate: z.object({ cost: Dollars.nullable(), turns: Count, unpriced: z.array(ModelId) }),
  cap: Dollars.nullable(),
  /** Speakers that cannot speak before a time that their provider named, in Unix ms. */
  resets: z.array(z.object({ speaker: Name, until: WallMs })),
  leftOut: z.array(z.object({ speaker: Name, model: ModelId })),
  /** The OpenCode that would play it; null with the reason where there is none. */
  player: z.string().nullable(),
  whyNoPlayer: z.string().nullable(),
});
export type CouncilPlan = z.infer<typeof CouncilPlan>;

const outcome = <T extends z.ZodRawShape>(shape: T) =>
  z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), ...shape }),
    z.object({ ok: z.literal(false), reason: z.string() }),
  ]);
const Run = z.string().min(1).max(60);

export const COUNCIL_FORMATS = ['md', 'html', 'json', 'sarif'] as const;
export type CouncilFormat = (typeof COUNCIL_FORMATS)[number];

/** What is asked about councils. Runs that are under way are in the snapshot as well. */
export const councilQueries = {
  /** All runs there are, the newest first; `whyNot` says why none can be played here, null where they can. */
  'council.runs': { input: z.null(), output: z.object({ runs: z.array(RunRef), whyNot: z.string().nullable() }) },
  'council.run': { input: z.object({ run: Run }), output: CouncilView.nullable() },
  'council.transcript': {
    input: z.object({ run: Run, member: z.string().min(1).max(100) }),
    output: CouncilTranscript.nullable(),
  },
  /** Nothing is written and nobody asked. `directory` is the project whose configuration counts. */
  'council.plan': {
    input: z.object({
      problem: z.string().max(20_000).nullable(),
      repo: z.string().max(4_096).nullable(),
      isDeep: z.boolean(),
      directory: z.string().min(1).max(4_096).nullable(),
      /** US dollars, in place of the configuration's. */
      maxCost: z.number().positive().max(100_000).nullable(),
    }),
    output: outcome({ plan: CouncilPlan }),
  },
  /** Begins what was shown. Answers once the run has begun, or why it has not. */
  'council.begin': { input: z.object({ plan: z.string().min(1).max(60) }), output: outcome({ run: Run }) },
  'council.resume': { input: z.object({ run: Run }), output: outcome({}) },
  /** Answers once it has been said; what comes of it is seen in the run. */
  'council.say': {
    input: z.object({
      run: Run,
      word: z.discriminatedUnion('kind', [
        /** `question` is the one that was shown; null for the cap. */
        z.object({ kind: z.literal('answer'), yes: z.boolean(), question: z.string().max(40).nullable() }),
        z.object({ kind: z.literal('retry'), name: z.string().min(1).max(100) }),
        z.object({ kind: z.literal('stop') }),
      ]),
    }),
    output: outcome({}),
  },
  /** For good; with `sessions` those of its participants in OpenCode as well. */
  'council.remove': { input: z.object({ run: Run, sessions: z.boolean() }), output: outcome({}) },
  'council.export': {
    input: z.object({ run: Run, format: z.enum(COUNCIL_FORMATS) }),
    output: outcome({ name: z.string(), text: z.string() }),
  },
} as const;
export type CouncilQuery = keyof typeof councilQueries;
