import { answer, type PanelHost, type QueryInput, type QueryName, type QueryOutput } from '../../contract/contract';
import type { Snapshot } from '../../contract/snapshot';
import { failureText, type Outcome } from '../../node/base/failure';
import type { SeenCore } from '../../node/setup/doctor';
import { seeSnapshot } from '../../panel/present-snapshot';
import { type CliParts, EXIT, type JsonOption, refuse, show, showLines } from '../parts';

/** What is done with a running core; @returns the exit code. */
type Use = (host: PanelHost) => Promise<number>;

/** What is done where no core runs; @returns the exit code. */
type Otherwise = () => number | Promise<number>;

export const NOT_RUNNING = 'Understudy is not running. Start it with "understudy panel".';

/** Says that no core runs. @returns 3. */
export const notRunning = (parts: CliParts, options: JsonOption): number =>
  refuse(parts, options, NOT_RUNNING, EXIT.notRunning);

/** Refuses where a core runs. @returns the exit code; null when none runs. */
export async function refusedWhileRunning(parts: CliParts, options: JsonOption): Promise<number | null> {
  const core = await parts.attachCore();
  await core?.close();
  return core && refuse(parts, options, 'Understudy is running. Quit it first.', EXIT.failed);
}

/** Attaches to the running core, and lets go of it afterwards. @returns what `use` says, or `otherwise` when none runs. */
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

/** What the running core knows, or why it does not tell; null when none runs. */
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

/** Says that the core gives no answer, and why. @returns 4. */
export const noAnswer = (parts: CliParts, options: JsonOption, reason: string): number =>
  refuse(parts, options, `Understudy is running but does not answer: ${reason}`, EXIT.noAnswer);

/** A full disk keeps nobody from acting; but what was done is gone when the app is killed before it is written. */
const unwrittenText = (reason: string): string =>
  `It counts, but is not on the disk yet: ${reason}. Until it is, it is lost if Understudy is killed.`;

type ActQuery = Extract<QueryName, 'health.reset' | 'person.act'>;

/** What a person does, worked out from what they see; a text says why there is nothing to do. */
export type Deed =
  | Readonly<{ [Q in ActQuery]: Readonly<{ name: Q; input: QueryInput<Q>; done: string }> }[ActQuery]>
  | string;

/** Does something for a person in the running core, as seen now. A change in between refuses it: look again, then decide. */
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
    // `answer` has checked the value against the contract.
    const result = reply.value as QueryOutput<ActQuery>;
    if (!result.accepted) return refuse(parts, options, result.reason);
    const { rev, unwritten } = result;
    show(parts, options, { ok: true, done: deed.done, rev, ...(unwritten ? { unwritten } : {}) }, ({ done }) => done);
    if (unwritten !== undefined && !options.json) parts.printError(unwrittenText(unwritten));
    return EXIT.done;
  });
}
