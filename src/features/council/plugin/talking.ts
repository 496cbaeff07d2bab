import type { AppLink } from '../../../node/socket/app-link';
import type { Talk } from '../../../protocol';

type Talker = (session: string) => Promise<readonly Talk[] | null>;

/** OpenCode 2 loads this file anew for every location: who plays a run is kept where the one link to the app finds it. */
const shared = globalThis as unknown as Record<symbol, Map<string, Talker> | undefined>;
const KEY = Symbol.for('understudy council talkers');

function talkers(): Map<string, Talker> {
  const known = shared[KEY] ?? new Map<string, Talker>();
  shared[KEY] = known;
  return known;
}

/** Lets what is said in a run be looked at. @returns what ends it. */
export function talksIn(run: string, talker: Talker): () => void {
  talkers().set(run, talker);
  return () => {
    if (talkers().get(run) === talker) talkers().delete(run);
  };
}

/** Tells the app what participants of a council say, while a person looks at them. */
export function heedCouncils(link: AppLink): void {
  link.onMessage((message) => {
    if (message.type !== 'council.ask') return;
    const { id, run, session } = message;
    void talkIn(run, session).then((talk) => link.send({ type: 'council.talk', id, talk: talk && [...talk] }));
  });
}

/** What has been said in a session of a run that this process plays; null where it plays none of that name. Never rejects. */
const talkIn = async (run: string, session: string): Promise<readonly Talk[] | null> =>
  (await talkers().get(run)?.(session)) ?? null;
