import type { ModelId } from '../../../../engine';
import type { Settings } from '../base/settings';
import type {
  Activity,
  CommandId,
  FindingId,
  IdeaId,
  MemberId,
  ProcessId,
  QuoteCheck,
  Severity,
  SpeakerName,
  Spent,
  TurnFault,
  TurnFaultKind,
} from '../base/types';
import type { Hero } from '../cast/heroes';
import type { StageId } from '../process/process';
import type { Input } from '../process/route';
import type { Checked, Said, Tool } from '../said/calls';

/** Everything that starts a run. The journal stores it, so that the run can be replayed. */
export type RunSetup = Readonly<{
  run: string;
  input: Input;
  /** Description of the repository for the Oracle; empty without a repository. */
  overview: string;
  /** Files excluded because they may hold secrets; absent in older journals. */
  secrets?: readonly string[] | undefined;
  settings: Settings;
  roster: readonly Hero[];
  /** Unix ms until which providers requested no calls, by speaker. */
  resets: Readonly<Record<SpeakerName, number>>;
}>;

/** Calls of a participant with the checks of their places, in the order of all its `PostFindings`. */
export type Heard = Said & Readonly<{ checks: readonly (Checked | null)[] }>;

export type CouncilEvent =
  | Readonly<{ type: 'run.begun'; setup: RunSetup }>
  /** The host created or found the session of a participant. */
  | Readonly<{ type: 'session.opened'; command: CommandId; session: string }>
  /** The same model is retried; `attempt` is the next one, from 2. */
  | Readonly<{
      type: 'turn.retrying';
      command: CommandId;
      attempt: number;
      waitMs: number;
      /** Duration of the failed attempt, in ms. */
      durationMs: number;
      kind: TurnFaultKind;
    }>
  | Readonly<{ type: 'turn.answered'; command: CommandId; heard: Heard; spent: Spent }>
  | Readonly<{ type: 'turn.failed'; command: CommandId; fault: TurnFault; spent: Spent }>
  /** Answers the open question; `question` names another one if the answer was for that. */
  | Readonly<{ type: 'question.answered'; question?: string | undefined; yes: boolean; actor: string }>
  /** `name` is a speaker, or `all`. */
  | Readonly<{ type: 'speaker.retried'; name: string; actor: string }>
  | Readonly<{ type: 'run.stopped'; actor: string }>
  /** A process resumed an abandoned run. */
  | Readonly<{ type: 'run.resumed' }>
  /** The user's knowledge source gave nothing in time. */
  | Readonly<{ type: 'knowledge.missed' }>
  | Readonly<{ type: 'tick' }>;

/** Subject of a turn in a few words, used as the query for knowledge. */
export type About = Readonly<{ stage: StageId; query: string }>;

/** A command of a run. It is issued once; its result arrives under its ID. */
export type Command =
  /** Create the session of a participant under this title, or reuse an existing one with that title. */
  | Readonly<{ id: CommandId; kind: 'open'; member: MemberId; title: string }>
  | Readonly<{
      id: CommandId;
      kind: 'prompt';
      member: MemberId;
      speaker: SpeakerName;
      session: string;
      model: ModelId;
      system: string;
      text: string;
      /** Most requests to the model. */
      attempts: number;
      tools: readonly Tool[];
      about: About;
    }>
  /** Abort the current work of a session; has no result. */
  | Readonly<{ id: CommandId; kind: 'abort'; session: string }>;

export type PauseReason = 'all_off' | 'cap';

/** Displayed reason why a speaker is off for the rest of the run. */
export type OffReason = string;

/** Events of a run for observers. Source of the names with a colon: docs/council.md. */
export type CouncilFact =
  | Readonly<{
      type: 'oracle:decision';
      activityType: Activity;
      processId: ProcessId;
      heroes: readonly MemberId[];
      /** True for the default party, used if the Oracle cannot choose. */
      isDefault: boolean;
    }>
  | Readonly<{ type: 'hero:summoned'; hero: MemberId; speaker: SpeakerName; because: readonly (FindingId | IdeaId)[] }>
  | Readonly<{ type: 'hero:dismissed'; hero: MemberId; because: string }>
  /** A participant left, but its speaker is still available. */
  | Readonly<{ type: 'hero:lost'; hero: MemberId; because: string }>
  | Readonly<{ type: 'stage:begun'; stage: StageId }>
  /** `heard` counts participants with at least one readable call. */
  | Readonly<{ type: 'stage:completed'; stage: StageId; heard: number }>
  /**
   * A participant finished its turn. `isWhole` is false if it never completed the stage, `isHeard` is true if it made a
   * readable call.
   */
  | Readonly<{ type: 'turn:done'; hero: MemberId; stage: StageId; isWhole: boolean; isHeard: boolean }>
  | Readonly<{
      type: 'finding:posted';
      id: FindingId;
      by: MemberId;
      severity: Severity;
      title: string;
      file: string;
      line: number;
      check: QuoteCheck;
    }>
  | Readonly<{ type: 'idea:posted'; id: IdeaId; by: MemberId; title: string }>
  | Readonly<{ type: 'gaps:named'; gaps: readonly string[] }>
  | Readonly<{ type: 'ballot:cast'; by: MemberId; first: IdeaId }>
  | Readonly<{
      type: 'speaker:retrying';
      speaker: SpeakerName;
      attempt: number;
      of: number;
      waitMs: number;
      kind: TurnFaultKind;
    }>
  | Readonly<{ type: 'speaker:deferred'; speaker: SpeakerName; kind: TurnFaultKind }>
  /** Speakers that failed in the round are retried once, one at a time. */
  | Readonly<{ type: 'speaker:reasked'; speakers: readonly SpeakerName[] }>
  | Readonly<{ type: 'speaker:recovered'; speaker: SpeakerName; model: ModelId }>
  | Readonly<{ type: 'speaker:degraded'; speaker: SpeakerName; reason: OffReason; left: number; of: number }>
  | Readonly<{
      type: 'question:put' | 'question:nudged';
      question: string;
      speaker: SpeakerName;
      model: ModelId;
      fallback: ModelId;
      kind: TurnFaultKind;
    }>
  | Readonly<{ type: 'question:answered'; speaker: SpeakerName; how: 'yes' | 'no' | 'timeout'; to: ModelId }>
  | Readonly<{ type: 'fallback:failed'; speaker: SpeakerName; model: ModelId; message: string }>
  | Readonly<{
      type: 'retry:told';
      name: string;
      how: 'trying' | 'later' | 'unavailable' | 'not_disabled' | 'unknown';
      message: string;
    }>
  | Readonly<{ type: 'answer:unasked' }>
  | Readonly<{ type: 'budget:warned' | 'budget:spent'; retries: number }>
  /** Emitted once per run. */
  | Readonly<{ type: 'knowledge:missed' }>
  | Readonly<{ type: 'run:paused'; reason: PauseReason; spent: number; cap: number | null; raised: number | null }>
  | Readonly<{ type: 'run:resumed' }>
  | Readonly<{ type: 'run:finished' | 'run:stopped' }>;
