import { answer, type PanelHost, type QueryOutput } from '../contract/contract';
import type { UnknownPhrase } from '../contract/unknown-phrase';
import type { Outcome } from '../node/base/failure';

/** Every failure that the host cannot name, the latest first, or why it does not answer. Never throws. */
export async function unknownPhrases(host: PanelHost): Promise<Outcome<{ value: readonly UnknownPhrase[] }>> {
  // By id: one that is heard again between two pages moves to the front.
  const found = new Map<string, UnknownPhrase>();
  for (let offset = 0; ; ) {
    const reply = await answer(host.handlers, 'phrases.unknown', { offset });
    if (!reply.ok) return reply;
    const { entries, total } = reply.value as QueryOutput<'phrases.unknown'>;
    for (const entry of entries) found.set(entry.id, entry);
    offset += entries.length;
    if (entries.length === 0 || offset >= total) return { ok: true, value: [...found.values()] };
  }
}
