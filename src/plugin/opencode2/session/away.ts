import type { ModelId } from '../../../engine';
import { limited } from '../../base/guarded';
import { quietly } from '../../base/quietly';
import { awayIn, entriesIn } from './border';
import { called, readSession } from './host-calls';
import type { Instance, SessionMemory } from './instance';
import { nameOf } from './model-ref';
import type { ModelRef } from './types';

/** How long a note may hold up a turn, in ms; OpenCode keeps it in its own database. */
const NOTE_LIMIT_MS = 500;
/** Notes that are left behind at most: of sessions that nobody goes on with after their process was killed. */
const NOTES_MAX = 200;
/** The most OpenCode hands over at once. */
const SCAN_MAX = 1_000;

const PREFIX = 'away:';
const keyOf = ({ id }: SessionMemory): string => `${PREFIX}${id}`;

/**
 * Writes down which model a session is to have again, before it is moved to another one: who comes after this process, if
 * that is killed meanwhile, finds it. OpenCode stores the move itself for good.
 */
export async function noteAway(instance: Instance, session: SessionMemory, home: ModelRef, to: ModelId): Promise<void> {
  // Also those it was moved to before: a kill may come between this and the move.
  const models = new Set([...(session.away?.to ?? []), to]);
  session.away = { v: 1, home, to: [...models], at: Date.now() };
  await write(instance, session);
}

/** Takes the note out: the session has its own model again, or its user has chosen another one. Never rejects. */
export async function forgetAway(instance: Instance, session: SessionMemory): Promise<void> {
  session.away = null;
  await write(instance, session);
}

/** Writes what holds now; one after another, so that an older note never follows a newer one. */
function write({ context }: Instance, session: SessionMemory): Promise<unknown> {
  const { storage } = context;
  session.noting = session.noting.then(() =>
    quietly(async () => {
      const { away } = session;
      await (away === null ? storage?.remove?.(keyOf(session)) : storage?.set?.(keyOf(session), away));
    }),
  );
  return limited(session.noting, NOTE_LIMIT_MS);
}

/**
 * On first sight of a session: if a process that was killed had moved it and it is still there, it is to have its own model
 * again, as if this process had moved it. Otherwise its user has chosen what it has. Never rejects.
 */
export async function lookHome(instance: Instance, session: SessionMemory): Promise<void> {
  if (session.isLookedUp) return;
  session.isLookedUp = true;
  const { storage } = instance.context;
  const kept = await limited(
    quietly(async () => storage?.get?.(keyOf(session))),
    NOTE_LIMIT_MS,
  );
  const away = awayIn(kept);
  if (away === null) return;
  const info = await readSession(instance, session.id);
  if (info === null || session.home !== null) return;
  if (info.model === undefined || !away.to.includes(nameOf(info.model))) return forgetAway(instance, session);
  session.home = away.home;
  session.away = away;
}

/** Removes the oldest notes where many have been left behind. Never rejects. */
export async function tidyNotes({ context: { storage } }: Instance): Promise<void> {
  const scanned = await called(async () => storage?.scan?.({ prefix: PREFIX, limit: SCAN_MAX }));
  const notes = entriesIn(scanned).map(({ key, value }) => ({ key, at: awayIn(value)?.at ?? 0 }));
  const old = notes.toSorted((one, other) => other.at - one.at).slice(NOTES_MAX);
  await called(async () => Promise.all(old.map(({ key }) => storage?.remove?.(key))));
}
