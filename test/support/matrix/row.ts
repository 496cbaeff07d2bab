import type { Script, ScriptedStep } from '../../../src/demo/scripted-provider';
import type { FailureKind, ModelState } from '../../../src/engine/base/kinds';
import type { EventStream, OpencodeSession } from '../../../src/node/opencode';
import type { Case, CaseOptions, Stage } from '../stage';

export const ANSWER = 'UNDERSTUDY ANSWERS';
export const LEAD_ANSWER = 'LEAD ANSWERS';
export const PARTIAL = 'partial words';
/** So much of an answer that it is kept. */
export const LONG_PARTIAL = 'partial words '.repeat(40).trim();

/** A model that is well, and one at its limit. */
export const WELL: ScriptedStep = { kind: 'text', text: LEAD_ANSWER };
export const LIMITED: ScriptedStep = { kind: 'status', status: 429 };

export const WRITE = { filePath: 'made.txt', path: 'made.txt', content: 'made\n' } as const;

/** How long a connection that will be cut stays open when nobody can tell that OpenCode has read what was sent, in ms. */
export const CUT_AFTER_MS = 5_000;

const MINUTE_MS = 60_000;

/** Numbers that nothing runs into by itself while a row is played on a busy machine. */
export const CALM = {
  cooldownMs: 10 * MINUTE_MS,
  retryOriginalAfterMs: 10 * MINUTE_MS,
  quotaCooldownMs: 10 * MINUTE_MS,
  restMs: 10 * MINUTE_MS,
  firstTokenTimeoutMs: 30_000,
  stallTimeoutMs: 30_000,
} as const;

/** Whom a request went to: `parent` gives a sub-agent its task, `second` comes after the understudy. */
export type Role = 'parent' | 'lead' | 'understudy' | 'second';

export type Seen = Readonly<{
  /** Text of the answer the client was given; what was printed under `opencode run`. */
  answer: string;
  /** Error of the answer, `name: message`; null when it has none. */
  error: unknown;
  /** Errors shown to the user while the turn went on. */
  errorsShown: number;
  /** Times OpenCode announced a retry of its own. */
  retries: number;
  /** Switches the app counted in this project. */
  switches: number;
  /** State and last failure the app shows of the lead. */
  lead: `${ModelState} ${FailureKind | 'well'}`;
  /** Whole minutes from the failure until the app shows the lead as well again; null when no clock says so. */
  backInMinutes: number | null;
  /** Every request, in order. */
  requests: readonly Role[];
  isPrefilled: boolean;
  /** What the conversation holds afterwards, a line for each message; those of sub-agents follow. */
  history: readonly string[];
}>;

/** How a turn shall end; a field that is left out is not looked at. */
export type Expected = Partial<Seen>;

/** Text and error of an answer, as a client is given them. */
export type Told = Pick<Seen, 'answer' | 'error'>;

/** Whom a row asks: the default agent of a project of its own, or an agent among neighbours. */
export type Project = Pick<Case, 'directory' | 'chain' | 'ids'> & Readonly<{ agent?: string }>;

/** Where a row takes place, and who is who in its chain. `stream` has heard all events of its sessions. */
export type Scene = Readonly<{
  stage: Stage;
  project: Project;
  session: OpencodeSession;
  stream: EventStream;
  roles: readonly Role[];
}>;

/** One row of the fault matrix: what the models do, and how the turn ends then. */
export type Row = Readonly<{
  when: string;
  outcome: string;
  /** What each model of the chain does; null when nobody can ask it. Models without an entry answer with one text. */
  models: readonly (Script | null)[];
  /** Who is who in the chain; lead, understudy and second unless it is given. */
  roles?: readonly Role[];
  options?: CaseOptions;
  /** Sends what the user wants, instead of the prompt "One". */
  send?: (scene: Scene) => Promise<Told>;
  /** True where the turn is another OpenCode's, whose events are not heard. */
  isElsewhere?: boolean;
  /** True where it needs a project of its own, for what no option says. */
  isAlone?: boolean;
  /** True where requests go out side by side: they are compared by name. */
  isUnordered?: boolean;
  /** True where only the nightly run plays it: an entry of test/nightly names the faster test. */
  isNightly?: boolean;
  expected: Expected;
}>;

/** How a turn ends that the understudy has finished: nothing else is left of the failure. */
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
