import { DEFAULT_AGENT } from '../../../contract/opencode-agents';
import { variantsOf } from '../../../core/config/variants';
import type { ModelId } from '../../../engine';
import { variantFor } from '../../base/variant';
import { askedAs, hostRef } from './accounts';
import { forgetAway, noteAway } from './away';
import { listAnew } from './catalogue';
import { readSession, setModel } from './host-calls';
import { type Instance, type SessionMemory, turnOf } from './instance';
import { nameOf } from './model-ref';
import type { ModelRef } from './types';

/** How moving a session came out: `user` when they have picked a model themselves meanwhile. */
export type Moved = 'moved' | 'user' | 'unlisted' | 'failed';

/** Whether OpenCode has this model: one it does not list would end the turn. Asked anew before it is denied. */
export async function isListed(instance: Instance, model: ModelId): Promise<boolean> {
  const has = (): boolean => instance.listed.models.length === 0 || instance.listed.models.includes(model);
  if (!has()) await listAnew(instance);
  return has();
}

/**
 * Points a session at another model, and remembers what it had. OpenCode is asked what the session has before and
 * afterwards: whatever was not expected leaves the session as it is.
 *
 * @param from the model the session has as far as is known. @param home the model it shall have again, if not that one.
 */
export async function moveSession(
  instance: Instance,
  session: SessionMemory,
  { from, to, home }: Readonly<{ from: ModelId; to: ModelId; home?: ModelRef }>,
): Promise<Moved> {
  const target = nameOf(hostRef(instance, to));
  if (!(await isListed(instance, target))) return 'unlisted';
  const before = (await readSession(instance, session.id))?.model ?? hostRef(instance, from);
  if (askedAs(session, before) === to) return 'moved';
  if (askedAs(session, before) !== from) return 'user';
  const own = session.home ?? home ?? before;
  const account = target === to ? null : { model: to, of: target };
  const speaker = speakerRef(instance, session, { to, own });
  if (nameOf(before) === target && before.variant === speaker.variant) {
    // OpenCode has nothing to change: whose key the model is asked with is seen when a request leaves.
    session.account = account;
    return 'moved';
  }
  await noteAway(instance, session, own, target);
  const isSet = await set(instance, session, speaker);
  // Also when it was refused: what comes late is put right when the session rests.
  session.home = own;
  const after = (await readSession(instance, session.id))?.model;
  if (!isSet || (after && nameOf(after) !== target)) {
    distrust(instance);
    return 'failed';
  }
  session.account = account;
  session.expected = to;
  return 'moved';
}

/** A model as it is to speak for the agent of a session: a variant that OpenCode does not have of it would end the turn. */
function speakerRef(
  instance: Instance,
  { agent }: SessionMemory,
  { to, own }: Readonly<{ to: ModelId; own: ModelRef }>,
): ModelRef {
  const { companion, directory, listed } = instance;
  const ref = hostRef(instance, to);
  const known = variantsOf(listed.catalogue, nameOf(ref)) ?? [];
  const variant = variantFor(
    companion.brain.state(),
    { directory, agent: agent ?? DEFAULT_AGENT, to, own: { model: nameOf(own), variant: own.variant } },
    (wanted) => known.includes(wanted),
  );
  return variant !== undefined && known.includes(variant) ? { ...ref, variant } : ref;
}

/** Moves the turn of a session from the model it has, and reports how that went. */
export async function moveTurn(
  instance: Instance,
  session: SessionMemory,
  { from, to }: Readonly<{ from: ModelId; to: ModelId }>,
): Promise<Moved> {
  const { brain } = instance.companion;
  const startedAt = brain.now();
  const moved = await moveSession(instance, session, { from, to });
  const ok = moved === 'moved';
  const reason = moved === 'user' ? 'another model was picked meanwhile' : 'OpenCode did not take the new model';
  const durationMs = brain.now() - startedAt;
  const turn = turnOf(session).id;
  brain.tell({ type: 'switch.carried', turn, from, ok, durationMs, ...(ok ? {} : { reason }) });
  return moved;
}

/** The first call after a switch shows whether OpenCode has taken it. */
export async function checkSwitch(instance: Instance, session: SessionMemory, model: ModelId): Promise<void> {
  const { expected } = session;
  if (expected === null) return;
  session.expected = null;
  if (model === expected) return instance.actuator.prove();
  const now = (await readSession(instance, session.id))?.model;
  // Somebody has picked another model: that is no fault of OpenCode's.
  if (now && askedAs(session, now) !== expected) return;
  distrust(instance);
  await pointHome(instance, session);
}

/** OpenCode does not do what a switch needs: sessions that rest get their own model back, and nothing is touched again. */
function distrust(instance: Instance): void {
  if (!instance.actuator.distrust()) return;
  for (const session of instance.sessions.values()) if (!session.isWorking) void pointHome(instance, session);
}

/** When a session rests it has again the model the user meant, unless they have picked another one. */
export async function pointHome(instance: Instance, session: SessionMemory): Promise<void> {
  const { home, away } = session;
  session.home = null;
  session.account = null;
  session.expected = null;
  if (home === null) return;
  const isSet = await set(instance, session, home);
  // One that was moved again meanwhile has another note.
  if (isSet && session.away === away) await forgetAway(instance, session);
}

/** A model was selected in a session: by us, or by the user, whose choice it is from now on. */
export async function noteSelected(instance: Instance, session: SessionMemory, model: ModelRef): Promise<void> {
  const name = nameOf(model);
  const waiting = session.ours.get(name) ?? 0;
  if (waiting > 1) session.ours.set(name, waiting - 1);
  else session.ours.delete(name);
  if (waiting > 0) return;
  session.account = null;
  session.home = null;
  session.expected = null;
  if (session.away !== null) await forgetAway(instance, session);
}

async function set(instance: Instance, session: SessionMemory, model: ModelRef): Promise<boolean> {
  const name = nameOf(model);
  if (typeof instance.context.session?.switchModel !== 'function') return false;
  session.ours.set(name, (session.ours.get(name) ?? 0) + 1);
  return setModel(instance, session.id, model);
}
