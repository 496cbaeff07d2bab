import { answer, type PanelHost, type QueryInput, type QueryName, type QueryOutput } from '../../contract/contract';
import type { Snapshot } from '../../contract/snapshot';
import { failureText, type Outcome } from '../../node/base/failure';
import type { SeenCore } from '../../node/setup/doctor';
import { presentSnapshot, seeSnapshot } from '../../panel/present-snapshot';
import { type CliParts, EXIT, type JsonOption, refuse, show, showLines } from '../parts';
import { unknownAgent } from '../unknown-name';

type Use = (host: PanelHost) => Promise<number>;

type Otherwise = () => number | Promise<number>;

export const NOT_RUNNING = 'Understudy is not running. Start it with "understudy panel".';

export const notRunning = (parts: CliParts, options: JsonOption): number =>
  refuse(parts, options, NOT_RUNNING, EXIT.notRunning);

/** @returns the exit code; null if no core runs. */
export async function refusedWhileRunning(parts: CliParts, options: JsonOption): Promise<number | null> {
  const core = await parts.attachCore();
  await core?.close();
  return core && refuse(parts, options, 'Understudy is running. Quit it first.', EXIT.failed);
}

/** @returns the exit code of `use`, or of `otherwise` if no core runs. */
export async function withCore(
  parts: CliParts,
  options: JsonOption,
  use: Use,
  otherwise: Otherwise = () => notRunning(parts, options),
): Promise<number> {
  const core = await parts.attachCore();
  if (core === null) return await otherwise();
  try {
    return await use(core.host);
  } finally {
    await core.close();
  }
}

const ALIVE_MS = 2_000;

export async function untilGone(
  parts: CliParts,
  options: JsonOption,
  host: PanelHost,
  unsubscribe: () => void,
): Promise<number> {
  const { signal } = parts;
  let isGone = false;
  while (!(signal.aborted || isGone)) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ALIVE_MS);
      signal.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
    });
    isGone = !signal.aborted && (await presentSnapshot(host)) === null;
  }
  unsubscribe();
  return isGone ? refuse(parts, options, 'Understudy does not answer any more.', EXIT.noAnswer) : EXIT.done;
}

/** Returns the snapshot or a problem; null if no core runs. */
export async function lookAtCore(parts: CliParts): Promise<SeenCore> {
  const core = await parts.attachCore().catch((error: unknown) => ({ problem: failureText(error) }));
  if (core === null || 'problem' in core) return core;
  try {
    const seen = await seeSnapshot(core.host);
    return seen.ok ? seen.value : { problem: `it does not answer: ${seen.reason}` };
  } finally {
    await core.close();
  }
}

/** Reports an agent that the core does not list; null if it does, or without an agent. */
export async function agentObjection(
  host: PanelHost,
  agent: string | null,
  directory?: string,
): Promise<string | null> {
  const seen = agent === null ? null : await seeSnapshot(host);
  return agent !== null && seen?.ok ? unknownAgent(seen.value, agent, directory) : null;
}

type Shown<Answer> = Readonly<{
  ask(host: PanelHost): Promise<Outcome<{ value: Answer }>>;
  words(answer: Answer): string;
}>;

export async function showAnswer<Answer>(
  parts: CliParts,
  options: JsonOption,
  shown: Shown<Answer>,
  otherwise?: Otherwise,
): Promise<number> {
  const use: Use = async (host) => {
    const reply = await shown.ask(host);
    if (!reply.ok) return noAnswer(parts, options, reply.reason);
    showLines(parts, options, reply.value, shown.words);
    return EXIT.done;
  };
  return await withCore(parts, options, use, otherwise);
}

export const noAnswer = (parts: CliParts, options: JsonOption, reason: string): number =>
  refuse(parts, options, `Understudy is running but does not answer: ${reason}`, EXIT.noAnswer);

const unwrittenText = (reason: string): string =>
  `It applies, but is not on the disk yet: ${reason}. Until then it is lost if Understudy is killed.`;

type ActQuery = Extract<QueryName, 'health.reset' | 'person.act'>;

/** An act for the current snapshot; a text is the reason that there is none. */
export type Deed =
  | Readonly<{ [Q in ActQuery]: Readonly<{ name: Q; input: QueryInput<Q>; done: string }> }[ActQuery]>
  | string;

/** Runs an act; the core rejects it if the snapshot has changed. */
export async function perform(
  parts: CliParts,
  options: JsonOption,
  plan: (snapshot: Snapshot) => Deed,
): Promise<number> {
  return await withCore(parts, options, async (host) => {
    const seen = await seeSnapshot(host);
    if (!seen.ok) return noAnswer(parts, options, seen.reason);
    const deed = plan(seen.value);
    if (typeof deed === 'string') return refuse(parts, options, deed);
    const reply = await answer(host.handlers, deed.name, deed.input);
    if (!reply.ok) return refuse(parts, options, reply.reason, reply.code === 'failed' ? EXIT.noAnswer : EXIT.refused);
    // `answer` validated the value against the contract.
    const result = reply.value as QueryOutput<ActQuery>;
    if (!result.accepted) return refuse(parts, options, result.reason);
    const { rev, unwritten } = result;
    show(parts, options, { ok: true, done: deed.done, rev, ...(unwritten ? { unwritten } : {}) }, ({ done }) => done);
    if (unwritten !== undefined && !options.json) parts.printError(unwrittenText(unwritten));
    return EXIT.done;
  });
}
