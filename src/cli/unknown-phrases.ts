import { answer, type PanelHost, type QueryOutput, type UnknownPhrase } from '../contract';

/** Every failure that the host cannot name, the latest first; null when it does not answer. Never throws. */
export async function unknownPhrases(host: PanelHost): Promise<readonly UnknownPhrase[] | null> {
  // By id: one that is heard again between two pages moves to the front.
  const found = new Map<string, UnknownPhrase>();
  for (let offset = 0; ; ) {
    const reply = await answer(host.handlers, 'phrases.unknown', { offset });
    if (!reply.ok) return null;
    const { entries, total } = reply.value as QueryOutput<'phrases.unknown'>;
    for (const entry of entries) found.set(entry.id, entry);
    offset += entries.length;
    if (entries.length === 0 || offset >= total) return [...found.values()];
  }
}
