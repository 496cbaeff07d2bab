import { createHash, createHmac, randomBytes } from 'node:crypto';
import { keyText, type ProofAnswer, proofText, type SessionAnswer, ticketText } from '../contract/panel-session';
import { isSameSecret } from './guard';
import { type StoredTab, TABS_MAX } from './stored-tabs';

export type Session = {
  readonly id: string;
  /** See `keyText`. */
  readonly key: Buffer;
  /** Last proof or request, in Unix ms. */
  at: number;
  streams: number;
};

export type Door = Readonly<{
  /** Admits tabs while the panel runs. */
  token: string;
  /** Creates a token that admits one tab: other users of the machine could read it from a command line. */
  onceToken(): string;
  /** Returns null for a wrong token, and `full` at the limit of open tabs. */
  admit(offered: string): SessionAnswer | 'full' | null;
  prove(id: string, nonce: string): ProofAnswer;
  find(ticket: string): Session | null;
  tabs(): readonly StoredTab[];
}>;

export type DoorOptions = Readonly<{
  tabs: readonly StoredTab[];
  port(): number;
}>;

const TAB_ID_BYTES = 16;

const newSecret = (): string => randomBytes(32).toString('base64url');

export function createDoor({ tabs: earlier, port }: DoorOptions): Door {
  const token = newSecret();
  const panelNonce = newSecret();
  const onceTokens = new Set<string>();
  /** The longest unused first. */
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
