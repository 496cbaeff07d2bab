import type { Evidence, ModelId } from '../../engine';
import { textAnswer } from '../answer/text-answer';
import type { Wire } from '../answer/wire';
import type { Rehearse } from './rehearsal';

const STAND_INS_MAX = 3;

export type StandIns = Readonly<{
  rehearse: Rehearse;
  wire: Wire;
  /** @returns the text, or the failure; null without a request. Rejects if no longer needed. */
  ask: (model: ModelId) => Promise<string | Evidence | null>;
}>;

/**
 * @param failure null if `first` was not called.
 * @returns null without a text, or if the wire cannot carry it.
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
