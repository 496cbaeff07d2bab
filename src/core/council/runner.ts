import { NOTHING, type TurnFault } from '../../council/base/types';
import { type CouncilStep, councilStep } from '../../council/run/step';
import { type Call, readCalls } from '../../council/said/calls';
import { cleanDeep } from '../../council/said/clean';
import type { Command, CouncilEvent, Heard } from '../../council/state/events';
import type { JournalLine, PersonWord } from '../../council/state/schema';
import { type CouncilState, initialCouncil } from '../../council/state/state';
import type { Answer, CouncilHost, PromptCommand } from './host';

/** Where what a run hears is written down before anything comes of it. */
export type Journal = Readonly<{
  /** Resolves when it is written. Rejects where it cannot be: then the run does nothing either. */
  append(line: JournalLine): Promise<void>;
}>;

/** What the runner needs beside its host. */
export type RunnerParts = Readonly<{
  host: CouncilHost;
  journal: Journal;
  /** Unix ms. */
  now(): number;
  /** Calls back once after a while. @returns what keeps it from it. */
  schedule(delayMs: number, callback: () => void): () => void;
  /** Hears of each step when it has been written down. */
  onStep(step: CouncilStep, event: CouncilEvent): void;
  /** The run cannot go on: what it hears cannot be written down any more. */
  onFault(error: unknown): void;
}>;

/** A run that is being played. */
export type CouncilRun = Readonly<{
  tell(word: PersonWord): void;
  state(): CouncilState;
  /** Resolves when the run is over, and everything about it written. */
  over: Promise<void>;
  /** Lets go of it as it is: somebody else may take it up. */
  leave(): Promise<void>;
}>;

/**
 * Takes up a run where its journal ends, were it at its first line: what it heard is heard again, and what a process before this one had asked
 * for is looked for before it is asked for once more.
 */
export function resumeRun(parts: RunnerParts, lines: readonly JournalLine[]): CouncilRun {
  const state = lines.reduce((played, { event, at }) => councilStep(played, event, at).state, initialCouncil);
  const run = play(parts, state, lines.at(-1)?.at ?? 0);
  run.hear({ type: 'run.resumed' }, Object.values(state.pending));
  return run;
}

/** The state that a journal leads to. */
export const stateOf = (lines: readonly JournalLine[]): CouncilState =>
  lines.reduce((played, { event, at }) => councilStep(played, event, at).state, initialCouncil);

type Played = CouncilRun & Readonly<{ hear(event: CouncilEvent, left?: readonly Command[]): void }>;

const isOver = ({ phase }: CouncilState): boolean => phase === 'finished' || phase === 'stopped';

function play(parts: RunnerParts, first: CouncilState, lastAt: number): Played {
  const { host, journal, now, schedule, onStep, onFault } = parts;
  let state = first;
  let at = lastAt;
  let hasLeft = false;
  let cancelWake: (() => void) | null = null;
  let settle: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    settle = resolve;
  });
  /** One event at a time: each is on the disk before anything comes of it. */
  let queue: Promise<void> = Promise.resolve();

  const hear = (heard: CouncilEvent, left: readonly Command[] = []): void => {
    queue = queue.then(async () => {
      if (hasLeft || isOver(state)) return;
      const event = heard.type === 'run.begun' ? heard : cleanDeep(heard);
      at = Math.max(at, now());
      try {
        await journal.append({ v: 1, at, event });
      } catch (error) {
        hasLeft = true;
        onFault(error);
        return;
      }
      const step = councilStep(state, event, at);
      state = step.state;
      cancelWake?.();
      cancelWake = step.wakeAt === null ? null : schedule(Math.max(0, step.wakeAt - at), () => hear({ type: 'tick' }));
      onStep(step, event);
      for (const command of left) if (Object.hasOwn(state.pending, command.id)) void takeUp(command);
      for (const command of step.commands) void carryOut(command);
      if (isOver(state)) settle();
    });
  };

  const carryOut = async (command: Command): Promise<void> => {
    if (command.kind === 'abort') return await host.abort(command.session);
    if (command.kind === 'prompt') return answered(command, await host.prompt(command, retrying(command)));
    try {
      const session = await host.open(command);
      hear({ type: 'session.opened', command: command.id, session });
    } catch (error) {
      hear({ type: 'turn.failed', command: command.id, fault: unopened(error), spent: NOTHING });
    }
  };

  const takeUp = async (command: Command): Promise<void> => {
    const found = command.kind === 'prompt' ? await host.recover(command) : null;
    if (found && command.kind === 'prompt') await answered(command, found);
    else await carryOut(command);
  };

  const retrying = (command: PromptCommand) => (told: Parameters<Parameters<CouncilHost['prompt']>[1]>[0]) =>
    hear({ type: 'turn.retrying', command: command.id, ...told });

  const answered = async (command: PromptCommand, answer: Answer): Promise<void> => {
    const { spent } = answer;
    if (answer.ok)
      hear({ type: 'turn.answered', command: command.id, heard: await heardIn(answer.text, command), spent });
    else hear({ type: 'turn.failed', command: command.id, fault: answer.fault, spent });
  };

  const heardIn = async (text: string, { tools }: PromptCommand): Promise<Heard> => {
    const said = readCalls(text, tools);
    const checks = await Promise.all(said.calls.flatMap(quotesIn).map((place) => (place ? host.check(place) : null)));
    return { ...said, checks };
  };

  return {
    hear,
    tell: (word) => hear(word),
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

/** Where the findings of a call point; null for what is said of somebody else's. */
const quotesIn = (call: Call) =>
  call.tool === 'PostFindings' ? call.findings.map((each) => ('quote' in each ? each : null)) : [];

const unopened = (error: unknown): TurnFault => ({
  kind: 'no_answer',
  message: error instanceof Error ? error.message : String(error),
  hintMs: null,
  isPartial: false,
});
