import { failureText } from '../../../contract/failure-text';
import { settled } from '../../../core/base/settled';
import { inPieces } from '../rules/base/pieces';
import { NOTHING, type Spent, type TurnFault, type TurnFaultKind } from '../rules/base/types';
import { type CouncilStep, councilStep } from '../rules/run/step';
import { placesIn, readCalls } from '../rules/said/calls';
import { cleanCalls, cleanText } from '../rules/said/clean';
import type { Command, CouncilEvent, Heard } from '../rules/state/events';
import type { JournalLine, PersonWord } from '../rules/state/schema';
import { type CouncilState, initialCouncil, isOver } from '../rules/state/state';
import type { Answer, CouncilHost, PromptCommand, Retrying } from './host';

/** Stores each event before it has an effect. */
export type Journal = Readonly<{
  /** Rejects if the write fails; the event then has no effect. */
  append(line: JournalLine): Promise<void>;
}>;

export type RunnerParts = Readonly<{
  host: CouncilHost;
  journal: Journal;
  now(): number;
  /** @returns a function that cancels it. */
  schedule(delayMs: number, callback: () => void): () => void;
  /** Resolves after other work had its turn. */
  turn(): Promise<unknown>;
  onStep(step: CouncilStep, event: CouncilEvent): void;
  onFault(error: unknown): void;
}>;

export type CouncilRun = Readonly<{
  tell(word: PersonWord): void;
  missKnowledge(): void;
  state(): CouncilState;
  over: Promise<void>;
  /** Another process may take the run. */
  leave(): Promise<void>;
}>;

/** Replays the journal, and looks for results of pending commands before it repeats them. */
export function resumeRun(parts: RunnerParts, lines: readonly JournalLine[], state = stateOf(lines)): CouncilRun {
  const run = play(parts, state, lines.at(-1)?.at ?? 0);
  run.hear({ type: 'run.resumed' }, Object.values(state.pending));
  return run;
}

export const stateOf = (lines: readonly JournalLine[]): CouncilState =>
  lines.reduce((played, { event, at }) => councilStep(played, event, at).state, initialCouncil);

/** Reported by the provider, so still valid after this process ends. */
const REPORTED: ReadonlySet<TurnFaultKind> = new Set<TurnFaultKind>([
  'rate_limit',
  'quota',
  'overloaded',
  'server_error',
  'auth',
  'permission',
  'model_not_found',
  'context_length',
  'login',
  'content_policy',
  'invalid_request',
  'unsupported_input',
]);
/** In ms: a closing OpenCode cuts its connections first, and the next process then retries. */
const ENDING_MS = 1_500;

type Played = CouncilRun & Readonly<{ hear(event: CouncilEvent, left?: readonly Command[]): void }>;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short, as a class would hold them
function play(parts: RunnerParts, first: CouncilState, lastAt: number): Played {
  const { host, journal, now, schedule, turn, onStep, onFault } = parts;
  let state = first;
  let at = lastAt;
  let hasLeft = false;
  let cancelWake: (() => void) | null = null;
  let settle: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    settle = resolve;
  });
  let queue: Promise<void> = Promise.resolve();

  const hear = (event: CouncilEvent, left: readonly Command[] = []): void => {
    // A failed event must not block later ones.
    queue = queue.then(() => take(event, left)).catch(onFault);
  };

  const take = async (rawEvent: CouncilEvent, left: readonly Command[]): Promise<void> => {
    if (hasLeft || isOver(state)) return;
    const event = await inPieces(cleanEvent(rawEvent), turn);
    if (hasLeft) return;
    at = Math.max(at, now());
    try {
      await journal.append({ v: 1, at, event });
    } catch (error) {
      hasLeft = true;
      onFault(error);
      settle();
      return;
    }
    const step = councilStep(state, event, at);
    state = step.state;
    // The next process runs the commands.
    if (hasLeft) return;
    cancelWake?.();
    cancelWake = step.wakeAt === null ? null : schedule(Math.max(0, step.wakeAt - at), () => hear({ type: 'tick' }));
    for (const command of left) if (Object.hasOwn(state.pending, command.id)) carry(command, takeUp);
    for (const command of step.commands) carry(command, carryOut);
    if (isOver(state)) settle();
    onStep(step, event);
  };

  /** A failed command must report, or the run waits forever. */
  const carry = (command: Command, how: (command: Command) => Promise<void>): void => {
    how(command).catch((error: unknown) => {
      if (command.kind === 'abort') return;
      hear({ type: 'turn.failed', command: command.id, fault: unanswered(error), spent: NOTHING });
    });
  };

  const carryOut = async (command: Command): Promise<void> => {
    if (command.kind === 'abort') await host.abort(command.session);
    else if (command.kind === 'prompt') await answered(command, await host.prompt(command, retrying(command)));
    else hear({ type: 'session.opened', command: command.id, session: await host.open(command) });
  };

  const takeUp = async (command: Command): Promise<void> => {
    const found = command.kind === 'prompt' ? await host.recover(command) : null;
    if (found && command.kind === 'prompt') await answered(command, found);
    else await carryOut(command);
  };

  const retrying = (command: PromptCommand) => (retry: Retrying) =>
    hear({ type: 'turn.retrying', command: command.id, ...retry });

  const answered = async (command: PromptCommand, answer: Answer): Promise<void> => {
    const { spent } = answer;
    if (answer.ok)
      hear({ type: 'turn.answered', command: command.id, heard: await heardIn(answer.text, command), spent });
    else if (REPORTED.has(answer.fault.kind)) failed(command, answer.fault, spent);
    else schedule(ENDING_MS, () => failed(command, answer.fault, spent));
  };

  const failed = ({ id }: PromptCommand, fault: TurnFault, spent: Spent): void =>
    hear({ type: 'turn.failed', command: id, fault, spent });

  /** One answer at a time, to limit memory and time. */
  let reading: Promise<unknown> = Promise.resolve();
  const heardIn = (text: string, { tools }: PromptCommand): Promise<Heard> => {
    const response = reading.then(async () => {
      const parsed = await inPieces(readCalls(text, tools), turn);
      return { ...parsed, checks: await host.check(parsed.calls.flatMap(placesIn)) };
    });
    reading = settled(response).then(turn);
    return response;
  };

  return {
    hear,
    tell: (word) => hear(word),
    missKnowledge: () => hear({ type: 'knowledge.missed' }),
    state: () => state,
    over,
    async leave() {
      hasLeft = true;
      cancelWake?.();
      await queue;
      settle();
    },
  };
}

/** Removes keys, addresses and home folders. */
function* cleanEvent(event: CouncilEvent): Generator<void, CouncilEvent> {
  switch (event.type) {
    case 'turn.answered': {
      const { calls, problems, checks, ...others } = event.heard;
      const clean = yield* cleanCalls(calls, checks);
      return { ...event, heard: { ...clean, problems: problems.map(cleanText), ...others } };
    }
    case 'turn.failed':
      return { ...event, fault: { ...event.fault, message: cleanText(event.fault.message) } };
    default:
      return event;
  }
}

const unanswered = (error: unknown): TurnFault => ({
  kind: 'no_answer',
  message: failureText(error),
  hintMs: null,
  isPartial: false,
});
