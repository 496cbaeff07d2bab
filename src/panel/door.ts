import { createHash, createHmac, randomBytes } from 'node:crypto';
import { keyText, type ProofAnswer, proofText, type SessionAnswer, ticketText } from '../contract/panel-session';
import { isSameSecret } from './guard';
import { type StoredTab, TABS_MAX } from './stored-tabs';

/** A tab that was let in. */
export type Session = {
  readonly id: string;
  /** Key of its codes; see `keyText`. */
  readonly key: Buffer;
  /** Last proof or question, in Unix ms. */
  at: number;
  /** Event streams it has open. */
  streams: number;
};

export type Door = Readonly<{
  /** Lets tabs in for as long as the panel lives. */
  token: string;
  /** A token that lets one tab in: for a command line, which other users of the machine could read. */
  onceToken(): string;
  /** Lets a tab in; null when it offers the wrong token, `full` when as many are open as may be. */
  admit(offered: string): SessionAnswer | 'full' | null;
  /** Proves to a tab that this panel knows its secret. */
  prove(id: string, nonce: string): ProofAnswer;
  /** The tab that has this ticket; null when none has. */
  find(ticket: string): Session | null;
  /** All tabs, for a later panel. */
  tabs(): readonly StoredTab[];
}>;

export type DoorOptions = Readonly<{
  tabs: readonly StoredTab[];
  port(): number;
}>;

const TAB_ID_BYTES = 16;

/** 256 bits that nobody can guess. */
const newSecret = (): string => randomBytes(32).toString('base64url');

/** Makes a door with a token of its own, and the tabs of an earlier panel inside. */
export function createDoor({ tabs: earlier, port }: DoorOptions): Door {
  const token = newSecret();
  const panelNonce = newSecret();
  const onceTokens = new Set<string>();
  /** The one that was heard of longest ago first. */
  const sessions = new Set<Session>();
  for (const { id, key, at } of earlier.slice(-TABS_MAX))
    sessions.add({ id, key: Buffer.from(key, 'base64url'), at, streams: 0 });
  const opens = (offered: string): boolean => {
    for (const once of onceTokens) if (isSameSecret(offered, once)) return onceTokens.delete(once);
    return isSameSecret(offered, token);
  };
  const code = ({ key }: Session, text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  const touch = (session: Session): void => {
    session.at = Date.now();
    sessions.delete(session);
    sessions.add(session);
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
      if (sessions.size >= TABS_MAX) {
        const gone = [...sessions].find(({ streams }) => streams === 0);
        if (gone === undefined) return 'full';
        sessions.delete(gone);
      }
      const secret = newSecret();
      const id = randomBytes(TAB_ID_BYTES).toString('base64url');
      const key = createHash('sha256').update(keyText(secret)).digest();
      sessions.add({ id, key, at: Date.now(), streams: 0 });
      return { id, secret };
    },
    prove(id, nonce) {
      const session = [...sessions].find((one) => isSameSecret(id, one.id));
      if (!session) return { isKnown: false };
      touch(session);
      return { isKnown: true, nonce: panelNonce, proof: code(session, proofText(port(), nonce, panelNonce)) };
    },
    find(ticket) {
      const text = ticketText(port(), panelNonce);
      const session = [...sessions].find((one) => isSameSecret(ticket, code(one, text))) ?? null;
      if (session) touch(session);
      return session;
    },
    tabs() {
      const now = Date.now();
      return [...sessions].map(({ id, key, at, streams }) => ({
        id,
        key: key.toString('base64url'),
        at: streams > 0 ? now : at,
      }));
    },
  };
}
