import { randomBytes } from 'node:crypto';
import { isSameSecret } from './guard';

/** Tabs that may be let in at a time; one that has gone away without a word makes room for the next. */
export const MAX_SESSIONS = 16;

/** A tab that was let in. */
export type Session = {
  readonly secret: string;
  /** Event streams it has open. */
  streams: number;
};

/** Who may ask the panel's server. */
export type Door = Readonly<{
  /** Lets tabs in for as long as the panel lives. */
  token: string;
  /** A token that lets one tab in: for a command line, which other users of the machine could read. */
  onceToken(): string;
  /** Lets a tab in; null when it offers the wrong token, `full` when as many are open as may be. */
  admit(offered: string): Session | 'full' | null;
  /** The tab that has this secret; null when none has. */
  find(secret: string): Session | null;
}>;

/** 256 bits that nobody can guess. */
const newSecret = (): string => randomBytes(32).toString('base64url');

/** Makes a door with a token of its own, and nobody inside. */
export function createDoor(): Door {
  const token = newSecret();
  const onceTokens = new Set<string>();
  /** The one that was heard of longest ago first. */
  const sessions = new Set<Session>();
  const opens = (offered: string): boolean => {
    for (const once of onceTokens) if (isSameSecret(offered, once)) return onceTokens.delete(once);
    return isSameSecret(offered, token);
  };
  return {
    token,
    onceToken() {
      const once = newSecret();
      onceTokens.add(once);
      return once;
    },
    admit(offered) {
      if (!opens(offered)) return null;
      if (sessions.size >= MAX_SESSIONS) {
        const gone = [...sessions].find(({ streams }) => streams === 0);
        if (gone === undefined) return 'full';
        sessions.delete(gone);
      }
      const session = { secret: newSecret(), streams: 0 };
      sessions.add(session);
      return session;
    },
    find(secret) {
      const session = [...sessions].find((known) => isSameSecret(secret, known.secret)) ?? null;
      if (session) {
        sessions.delete(session);
        sessions.add(session);
      }
      return session;
    },
  };
}
