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

/** Everything a run begins with; it goes into the journal, and with that a run can be played again. */
export type RunSetup = Readonly<{
  run: string;
  input: Input;
  /** What stands in the repository, in words for the Oracle; empty where nobody looked. */
  overview: string;
  /** Files that are not read because they may hold secrets; absent in older journals. */
  secrets?: readonly string[] | undefined;
  settings: Settings;
  roster: readonly Hero[];
  /** Until when providers have asked to be left alone, in Unix ms, by speaker. */
  resets: Readonly<Record<SpeakerName, number>>;
}>;

/** What a participant said, with what the host found where its findings point, by their place in all `PostFindings` of it. */
export type Heard = Said & Readonly<{ checks: readonly (Checked | null)[] }>;

export type CouncilEvent =
  | Readonly<{ type: 'run.begun'; setup: RunSetup }>
  /** The host has made, or found again, what a participant speaks in. */
  | Readonly<{ type: 'session.opened'; command: CommandId; session: string }>
  /** The same model is asked again; `attempt` is the coming one, from 2. */
  | Readonly<{
      type: 'turn.retrying';
      command: CommandId;
      attempt: number;
      waitMs: number;
      /** How long the attempt that failed took, in ms. */
      durationMs: number;
      kind: TurnFaultKind;
    }>
  | Readonly<{ type: 'turn.answered'; command: CommandId; heard: Heard; spent: Spent }>
  | Readonly<{ type: 'turn.failed'; command: CommandId; fault: TurnFault; spent: Spent }>
  /** To the question that is put; `question` names another one where the answer was meant for that. */
  | Readonly<{ type: 'question.answered'; question?: string | undefined; yes: boolean; actor: string }>
  /** A speaker by its name, or `all`. */
  | Readonly<{ type: 'speaker.retried'; name: string; actor: string }>
  | Readonly<{ type: 'run.stopped'; actor: string }>
  /** A process has taken the run up that another one has left. */
  | Readonly<{ type: 'run.resumed' }>
  /** The source of knowledge that the user names gave nothing in time. */
  | Readonly<{ type: 'knowledge.missed' }>
  | Readonly<{ type: 'tick' }>;

/** What a participant's turn of a stage is about, in a few words: what is known of it is asked for by them. */
export type About = Readonly<{ stage: StageId; query: string }>;

/** What a run wants done. It is asked for once; what came of it comes back under its id. */
export type Command =
  /** Make the session of a participant, under this title; where one of that title is there, it is taken. */
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
      /** Times the model may be asked for it. */
      attempts: number;
      tools: readonly Tool[];
      about: About;
    }>
  /** End what a session is doing; nothing comes back. */
  | Readonly<{ id: CommandId; kind: 'abort'; session: string }>;

export type PauseReason = 'all_off' | 'cap';

/** Why a speaker is off for the rest of a run, for people. */
export type OffReason = string;

/** What has happened in a run, for everybody who watches. Source of the names with a colon: docs/council.md. */
export type CouncilFact =
  | Readonly<{
      type: 'oracle:decision';
      activityType: Activity;
      processId: ProcessId;
      heroes: readonly MemberId[];
      /** The Oracle could not choose: this is the default party. */
      isDefault: boolean;
    }>
  | Readonly<{ type: 'hero:summoned'; hero: MemberId; speaker: SpeakerName; because: readonly (FindingId | IdeaId)[] }>
  | Readonly<{ type: 'hero:dismissed'; hero: MemberId; because: string }>
  /** A participant has gone whose speaker has not. */
  | Readonly<{ type: 'hero:lost'; hero: MemberId; because: string }>
  | Readonly<{ type: 'stage:begun'; stage: StageId }>
  /** `heard` participants have done something in it that was understood. */
  | Readonly<{ type: 'stage:completed'; stage: StageId; heard: number }>
  /** A participant has taken its turn of a stage; `isWhole` false where it never said that it was done, `isHeard` where nothing it said was understood. */
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
  /** A participant has ranked the ideas. */
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
  /** Those that failed in the round are asked once more, one at a time. */
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
  /** For the first time in this run. */
  | Readonly<{ type: 'knowledge:missed' }>
  | Readonly<{ type: 'run:paused'; reason: PauseReason; spent: number; cap: number | null; raised: number | null }>
  | Readonly<{ type: 'run:resumed' }>
  | Readonly<{ type: 'run:finished' | 'run:stopped' }>;
