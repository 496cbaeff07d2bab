import type { Evidence, ModelId } from '../../engine';
import { textAnswer } from '../answer/text-answer';
import type { Wire } from '../answer/wire';
import type { Rehearse } from './rehearsal';

const STAND_INS_MAX = 3;

export type StandIns = Readonly<{
  rehearse: Rehearse;
  wire: Wire;
  /** Asks one of them. @returns its text, or why there is none; null where it was not even asked. Rejects where nobody wants an answer any more. */
  ask: (model: ModelId) => Promise<string | Evidence | null>;
}>;

/**
 * Lets other models answer a request that OpenCode makes for itself, one after another as the engine would have them.
 *
 * @param first Who was meant.
 * @param failure How it failed; null where it has not been asked.
 * @returns the first text as an answer of the one that was meant; null where nobody gave one, or the wire cannot carry it.
 */
export async function standIn(
  first: ModelId,
  failure: Evidence | null,
  { rehearse, wire, ask }: StandIns,
): Promise<Response | null> {
  let model = rehearse(first, failure);
  for (let count = 0; model !== null && count < STAND_INS_MAX; count++) {
    const answer = await ask(model);
    if (typeof answer === 'string') {
      const body = textAnswer(wire, answer);
      return body === null
        ? null
        : new Response(body, { status: 200, headers: { 'content-type': 'text/event-stream' } });
    }
    if (answer === null) return null;
    model = rehearse(model, answer);
  }
  return null;
}
