import { createHash } from 'node:crypto';
import type { HostModels } from '../../../../core/config';
import { classify } from '../../../../engine';
import { limited } from '../../../../plugin/base/guarded';
import { accountsIn } from '../../../../plugin/opencode2/session/accounts';
import { historyIn, sessionIn } from '../../../../plugin/opencode2/session/border';
import { evidenceOfError } from '../../../../plugin/opencode2/session/evidence';
import { say } from '../../../../plugin/opencode2/session/host-calls';
import { type Instance, sessionOf } from '../../../../plugin/opencode2/session/instance';
import { refOf } from '../../../../plugin/opencode2/session/model-ref';
import { belt, SEAT_PREFIX, type Seat, seat, seatOf, stop } from '../../../../plugin/opencode2/session/seats';
import type { HistoryEntry, SessionError } from '../../../../plugin/opencode2/session/types';
import {
  type Answer,
  type CouncilHost,
  isPromptOf,
  type OpenCommand,
  type PromptCommand,
  type Retrying,
} from '../../core/host';
import type { Uttered } from '../../core/talk';
import type { Place } from '../../node/run-folder';
import { NOTHING, type Spent, sumOf, type TurnFault } from '../../rules/base/types';
import { playAppointed } from '../begun';
import { type CouncilCommands, openCouncilCommands, rootOf } from '../commands';
import { guardTool, isRefusal } from '../guard';
import { levelOne } from '../level-one';
import { readOnlyIn2 } from '../permissions';
import { refusalOf } from '../refusal';

/** Wait for OpenCode's list of models, in ms. */
const LISTING_LIMIT_MS = 2_000;
const OPEN_LIMIT_MS = 10_000;
/** The reason follows the end of a failed turn within this time, in ms. */
const ENDING_LIMIT_MS = 1_000;
/** [seen: 2.0.15] */
const NOT_FOUND = 'Session.NotFoundError';
/** With its prefix, shorter than anything that counts as a key in a journal. */
const ID_CHARS = 16;

type Host = Omit<CouncilHost, 'check'>;

/**
 * Sessions are read-only, without the user's agents. 2.x drops the parent of a plugin's session, and a plugin cannot
 * delete a session, so they remain when the run is removed.
 */
export function councilHost(instance: Instance, place: Place): Host {
  void belt(instance);
  return {
    open: (command) => open(instance, command, place),
    prompt: (command, tell) => prompt(instance, command, { tell, place }),
    recover: (command) => recover(instance, command, place),
    uttered: (session) => utteredIn(instance, session),
    async abort(session) {
      const seated = seatOf(session);
      if (seated) seated.isAborted = true;
      await stop(instance, session);
    },
  };
}

export const commandsOf = (instance: Instance): CouncilCommands =>
  openCouncilCommands({
    directory: instance.directory,
    generation: 2,
    hostIn: (place) => councilHost(instance, place),
    models: () => hostModels(instance),
    rootOf: (session) => rootOf((id) => sessionOf(instance, id).parent ?? undefined, session),
    // Plugins of 2.x have no toasts. Models do not see these notices.
    notify: ({ message }, session) => void say(instance, sessionOf(instance, session), `Understudy: ${message}`),
    warn: instance.voice.warn,
  });

export const playIn = (instance: Instance): Promise<void> =>
  playAppointed(instance.directory, {
    generation: 2,
    hostIn: (place) => councilHost(instance, place),
    warn: instance.voice.warn,
  });

export { leavePlayed } from '../begun';

/** A chain may name the active account. */
export async function hostModels(instance: Instance): Promise<HostModels> {
  if (instance.listing) await limited(instance.listing, LISTING_LIMIT_MS);
  const { listed, leads, defaultModel } = instance;
  return { leads, defaultModel, models: listed.models, catalogue: listed.catalogue, ...accountsIn(instance) };
}

/** Sessions cannot be searched by title, so a later process derives the ID from it. */
const idFor = (title: string): string =>
  `${SEAT_PREFIX}${createHash('sha256').update(title).digest('hex').slice(0, ID_CHARS)}`;

/** @throws Error if OpenCode creates no session. */
async function open({ context, directory }: Instance, { title }: OpenCommand, { repo, run }: Place): Promise<string> {
  // An existing session is returned unchanged. [seen: 2.0.15]
  const making = context.session?.create?.({
    id: idFor(title),
    title,
    location: { directory },
    permissions: readOnlyIn2(repo),
    metadata: { understudy: { council: run } },
  });
  const made = sessionIn(await limited(Promise.resolve(making), OPEN_LIMIT_MS));
  if (made === null) throw new Error('OpenCode created no session');
  return made.id;
}

type Asked = Readonly<{ tell(retry: Retrying): void; place: Place }>;

async function prompt(instance: Instance, command: PromptCommand, context: Asked): Promise<Answer> {
  const { session: sessionID, model, text } = command;
  const sessions = instance.context.session;
  const level = levelFor(instance, command, context.tell);
  const seated = seatFor(instance, command, { brain: level.brain, place: context.place });
  try {
    const refused = await refusalOf(instance, model);
    if (refused !== null) return failed(refused);
    await belt(instance);
    await sessions?.switchModel?.({ sessionID, model: refOf(model) });
    if (seated.isAborted) return STOPPED;
    const askedAt = Date.now();
    await sessions?.prompt?.({ sessionID, text });
    if (seated.isAborted) await stop(instance, sessionID);
    await sessions?.wait?.({ sessionID });
    const error = await limited(seated.ended, ENDING_LIMIT_MS);
    return await judged(instance, command, { seated, fault: level.fault(), error, askedAt });
  } catch (error) {
    return isNotFound(error) ? LOST : failed(noAnswer(error instanceof Error ? error.message : String(error)));
  } finally {
    level.end();
  }
}

