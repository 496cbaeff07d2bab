import type { QueryName } from '../../contract/contract';
import type { AppLink } from './app-link';

/** A snapshot waits for nothing. */
const LOOK_DEADLINE_MS = 20_000;
/** Longer than the longest drill or model trial. */
const DEADLINE_MS = 150_000;

type Waiting = Readonly<{ resolve: (value: unknown) => void; reject: (error: Error) => void }>;

/** @throws Error with a message for people. */
export type Asker = (name: QueryName, input: unknown) => Promise<unknown>;

const deadlineOf = (name: QueryName): number => (name === 'snapshot.get' ? LOOK_DEADLINE_MS : DEADLINE_MS);

export function createAsker(link: AppLink): Asker {
  const waiting = new Map<string, Waiting>();
  let nextId = 1;
  link.onMessage((message) => {
    if (message.type !== 'answer') return;
    const asker = waiting.get(message.id);
    if (message.ok) asker?.resolve(message.value);
    else asker?.reject(new Error(message.reason ?? 'refused'));
  });
  link.onClose(() => {
    for (const asker of waiting.values()) asker.reject(new Error('The connection to Understudy was lost.'));
  });
  return (name, input) =>
    new Promise<unknown>((resolve, reject) => {
      const id = String(nextId++);
      const limitMs = deadlineOf(name);
      const late = new Error(`Understudy did not answer "${name}" within ${limitMs / 1_000} seconds.`);
      const timer = setTimeout(() => settled(() => reject(late)), limitMs);
      const settled = (settle: () => void): void => {
        clearTimeout(timer);
        waiting.delete(id);
        settle();
      };
      waiting.set(id, {
        resolve: (value) => settled(() => resolve(value)),
        reject: (error) => settled(() => reject(error)),
      });
      const sent = link.send({ type: 'ask', id, name, input });
      if (sent.ok) return;
      const isGone = sent.code === 'gone';
      waiting
        .get(id)
        ?.reject(
          new Error(isGone ? 'The connection to Understudy was lost.' : `The request cannot be sent: ${sent.reason}.`),
        );
    });
}
