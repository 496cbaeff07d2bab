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

/** A re-point takes 20 ms when warm. */
export const REPOINT_LIMIT_MS = 10_000;
/** OpenCode makes one or two stale writes in a row. */
const MENDS_MAX = 3;

/**
 * Points the turn's next step at `next`. The call names the old model, and our `chat.message` hook inserts the new
 * one: other fields and the session's model stay. Queued messages move too.
 * @returns false if OpenCode refused or took too long; the message is then unchanged. Never throws.
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

/** Answers a message of an idle session again; does not wait for the turn. */
export const replay = (instance: Instance, user: UserMessage, next: string): Promise<boolean> =>
  rewrite(instance, user, next, true);

async function rewrite(instance: Instance, user: UserMessage, next: string, isAnswered = false): Promise<boolean> {
  const turn = turnOf(instance, user.sessionID, user.id);
  beginRewrite(turn, namedIn(user), next);
  const pending = enter(instance, user, next);
  const hits = pending.hits;
  const isOurs = (): boolean => pending.hits > hits;
  const call = promptQuietly(instance, user, isAnswered);
  // Until then OpenCode's late call would pass for a user's prompt.
  void call.then(() => leave(instance, user, pending));
  const first = await firstOf(instance, user.id, { call, isWritten: (info) => isOurs() && refOf(info.model) === next });
  if (first === 'late' && pending.next === next) pending.next = refOf(user.model);
  if (first === 'late' || first === 'failed' || !isOurs()) return false;
  // A newer re-point of the message wins. Another model is now a stale write.
  if (pending.next === next) expectModel(turn, next);
  return true;
}

/** A correction and a switch may overlap: the entry stays until both end. */
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
 * Names agent and model of the newest prompt, because the call also sets the session's next ones. `format` is a class
 * instance that only the body may carry.
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

/** OpenCode 1 ignores a variant that the model lacks. */
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
 * Writes the switch again: with snapshots on, OpenCode summarises a message from an earlier copy and writes that back
 * with the old model. Source: ADR 0005.
 */
export async function mendStaleWrite(instance: Instance, info: UserMessage): Promise<void> {
  instance.written.get(info.id)?.(info);
  const turn = instance.turns.get(turnKey(info.sessionID, info.id));
  if (!turn) return;
  noteUser(turn, info);
  if (!turn.mending) await mend(instance, turn);
}

/** Restores the user's models at idle: OpenCode's terminal opens a session with the model of its last message. */
export async function pointHome(instance: Instance, session: string): Promise<void> {
  await Promise.all(
    turnsIn(instance, session).map((turn) => {
      const isMoved = turn.user !== null && turn.home !== null && refOf(turn.user.model) !== turn.home;
      // OpenCode's late writes are still corrected, but not in messages that were never moved.
      if (isMoved || turn.expected !== null) expectModel(turn, turn.home);
      return mend(instance, turn);
    }),
  );
}

const mend = (instance: Instance, turn: TurnMemory): Promise<void> => mendOnce(turn, () => mendNow(instance, turn));

async function mendNow(instance: Instance, turn: TurnMemory): Promise<void> {
  if (instance.companion.selfCheck.actuator() === 'watch') return;
  for (let mends = 0; mends < MENDS_MAX; mends++) {
    const { user, expected } = turn;
    if (user === null || expected === null || refOf(user.model) === expected) return;
    if (instance.reverted.has(turn.session) || !(await rewrite(instance, user, expected))) return;
  }
}