const levelFor = (instance: Instance, { model, attempts }: PromptCommand, tell: Asked['tell']) =>
  levelOne({ directory: instance.directory, model, attempts }, { note: instance.companion.brain.note, retrying: tell });

const seatFor = (
  instance: Instance,
  { session, system }: PromptCommand,
  { brain, place: { repo } }: Readonly<{ brain: Parameters<typeof seat>[1]['brain']; place: Place }>,
): Seat => seat(session, { instance, brain, guard: (tool, args) => guardTool(repo, tool, args, 2), system });

type Ended = Readonly<{ seated: Seat; fault: TurnFault | null; error: SessionError | null; askedAt: number }>;

async function judged(
  instance: Instance,
  command: PromptCommand,
  { seated, fault, error, askedAt }: Ended,
): Promise<Answer> {
  const turn = await turnIn(instance, command, askedAt);
  if (turn === null) return LOST;
  const { text, spent, outcome } = turn;
  if (outcome === 'succeeded') return { ok: true, text, spent };
  if (seated.isAborted || outcome === 'interrupted') return { ...STOPPED, spent };
  return failed(fault ?? (error ? faultOf(error) : noAnswer('OpenCode did not respond')), spent);
}

/** A failure without a request, such as an unknown model. */
function faultOf(error: SessionError): Said {
  const { kind } = classify(evidenceOfError(error));
  return { kind, message: error.message };
}

type Said = Partial<TurnFault> & Pick<TurnFault, 'kind' | 'message'>;
type Failed = Extract<Answer, { ok: false }>;

const failed = (fault: Said, spent: Spent = NOTHING): Failed => ({
  ok: false,
  fault: { hintMs: null, isPartial: false, ...fault },
  spent,
});
const noAnswer = (message: string): Said => ({ kind: 'no_answer', message });
const LOST = failed({ kind: 'session_lost', message: 'its session was deleted' });
const STOPPED = failed({ kind: 'aborted', message: 'it was stopped' });

const isNotFound = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && '_tag' in error && error._tag === NOT_FOUND;

/** A request may still run here: OpenCode reloads a plugin when its folder changes. */
async function recover(instance: Instance, command: PromptCommand, place: Place): Promise<Answer | null> {
  const level = levelFor(instance, command, () => undefined);
  const seated = seatFor(instance, command, { brain: level.brain, place });
  try {
    await belt(instance);
    await instance.context.session?.wait?.({ sessionID: command.session });
    const turn = await turnIn(instance, command, null);
    if (turn === null) return LOST;
    if (seated.isAborted) return { ...STOPPED, spent: turn.spent };
    return turn.outcome === 'succeeded' ? { ok: true, text: turn.text, spent: turn.spent } : null;
  } catch (error) {
    return isNotFound(error) ? LOST : null;
  } finally {
    level.end();
  }
}

type Turn = Readonly<{ text: string; spent: Spent; outcome: string | null }>;

/**
 * @param askedAt Unix ms of this process's prompt: if OpenCode has compacted it away, the turn is everything after.
 * @returns null for a deleted session.
 * @throws OpenCode's other errors.
 */
async function turnIn(
  instance: Instance,
  { session, text, model }: PromptCommand,
  askedAt: number | null,
): Promise<Turn | null> {
  let history: readonly HistoryEntry[];
  try {
    history = historyIn(await instance.context.session?.context?.({ sessionID: session }));
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
  const at = history.findLastIndex((entry) => entry.type === 'user' && isPromptOf({ text }, entry.text));
  const from = askedAt ?? Number.POSITIVE_INFINITY;
  const since = at < 0 ? history.filter(({ time }) => (time?.created ?? 0) >= from) : history.slice(at + 1);
  const isPriced = instance.listed.catalogue[model]?.priceIn !== undefined;
  const answers = since.filter(({ type }) => type === 'assistant');
  const words = answers.flatMap(({ content = [] }) => content).filter((part) => part.type === 'text' && part.text);
  return {
    text: words.map((part) => part.text).join('\n'),
    spent: answers.map((entry) => spentIn(entry, isPriced)).reduce(sumOf, NOTHING),
    outcome: since.findLast(({ type }) => type === 'idle')?.outcome ?? null,
  };
}

/** OpenCode records 0 dollars also without a price. */
const spentIn = ({ cost, tokens }: HistoryEntry, isPriced: boolean): Spent => ({
  cost: isPriced ? (cost ?? 0) : null,
  input: tokens?.input ?? 0,
  output: tokens?.output ?? 0,
});

async function utteredIn({ context }: Instance, sessionID: string): Promise<readonly Uttered[] | null> {
  try {
    const history = historyIn(await context.session?.context?.({ sessionID }));
    return history.flatMap(({ type, time, content = [] }) =>
      type === 'assistant' ? content.flatMap((part) => utteredAs(part, time?.created ?? 0)) : [],
    );
  } catch {
    // silent: callers read null as a session that OpenCode does not show
    return null;
  }
}

type Content = NonNullable<HistoryEntry['content']>[number];

function utteredAs({ type, text, name, time, state }: Content, saidAt: number): Uttered[] {
  if (type === 'text' && text) return [{ kind: 'text', at: saidAt, text }];
  if (type !== 'tool' || !name) return [];
  return [
    {
      kind: 'tool',
      at: time?.created ?? saidAt,
      tool: name,
      input: state?.input,
      isRefused: isRefusal(state?.error?.message),
    },
  ];
}
