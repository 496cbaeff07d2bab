import type { Reading } from './answer-stream';
import { type Call, carrySwitch, finalText, rebuilt } from './call';
import { calm } from './calm';
import type { Answered } from './try-once';
import { goOn } from './wire';

type Attempt = Readonly<{ id: string; startedAt: number }>;
type Controller = ReadableStreamDefaultController<Uint8Array>;

/**
 * Passes an answer on as it comes. A cut, a silence, a late error or a missing finish becomes a switch inside the
 * stream; the end of a whole answer is the attempt's success.
 */
export function relayAnswer(call: Call, answer: Answered, attempt: Attempt): Response {
  const { brain } = call.request.instance.companion;
  const { stream } = answer;
  const firstTokenMs = brain.now() - attempt.startedAt;
  let isOver = false;
  const succeed = (): void => {
    isOver = true;
    const outputChars = stream?.outputChars() ?? 0;
    brain.tell({
      type: 'attempt.succeeded',
      attempt: attempt.id,
      durationMs: brain.now() - attempt.startedAt,
      firstTokenMs,
      outputChars,
    });
  };
  if (!stream) {
    succeed();
    return answer.response;
  }

  const encoder = new TextEncoder();
  let heldBack = '';
  /** A finish without an answer waits: if nothing follows, it is an empty response and another model shall speak. */
  const give = (controller: Controller, events: readonly string[]): boolean => {
    const text = heldBack + events.join('');
    if (text === '') return false;
    if (stream.isFinished() && !stream.hasAnswer()) {
      heldBack = text;
      return false;
    }
    heldBack = '';
    controller.enqueue(encoder.encode(text));
    return true;
  };
  const put = (controller: Controller, text: string): void => {
    if (text !== '') controller.enqueue(encoder.encode(text));
    controller.close();
  };

  const fail = async (controller: Controller, reading: Extract<Reading, { kind: 'failed' }>): Promise<void> => {
    isOver = true;
    stream.cancel();
    answer.abort.abort();
    if (call.user?.aborted) {
      brain.tell({ type: 'attempt.aborted', attempt: attempt.id });
      return controller.error(call.user.reason);
    }
    const durationMs = brain.now() - attempt.startedAt;
    const [decision] = brain.tell({
      type: 'attempt.failed',
      attempt: attempt.id,
      evidence: reading.evidence,
      durationMs,
    });
    if (decision?.action.kind === 'switch' && (await carrySwitch(call, decision, stream.outputChars()))) {
      return put(controller, goOn(call.wire, { isBegun: true, openBlock: stream.openBlock() }));
    }
    if (call.user?.aborted) return controller.error(call.user.reason);
    // Thrown, the sentence is shown as it is and the text that has arrived stays; an error event would show its JSON.
    if (decision?.action.kind === 'exhausted') return controller.error(new Error(calm(finalText(decision))));
    if (reading.cause !== null) return controller.error(reading.cause);
    put(controller, heldBack + reading.events.join(''));
  };

  const stallMs = call.request.instance.companion.limits().stallTimeoutMs;
  const opening = [...answer.opening];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (give(controller, opening.splice(0))) return;
      // A pull that enqueues nothing is not called again in Bun: read on until something is passed.
      while (!isOver) {
        const reading = await stream.read(stallMs);
        if (isOver) return;
        if (reading.kind === 'failed') return fail(controller, reading);
        if (reading.kind === 'end') {
          succeed();
          return put(controller, heldBack);
        }
        if (give(controller, reading.events)) return;
      }
    },
    cancel() {
      if (isOver) return;
      // An SDK may stop reading once it has the finish; before it, the user has stopped the turn.
      if (stream.isFinished()) succeed();
      else brain.tell({ type: 'attempt.aborted', attempt: attempt.id });
      isOver = true;
      answer.abort.abort();
      stream.cancel();
    },
  });
  return rebuilt(answer.response, body);
}
