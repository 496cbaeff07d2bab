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

/** Stored in the journal for replay. */
export type RunSetup = Readonly<{
  run: string;
  input: Input;
  overview: string;
  /** Absent in older journals. */
  secrets?: readonly string[] | undefined;
  settings: Settings;
  roster: readonly Hero[];
  /** Providers requested no calls until then, Unix ms. */
  resets: Readonly<Record<SpeakerName, number>>;
}>;

/** `checks` are in the order of places in `PostFindings`. */
export type Heard = Said & Readonly<{ checks: readonly (Checked | null)[] }>;

export type CouncilEvent =
  | Readonly<{ type: 'run.begun'; setup: RunSetup }>
  | Readonly<{ type: 'session.opened'; command: CommandId; session: string }>
  /** `attempt` is the next one, from 2. */
  | Readonly<{
      type: 'turn.retrying';
      command: CommandId;
      attempt: number;
      waitMs: number;
      durationMs: number;
      kind: TurnFaultKind;
    }>
  | Readonly<{ type: 'turn.answered'; command: CommandId; heard: Heard; spent: Spent }>
  | Readonly<{ type: 'turn.failed'; command: CommandId; fault: TurnFault; spent: Spent }>
  /** `question` is the answered one; another may be open. */
  | Readonly<{ type: 'question.answered'; question?: string | undefined; yes: boolean; actor: string }>
  /** A speaker, or `all`. */
  | Readonly<{ type: 'speaker.retried'; name: string; actor: string }>
  | Readonly<{ type: 'run.stopped'; actor: string }>
  | Readonly<{ type: 'run.resumed' }>
  | Readonly<{ type: 'knowledge.missed' }>
  | Readonly<{ type: 'tick' }>;

export type About = Readonly<{ stage: StageId; query: string }>;

/** Issued once; the result has its ID. */
export type Command =
  /** Reuses a session with that title. */
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
      attempts: number;
      tools: readonly Tool[];
      about: About;
    }>
  | Readonly<{ id: CommandId; kind: 'abort'; session: string }>;

export type PauseReason = 'all_off' | 'cap';

export type OffReason = string;

/** Source of the names with a colon: docs/council.md. */
export type CouncilFact =
  | Readonly<{
      type: 'oracle:decision';
      activityType: Activity;
      processId: ProcessId;
      heroes: readonly MemberId[];
      isDefault: boolean;
    }>
  | Readonly<{ type: 'hero:summoned'; hero: MemberId; speaker: SpeakerName; because: readonly (FindingId | IdeaId)[] }>
  | Readonly<{ type: 'hero:dismissed'; hero: MemberId; because: string }>
  | Readonly<{ type: 'hero:lost'; hero: MemberId; because: string }>
  | Readonly<{ type: 'stage:begun'; stage: StageId }>
  /** `heard`: participants with a readable call. */
  | Readonly<{ type: 'stage:completed'; stage: StageId; heard: number }>
  /** `isWhole` is false if it never completed the stage; `isHeard`: it made a readable call. */
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
  /** One retry per speaker, one at a time. */
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
  | Readonly<{ type: 'knowledge:missed' }>
  | Readonly<{ type: 'run:paused'; reason: PauseReason; spent: number; cap: number | null; raised: number | null }>
  | Readonly<{ type: 'run:resumed' }>
  | Readonly<{ type: 'run:finished' | 'run:stopped' }>;
