import { remember } from '../../../engine/tools';
import { variantFor } from '../../base/variant';
import { type Instance, type PendingRepoint, turnKey, turnOf, turnsIn } from '../memory/instance';
import { pairOf, refOf } from '../memory/model-ref';
import {
  beginRewrite,
  expectModel,
  homeIn,
  mendOnce,
  namedIn,
  noteLeft,
  noteUser,
  type TurnMemory,
} from '../memory/turn-memory';
import type { ChatMessageOutput, ModelPair, UserMessage } from '../memory/types';

/** A re-point that OpenCode has not carried out by then has failed, in ms; warm it takes 20. */
export const REPOINT_LIMIT_MS = 10_000;
/** Stale writes in a row that are mended; OpenCode makes one or two. */
const MENDS_MAX = 3;

/**
 * Rewrites the model of a user message in place, so that OpenCode's next step of the same turn asks `next`.
 *
 * The old model goes into the call and our own `chat.message` hook puts the new one in: every other field stays, and the
 * session's own model stays the lead. Messages queued behind it move with it.
 *
 * @returns false when OpenCode refused it or took too long; the message is then as it was. Never throws.
 */
export async function repoint(instance: Instance, user: UserMessage, next: string): Promise<boolean> {
  const from = refOf(user.model);
  const queued = turnsIn(instance, user.sessionID).flatMap((turn) => {
    if (turn.message <= user.id || turn.user === null || refOf(turn.user.model) !== from) return [];
    noteLeft(turn, from);
    return [turn.user];
  });
  const [isMoved] = await Promise.all([user, ...queued].map((message) => rewrite(instance, message, next)));
  return isMoved ?? false;
}

/**
 * Lets OpenCode answer a message of a resting session again, by another model and with all it holds. The rest of the turn
 * is not waited for. @returns as `repoint` does.
 */
export const replay = (instance: Instance, user: UserMessage, next: string): Promise<boolean> =>
  rewrite(instance, user, next, true);

async function rewrite(instance: Instance, user: UserMessage, next: string, isAnswered = false): Promise<boolean> {
  const turn = turnOf(instance, user.sessionID, user.id);
  beginRewrite(turn, namedIn(user), next);
  const pending = enter(instance, user, next);
  const hits = pending.hits;
  const isOurs = (): boolean => pending.hits > hits;
  const call = promptQuietly(instance, user, isAnswered);
  // However late OpenCode comes to it: until then it would pass for a prompt of the user's.
  void call.then(() => leave(instance, user, pending));
  const first = await firstOf(instance, user.id, { call, isWritten: (info) => isOurs() && refOf(info.model) === next });
  if (first === 'late' && pending.next === next) pending.next = refOf(user.model);
  if (first === 'late' || first === 'failed' || !isOurs()) return false;
  // A newer re-point of the same message has the last word. From now on another model in it is a stale write.
  if (pending.next === next) expectModel(turn, next);
  return true;
}

/** A mend and a switch may overlap: the entry stays until both are through. */
function enter(instance: Instance, user: UserMessage, next: string): PendingRepoint {
  const key = turnKey(user.sessionID, user.id);
  const pending = instance.pending.get(key) ?? { user, next, waiting: 0, hits: 0 };
  Object.assign(pending, { user, next, waiting: pending.waiting + 1 });
  return remember(instance.pending, key, pending);
}

function leave(instance: Instance, user: UserMessage, pending: PendingRepoint): void {
  if (--pending.waiting === 0) instance.pending.delete(turnKey(user.sessionID, user.id));
}

async function promptQuietly(instance: Instance, user: UserMessage, isAnswered: boolean): Promise<'done' | 'failed'> {
  try {
    const body = { ...bodyOf(instance, user), ...(isAnswered ? {} : { noReply: true }) };
    const result = await instance.client.session.prompt({ path: { id: user.sessionID }, body });
    return result.error ? 'failed' : 'done';
  } catch {
    // silent: the caller reports that the switch was not carried out
    return 'failed';
  }
}

/** What comes first: OpenCode tells that the message is written, its answer to the call, or the end of our patience. */
async function firstOf(
  instance: Instance,
  message: string,
  { call, isWritten }: Readonly<{ call: Promise<'done' | 'failed'>; isWritten: (info: UserMessage) => boolean }>,
): Promise<'done' | 'failed' | 'late'> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let listener: (info: UserMessage) => void = () => undefined;
  const written = new Promise<'done'>((resolve) => {
    listener = (info) => isWritten(info) && resolve('done');
  });
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), REPOINT_LIMIT_MS);
  });
  instance.written.set(message, listener);
  const first = await Promise.race([written, late, call]);
  clearTimeout(timer);
  if (instance.written.get(message) === listener) instance.written.delete(message);
  return first;
}

