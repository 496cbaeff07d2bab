import type { TakenStep } from '../base/projection';
import type { Clock } from '../ports/ports';

export const SESSION_IDLE_MS = 30 * 60_000;

/** A session ends when it is closed, its OpenCode disconnects or it stays idle. */
export type SessionEnds = Readonly<{
  hear(taken: Pick<TakenStep, 'event' | 'now'> & Partial<Pick<TakenStep, 'source' | 'isReplayed'>>): void;
  /** `at` is engine ms: before it, the companion was alone and handled ends itself. */
  arrived(instance: string, at: number): void;
  gone(instance: string): void;
  left(directory: string): void;
  forget(): void;
}>;

type Going = Readonly<{ directory: string; at: number }>;

/**
 * Only sessions active during this run; sub-agents end with their parent. @param onEnd a session that continues later
 * may end again.
 */
export function createSessionEnds(clock: Clock, onEnd: (session: string, directory: string) => void): SessionEnds {
  const going = new Map<string, Going>();
  const arrivals = new Map<string, number>();
  let cancel: (() => void) | null = null;

  const end = (session: string): void => {
    const entry = going.get(session);
    if (entry && going.delete(session)) onEnd(session, entry.directory);
  };
  const goesOn = (session: string, directory: string, at: number): void => {
    // A session that was quiet for this long has ended meanwhile.
    if (clock.now() - at < SESSION_IDLE_MS) going.set(session, { directory, at });
    else going.delete(session);
  };
  const look = (): void => {
    cancel = null;
    for (const [session, { at }] of going) if (clock.now() - at >= SESSION_IDLE_MS) end(session);
    plan();
  };
  const plan = (): void => {
    if (cancel || going.size === 0) return;
    const first = Math.min(...[...going.values()].map(({ at }) => at));
    cancel = clock.schedule(Math.max(0, first + SESSION_IDLE_MS - clock.now()), look);
  };
  return {
    hear({ event, now: at, source = null, isReplayed = false }) {
      if (isReplayed) return;
      const isTold = source !== null && at < (arrivals.get(source) ?? 0);
      if (event.type === 'session.closed' && isTold) going.delete(event.session);
      if (event.type === 'session.closed') end(event.session);
      if (event.type === 'session.idle') {
        const entry = going.get(event.session);
        if (entry) goesOn(event.session, entry.directory, at);
      }
      if (event.type !== 'prompt.submitted' && event.type !== 'attempt.started') return;
      // A sub-agent's work counts for the session that started it.
      const { parentSession, session, directory } = event;
      if (parentSession === undefined || going.has(parentSession)) goesOn(parentSession ?? session, directory, at);
      plan();
    },
    arrived: (instance, at) => void arrivals.set(instance, at),
    gone: (instance) => void arrivals.delete(instance),
    left(directory) {
      for (const [session, entry] of going) if (entry.directory === directory) end(session);
    },
    forget() {
      cancel?.();
      cancel = null;
      going.clear();
    },
  };
}
