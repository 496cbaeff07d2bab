import { type Instance, remember, turnKey, turnOf } from './instance';
import { pairOf, refOf } from './model-ref';
import type { ChatMessageOutput, UserMessage } from './types';

/** A re-point that OpenCode has not carried out by then has failed, in ms; warm it takes 20. */
const REPOINT_LIMIT_MS = 10_000;

/**
 * Rewrites the model of a user message in place, so that OpenCode's next step of the same turn asks `next`.
 *
 * The old model goes into the call and our own `chat.message` hook puts the new one in: every other field stays, and the
 * session's own model stays the lead. A prompt queued behind the message moves with it.
 *
 * @returns false when OpenCode refused it or took too long; the message is then as it was. Never throws.
 */
export async function repoint(instance: Instance, user: UserMessage, next: string): Promise<boolean> {
  const queued = instance.latest.get(user.sessionID);
  const isBehind = queued !== undefined && queued.id > user.id && refOf(queued.model) === refOf(user.model);
  const [isMoved] = await Promise.all([
    rewrite(instance, user, next),
    isBehind ? rewrite(instance, queued, next) : true,
  ]);
  return isMoved;
}

async function rewrite(instance: Instance, user: UserMessage, next: string): Promise<boolean> {
  const key = turnKey(user.sessionID, user.id);
  const pending = instance.pending.get(key) ?? { user, next, waiting: 0, hits: 0 };
  // A mend and a switch may overlap: the entry stays until both are through, or the second would pass for a new prompt.
  Object.assign(pending, { user, next, waiting: pending.waiting + 1 });
  instance.pending.set(key, pending);
  const turn = turnOf(instance, user.sessionID, user.id);
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const written = new Promise<'written'>((resolve) => {
      instance.written.set(user.id, (info) => {
        if (pending.hits === 0 || refOf(info.model) !== next) return;
        // From now on another model in this message is a stale write.
        turn.expected = next;
        resolve('written');
      });
    });
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), REPOINT_LIMIT_MS);
    });
    const call = instance.client.session.prompt({ path: { id: user.sessionID }, body: bodyOf(user) });
    const first = await Promise.race([written, late, call]);
    call.catch(() => undefined);
    if (first === 'late' || (typeof first === 'object' && first.error) || pending.hits === 0) return false;
    // A newer re-point of the same message has the last word.
    if (pending.next === next) turn.expected = next;
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    instance.written.delete(user.id);
    if (--pending.waiting === 0) instance.pending.delete(key);
  }
}

/** The call itself: no reply, no parts, the old model. `format` is a class instance that only the body may carry. */
function bodyOf(user: UserMessage): Record<string, unknown> {
  const { providerID, modelID, variant } = user.model;
  return {
    messageID: user.id,
    noReply: true,
    agent: user.agent,
    model: { providerID, modelID },
    ...(variant ? { variant } : {}),
    ...(user.format ? { format: user.format } : {}),
    parts: [],
  };
}

/** In `chat.message`: carries out a pending re-point. @returns whether this message was one of ours. */
export function applyRepoint(instance: Instance, session: string, output: ChatMessageOutput): boolean {
  const pending = instance.pending.get(turnKey(session, output.message.id));
  if (!pending || output.parts.length > 0) return false;
  pending.hits++;
  const { format: _, ...rest } = pending.user;
  Object.assign(output.message, structuredClone(rest), { model: { ...pending.user.model, ...pairOf(pending.next) } });
  if (instance.latest.get(session)?.id === output.message.id) {
    remember(instance.latest, session, structuredClone(output.message));
  }
  return true;
}

/**
 * OpenCode summarises a message from a copy it read before the switch and writes that copy back, old model included,
 * wherever snapshots are on. Seen on the bus, the switch is written again at once. Source: soft-switch.md section 1.1.
 */
export async function mendStaleWrite(instance: Instance, info: UserMessage): Promise<void> {
  instance.written.get(info.id)?.(info);
  const turn = instance.turns.get(turnKey(info.sessionID, info.id));
  const expected = turn?.expected;
  if (!turn?.user || !expected || refOf(info.model) === expected || turn.isMending) return;
  turn.isMending = true;
  try {
    await rewrite(instance, turn.user, expected);
  } finally {
    turn.isMending = false;
  }
}
