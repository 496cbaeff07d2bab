import type { ModelId } from '../../../engine';
import { limited } from '../../base/guarded';
import { quietly } from '../../base/quietly';
import { awayIn, entriesIn } from './border';
import { called, readSession } from './host-calls';
import type { Instance, SessionMemory } from './instance';
import { nameOf } from './model-ref';
import type { ModelRef } from './types';

/** Longest wait for OpenCode's database, in ms. */
const NOTE_LIMIT_MS = 500;
/** Bounds notes of killed processes. */
const NOTES_MAX = 200;
/** OpenCode's largest page. */
const SCAN_MAX = 1_000;

const PREFIX = 'away:';
const keyOf = ({ id }: SessionMemory): string => `${PREFIX}${id}`;

/**
 * Stores the session's own model before a move, so that a later process can restore it after a kill: OpenCode stores
 * moves permanently.
 */
export async function noteAway(instance: Instance, session: SessionMemory, home: ModelRef, to: ModelId): Promise<void> {
  // Includes earlier targets: a kill may come before this move.
  const models = new Set([...(session.away?.to ?? []), to]);
  session.away = { v: 1, home, to: [...models], at: Date.now() };
  await write(instance, session);
}

export async function forgetAway(instance: Instance, session: SessionMemory): Promise<void> {
  session.away = null;
  await write(instance, session);
}

/** In order, so that an older note never overwrites a newer one. */
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

/** Adopts a killed process's move, unless the user has selected another model since. Never rejects. */
export async function lookHome(instance: Instance, session: SessionMemory): Promise<void> {
  if (session.isLookedUp) return;
  session.isLookedUp = true;
  const { storage } = instance.context;
  const response = await limited(
    quietly(async () => storage?.get?.(keyOf(session))),
    NOTE_LIMIT_MS,
  );
  const away = awayIn(response);
  if (away === null) return;
  const info = await readSession(instance, session.id);
  if (info === null || session.home !== null) return;
  if (info.model === undefined || !away.to.includes(nameOf(info.model))) return forgetAway(instance, session);
  session.home = away.home;
  session.away = away;
}

/** Never rejects. */
export async function tidyNotes({ context: { storage } }: Instance): Promise<void> {
  const scanned = await called(async () => storage?.scan?.({ prefix: PREFIX, limit: SCAN_MAX }));
  const notes = entriesIn(scanned).map(({ key, value }) => ({ key, at: awayIn(value)?.at ?? 0 }));
  const old = notes.toSorted((one, other) => other.at - one.at).slice(NOTES_MAX);
  await called(async () => Promise.all(old.map(({ key }) => storage?.remove?.(key))));
}
