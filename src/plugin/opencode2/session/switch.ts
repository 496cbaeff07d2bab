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

/** `user`: the user selected another model meanwhile. */
export type Moved = 'moved' | 'user' | 'unlisted' | 'failed';

/** Reads the list again before returning false: an unlisted model would end the turn. */
export async function isListed(instance: Instance, model: ModelId): Promise<boolean> {
  const has = (): boolean => instance.listed.models.length === 0 || instance.listed.models.includes(model);
  if (!has()) await listAnew(instance);
  return has();
}

/**
 * Moves a session and stores its own model. An unexpected model before or after cancels the move.
 * @param from the session's last model.
 * @param home the model to restore, if not that one.
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
    // OpenCode sets nothing; the account's credentials are applied when a request is sent.
    session.account = account;
    return 'moved';
  }
  await noteAway(instance, session, own, target);
  const isSet = await set(instance, session, speaker);
  // Also after a refusal: a late change is undone when the session rests.
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

/** A variant that OpenCode does not list would end the turn. */
function speakerRef(
  instance: Instance,
  { agent }: SessionMemory,
  { to, own }: Readonly<{ to: ModelId; own: ModelRef }>,
): ModelRef {
  const { companion, directory, listed } = instance;
  const ref = hostRef(instance, to);
  const variants = variantsOf(listed.catalogue, nameOf(ref)) ?? [];
  const variant = variantFor(
    companion.brain.state(),
    { directory, agent: agent ?? DEFAULT_AGENT, to, own: { model: nameOf(own), variant: own.variant } },
    (wanted) => variants.includes(wanted),
  );
  return variant !== undefined && variants.includes(variant) ? { ...ref, variant } : ref;
}

export async function moveTurn(
  instance: Instance,
  session: SessionMemory,
  { from, to }: Readonly<{ from: ModelId; to: ModelId }>,
): Promise<Moved> {
  const { brain } = instance.companion;
  const startedAt = brain.now();
  const moved = await moveSession(instance, session, { from, to });
  const ok = moved === 'moved';
  const reason = moved === 'user' ? 'another model was selected meanwhile' : 'OpenCode did not accept the new model';
  const durationMs = brain.now() - startedAt;
  const turn = turnOf(session).id;
  brain.tell({ type: 'switch.carried', turn, from, ok, durationMs, ...(ok ? {} : { reason }) });
  return moved;
}

export async function checkSwitch(instance: Instance, session: SessionMemory, model: ModelId): Promise<void> {
  const { expected } = session;
  if (expected === null) return;
  session.expected = null;
  if (model === expected) return instance.actuator.prove();
  const now = (await readSession(instance, session.id))?.model;
  // The user selected another model; OpenCode behaved correctly.
  if (now && askedAs(session, now) !== expected) return;
  distrust(instance);
  await pointHome(instance, session);
}

function distrust(instance: Instance): void {
  if (!instance.actuator.distrust()) return;
  for (const session of instance.sessions.values()) if (!session.isWorking) void pointHome(instance, session);
}

export async function pointHome(instance: Instance, session: SessionMemory): Promise<void> {
  const { home, away } = session;
  session.home = null;
  session.account = null;
  session.expected = null;
  if (home === null) return;
  const isSet = await set(instance, session, home);
  // A session moved again meanwhile has a newer note.
  if (isSet && session.away === away) await forgetAway(instance, session);
}

/** A selection that is not ours is the user's and cancels the restore. */
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
