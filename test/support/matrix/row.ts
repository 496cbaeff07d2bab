import type { Script, ScriptedStep } from '../../../src/demo/scripted-provider';
import type { FailureKind, ModelState } from '../../../src/engine/base/kinds';
import type { EventStream, OpencodeSession } from '../../../src/node/opencode';
import type { Case, CaseOptions, Stage } from '../stage';

export const ANSWER = 'UNDERSTUDY ANSWERS';
export const LEAD_ANSWER = 'LEAD ANSWERS';
export const PARTIAL = 'partial words';
/** Long enough to be stored. */
export const LONG_PARTIAL = 'partial words '.repeat(40).trim();

export const WELL: ScriptedStep = { kind: 'text', text: LEAD_ANSWER };
export const LIMITED: ScriptedStep = { kind: 'status', status: 429 };

export const WRITE = { filePath: 'made.txt', path: 'made.txt', content: 'made\n' } as const;

/** Time in ms after which a connection is cut if no event shows that OpenCode has read the text. */
export const CUT_AFTER_MS = 5_000;

const MINUTE_MS = 60_000;

/** Settings that a row on a busy machine never reaches by accident. */
export const CALM = {
  cooldownMs: 10 * MINUTE_MS,
  retryOriginalAfterMs: 10 * MINUTE_MS,
  quotaCooldownMs: 10 * MINUTE_MS,
  restMs: 10 * MINUTE_MS,
  firstTokenTimeoutMs: 30_000,
  stallTimeoutMs: 30_000,
} as const;

/** `parent` gives a sub-agent its task; `second` follows the understudy. */
export type Role = 'parent' | 'lead' | 'understudy' | 'second';

export type Seen = Readonly<{
  /** Text that the client got; output of `opencode run`. */
  answer: string;
  /** `name: message` of the response's error; null without one. */
  error: unknown;
  errorsShown: number;
  /** Retries that OpenCode announced itself. */
  retries: number;
  switches: number;
  lead: `${ModelState} ${FailureKind | 'well'}`;
  /** Whole minutes from the failure until the app shows the primary as available; null without a time. */
  backInMinutes: number | null;
  requests: readonly Role[];
  isPrefilled: boolean;
  /** The conversation, one line per message; those of sub-agents follow. */
  history: readonly string[];
}>;

/** Expected results; omitted fields are not compared. */
export type Expected = Partial<Seen>;

export type Told = Pick<Seen, 'answer' | 'error'>;

/** The default agent of a separate project, or an agent in a shared one. */
export type Project = Pick<Case, 'directory' | 'chain' | 'ids'> & Readonly<{ agent?: string }>;

/** Place of a row and roles in its chain. `stream` has all events of its sessions. */
export type Scene = Readonly<{
  stage: Stage;
  project: Project;
  session: OpencodeSession;
  stream: EventStream;
  roles: readonly Role[];
}>;

export type Row = Readonly<{
  when: string;
  outcome: string;
  /** Script of each model; null if it cannot be called. Others answer with one text. */
  models: readonly (Script | null)[];
  /** Defaults to lead, understudy and second. */
  roles?: readonly Role[];
  options?: CaseOptions;
  send?: (scene: Scene) => Promise<Told>;
  /** The turn runs in another OpenCode, and its events are not read. */
  isElsewhere?: boolean;
  /** Needs its own project for a reason that no option shows. */
  isAlone?: boolean;
  /** Requests are parallel: compare them sorted by name. */
  isUnordered?: boolean;
  /** Only the nightly run plays it; an entry of test/nightly names the faster test. */
  isNightly?: boolean;
  expected: Expected;
}>;

/** Result of a turn that the fallback finished, without other traces of the failure. */
export const FINISHED = {
  answer: ANSWER,
  error: null,
  errorsShown: 0,
  retries: 0,
  switches: 1,
  requests: ['lead', 'understudy'],
  isPrefilled: false,
  history: ['user: One', `assistant: ${ANSWER}`],
} as const satisfies Expected;