/**
 * The call itself: no parts. It also sets what the session uses next, so it names agent and model of the
 * newest prompt as the user sent it. `format` is a class instance that only the body may carry.
 */
function bodyOf(instance: Instance, user: UserMessage): Record<string, unknown> {
  const newest = turnsIn(instance, user.sessionID).at(-1);
  const { agent, model } = newest?.message === user.id ? user : (newest?.user ?? user);
  const variant = newest?.home ? newest.homeVariant : model.variant;
  return {
    messageID: user.id,
    agent,
    model: newest?.home ? pairOf(newest.home) : { providerID: model.providerID, modelID: model.modelID },
    ...(variant ? { variant } : {}),
    ...(user.format ? { format: user.format } : {}),
    parts: [],
  };
}

/** The variant in which a model answers a message: the chain's, else the user's own. One that it does not have OpenCode 1 passes over. */
function variantIn(
  { companion, directory }: Instance,
  user: UserMessage,
  { turn, to }: Readonly<{ turn: TurnMemory; to: string }>,
): string | undefined {
  const { model, variant } = homeIn(turn) ?? namedIn(user);
  const own = { model, variant: variant ?? undefined };
  return variantFor(companion.brain.state(), { directory, agent: user.agent, to, own }, () => true);
}

export function speaking(pair: ModelPair, to: string, variant: string | undefined): ModelPair {
  const { variant: _, ...rest } = pair;
  return { ...rest, ...pairOf(to), ...(variant === undefined ? {} : { variant }) };
}

/** In `chat.message`: carries out a pending re-point. @returns whether this message was one of ours. */
export function applyRepoint(instance: Instance, session: string, output: ChatMessageOutput): boolean {
  const pending = instance.pending.get(turnKey(session, output.message.id));
  if (!pending || output.parts.length > 0) return false;
  pending.hits++;
  const { format: _, ...rest } = pending.user;
  const turn = turnOf(instance, session, output.message.id);
  const variant = variantIn(instance, pending.user, { turn, to: pending.next });
  Object.assign(output.message, structuredClone(rest), { model: speaking(pending.user.model, pending.next, variant) });
  noteUser(turn, structuredClone(output.message));
  return true;
}

/**
 * OpenCode summarises a message from a copy it read before the switch and writes that copy back, old model included,
 * wherever snapshots are on. Seen on the bus, the switch is written again at once. Source: ADR 0005.
 */
export async function mendStaleWrite(instance: Instance, info: UserMessage): Promise<void> {
  instance.written.get(info.id)?.(info);
  const turn = instance.turns.get(turnKey(info.sessionID, info.id));
  if (!turn) return;
  noteUser(turn, info);
  // A mend under way looks again when it is through.
  if (!turn.mending) await mend(instance, turn);
}

/**
 * When a session rests: its messages name again whom the user meant. OpenCode's terminal takes the model of the last
 * message when it opens a session, and would stay with the understudy. Costs nothing where nothing was moved.
 */
export async function pointHome(instance: Instance, session: string): Promise<void> {
  await Promise.all(
    turnsIn(instance, session).map((turn) => {
      const isMoved = turn.user !== null && turn.home !== null && refOf(turn.user.model) !== turn.home;
      // What OpenCode writes late is still mended; a message that was never moved is nobody's but OpenCode's.
      if (isMoved || turn.expected !== null) expectModel(turn, turn.home);
      return mend(instance, turn);
    }),
  );
}

/** One mend of a message at a time. */
const mend = (instance: Instance, turn: TurnMemory): Promise<void> => mendOnce(turn, () => mendNow(instance, turn));

async function mendNow(instance: Instance, turn: TurnMemory): Promise<void> {
  if (instance.companion.selfCheck.actuator() === 'watch') return;
  for (let mends = 0; mends < MENDS_MAX; mends++) {
    const { user, expected } = turn;
    if (user === null || expected === null || refOf(user.model) === expected) return;
    if (instance.reverted.has(turn.session) || !(await rewrite(instance, user, expected))) return;
  }
}
