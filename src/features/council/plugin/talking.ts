import type { AppLink } from '../../../node/socket/app-link';
import type { Talk } from '../../../protocol';

type Talker = (session: string) => Promise<readonly Talk[] | null>;

/** Global, because OpenCode 2 loads this file per location, and one of them has the link to the app. */
const shared = globalThis as unknown as Record<symbol, Map<string, Talker> | undefined>;
const KEY = Symbol.for('understudy council talkers');

function talkers(): Map<string, Talker> {
  const existing = shared[KEY] ?? new Map<string, Talker>();
  shared[KEY] = existing;
  return existing;
}

/** @returns a function that ends it. */
export function talksIn(run: string, talker: Talker): () => void {
  talkers().set(run, talker);
  return () => {
    if (talkers().get(run) === talker) talkers().delete(run);
  };
}

export function heedCouncils(link: AppLink): void {
  link.onMessage((message) => {
    if (message.type !== 'council.ask') return;
    const { id, run, session } = message;
    void talkIn(run, session).then((talk) => link.send({ type: 'council.talk', id, talk: talk && [...talk] }));
  });
}

/** Null for a run played elsewhere. Never rejects. */
const talkIn = async (run: string, session: string): Promise<readonly Talk[] | null> =>
  (await talkers().get(run)?.(session)) ?? null;
