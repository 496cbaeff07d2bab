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

const StageRow = z.object({
  id: z.enum(STAGE_IDS),
  name: Name,
  turns: z.enum(['parallel', 'sequential', 'single']),
  who: z.enum(['heroes', 'oracle', 'synthesizer']),
  state: z.enum(['done', 'now', 'ahead']),
  /** Both 0 before the stage begins. */
  done: Count,
  of: Count,
  /** Participants with a readable call; null until the stage ends. */
  heard: Count.nullable(),
  beganAt: WallMs.nullable(),
  endedAt: WallMs.nullable(),
});

/** `asks` waits for the user, `deferred` is retried after the round, `out` has left. */
export const MEMBER_STATES = ['waits', 'works', 'done', 'asks', 'deferred', 'out'] as const;
const MemberRow = z.object({
  id: z.string(),
  name: Name,
  title: Name.nullable(),
  speaker: Name,
  model: ModelId,
  vendor: Name,
  brief: z.string().nullable(),
  state: z.enum(MEMBER_STATES),
  reason: z.string().nullable(),
  posted: Count,
  remarks: Count,
  session: z.string().nullable(),
  /** Next attempt, in Unix ms. */
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

const LinkRow = z.object({
  from: z.string(),
  to: z.string(),
  kind: z.enum(['confirms', 'challenges', 'buildsOn']),
  about: z.string(),
});

export const CouncilView = z.object({
  row: RunRef,
  report: CouncilReport,
  stages: z.array(StageRow),
  members: z.array(MemberRow),
  speakers: z.array(SpeakerRow),
  links: z.array(LinkRow),
  knowledge: z.array(z.object({ key: Name, by: z.string(), text: z.string() })),
  /** US dollars for the whole run; null without a price. */
  estimate: Dollars.nullable(),
  /** OpenCode generation, for the command that opens a session. */
  generation: Count.nullable(),
});
export type CouncilView = z.infer<typeof CouncilView>;

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
    z.object({
      kind: z.literal('oracle'),
      what: z.enum(['looks', 'chooses', 'summons', 'dismisses', 'frames', 'gaps', 'presents']),
      text: z.string(),
    }),
    z.object({ kind: z.literal('problem'), text: z.string() }),
    z.object({ kind: z.literal('retry'), attempt: Count, of: Count, waitMs: z.number(), failure: z.string() }),
    z.object({ kind: z.literal('failed'), failure: z.string(), message: z.string() }),
  ]),
);
export type CouncilTranscriptEntry = z.infer<typeof TranscriptEntry>;

export const TRANSCRIPT_MAX = 2_000;
export const CouncilTranscript = z.object({
  /** Oldest first; a longer transcript is cut at its start. */
  entries: z.array(TranscriptEntry).max(TRANSCRIPT_MAX),
  /** `live` if it has raw text, which exists only while OpenCode plays the run. */
  live: z.enum(['live', 'notPlayed', 'unreachable']),
});

export const CouncilPlan = z.object({
  id: z.string().max(60),
  activity: z.enum(ACTIVITIES),
  process: z.enum(PROCESS_IDS),
  problem: z.string().nullable(),
  repo: z.string().nullable(),
  isFetched: z.boolean(),
  stages: z.array(z.object({ id: z.enum(STAGE_IDS), name: Name })),
  speakers: z.array(z.object({ name: Name, model: ModelId, fallback: ModelId.nullable(), vendor: Name })),
  /** Heroes in the order of dealing. */
  oracle: Name,
  heroes: z.array(Name),
  defaultParty: z.array(Name),
  party: z.object({ least: Count, most: Count }),
  parallel: Count,
  /** US dollars; `cost` is null without a price. */
  estimate: z.object({ cost: Dollars.nullable(), turns: Count, unpriced: z.array(ModelId) }),
  cap: Dollars.nullable(),
  /** Unix ms. */
  resets: z.array(z.object({ speaker: Name, until: WallMs })),
  leftOut: z.array(z.object({ speaker: Name, model: ModelId })),
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

export const councilQueries = {
  /** Newest first; `whyNot` is null if this machine can play runs. */
  'council.runs': { input: z.null(), output: z.object({ runs: z.array(RunRef), whyNot: z.string().nullable() }) },
  'council.run': { input: z.object({ run: Run }), output: CouncilView.nullable() },
  'council.transcript': {
    input: z.object({ run: Run, member: z.string().min(1).max(100) }),
    output: CouncilTranscript.nullable(),
  },
  /** Writes nothing and calls no model. */
  'council.plan': {
    input: z.object({
      problem: z.string().max(20_000).nullable(),
      repo: z.string().max(4_096).nullable(),
      isDeep: z.boolean(),
      directory: z.string().min(1).max(4_096).nullable(),
      /** US dollars; replaces the configured cap. */
      maxCost: z.number().positive().max(100_000).nullable(),
    }),
    output: outcome({ plan: CouncilPlan }),
  },
  /** Responds after the run has started or failed to start. */
  'council.begin': { input: z.object({ plan: z.string().min(1).max(60) }), output: outcome({ run: Run }) },
  'council.resume': { input: z.object({ run: Run }), output: outcome({}) },
  'council.say': {
    input: z.object({
      run: Run,
      word: z.discriminatedUnion('kind', [
        /** ID of the displayed question; null for the cap. */
        z.object({ kind: z.literal('answer'), yes: z.boolean(), question: z.string().max(40).nullable() }),
        z.object({ kind: z.literal('retry'), name: z.string().min(1).max(100) }),
        z.object({ kind: z.literal('stop') }),
      ]),
    }),
    output: outcome({}),
  },
  /** Permanent; `sessions` also deletes OpenCode's sessions. */
  'council.remove': { input: z.object({ run: Run, sessions: z.boolean() }), output: outcome({}) },
  'council.export': {
    input: z.object({ run: Run, format: z.enum(COUNCIL_FORMATS) }),
    output: outcome({ name: z.string(), text: z.string() }),
  },
} as const;
export type CouncilQuery = keyof typeof councilQueries;
