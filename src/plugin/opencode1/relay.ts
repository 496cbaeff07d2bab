import type { AnswerStream, Reading } from './answer-stream';
import { type Call, carrySwitch, finalText, rebuilt, tellFailed } from './call';
import { calm } from './calm';
import type { Answered } from './try-once';
import { goOn } from './wire';

type Attempt = Readonly<{ id: string; startedAt: number }>;
type Controller = ReadableStreamDefaultController<Uint8Array>;

/** One answer on its way to OpenCode. */
type Relay = Readonly<{
  call: Call;
  answer: Answered;
  attempt: Attempt & Readonly<{ firstTokenMs: number }>;
  stream: AnswerStream;
  /** What changes: whether the end has been told, and a finish that waits for its answer. */
  now: { isOver: boolean; heldBack: string };
}>;

const ENCODER = new TextEncoder();

/**
 * Passes an answer on as it comes. A cut, a silence, a late error or a missing finish becomes a switch inside the
 * stream; the end of a whole answer is the attempt's success.
 */
export function relayAnswer(call: Call, answer: Answered, attempt: Attempt): Response {
  const { brain, limits } = call.request.instance.companion;
  const named = { ...attempt, firstTokenMs: brain.now() - attempt.startedAt };
  if (!answer.stream) {
    succeed(call, named, 0);
    return answer.response;
  }
  const now = { isOver: false, heldBack: '' };
  const relay: Relay = { call, answer, attempt: named, stream: answer.stream, now };
  const stallMs = limits().stallTimeoutMs;
  const opening = [...answer.opening];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!give(relay, controller, opening.splice(0))) await readOn(relay, controller, stallMs);
    },
    cancel: () => leave(relay),
  });
  return rebuilt(answer.response, body);
}

/** Reads until something is passed: a pull that enqueues nothing is not called again in Bun. */
async function readOn(relay: Relay, controller: Controller, stallMs: number): Promise<void> {
  const { stream, now } = relay;
  while (!now.isOver) {
    const reading = await stream.read(stallMs);
    if (now.isOver) return;
    if (reading.kind === 'failed') return fail(relay, controller, reading);
    if (reading.kind === 'end') {
      now.isOver = true;
      succeed(relay.call, relay.attempt, stream.outputChars());
      return close(controller, now.heldBack);
    }
    if (give(relay, controller, reading.events)) return;
  }
}

/** A finish without an answer waits: if nothing follows, it is an empty response and another model shall speak. */
function give({ stream, now }: Relay, controller: Controller, events: readonly string[]): boolean {
  const text = now.heldBack + events.join('');
  if (text === '') return false;
  const waits = stream.isFinished() && !stream.hasAnswer();
  now.heldBack = waits ? text : '';
  if (!waits) controller.enqueue(ENCODER.encode(text));
  return !waits;
}

function close(controller: Controller, text: string): void {
  if (text !== '') controller.enqueue(ENCODER.encode(text));
  controller.close();
}

function succeed({ request }: Call, attempt: Relay['attempt'], outputChars: number): void {
  const { brain } = request.instance.companion;
  const { id, startedAt, firstTokenMs } = attempt;
  const durationMs = brain.now() - startedAt;
  brain.tell({ type: 'attempt.succeeded', attempt: id, durationMs, firstTokenMs, outputChars });
}

async function fail(
  { call, answer, attempt, stream, now }: Relay,
  controller: Controller,
  reading: Extract<Reading, { kind: 'failed' }>,
): Promise<void> {
  const { brain } = call.request.instance.companion;
  now.isOver = true;
  stream.cancel();
  answer.abort.abort();
  if (call.user?.aborted) {
    brain.tell({ type: 'attempt.aborted', attempt: attempt.id });
    return controller.error(call.user.reason);
  }
  const { evidence, cause, events } = reading;
  const durationMs = brain.now() - attempt.startedAt;
  const decision = tellFailed(call, attempt.id, { evidence, durationMs });
  if (decision?.action.kind === 'switch' && (await carrySwitch(call, decision, stream.outputChars())))
    return close(controller, goOn(call.wire, { isBegun: true, openBlock: stream.openBlock() }));
  if (call.user?.aborted) return controller.error(call.user.reason);
  // Thrown, the sentence is shown as it is and the text that has arrived stays; an error event would show its JSON.
  if (decision?.action.kind === 'exhausted') return controller.error(new Error(calm(finalText(call, decision))));
  if (cause !== null) return controller.error(cause);
  close(controller, now.heldBack + events.join(''));
}

/** An SDK may stop reading once it has the finish; before it, the user has stopped the turn. */
function leave({ call, answer, attempt, stream, now }: Relay): void {
  if (now.isOver) return;
  now.isOver = true;
  if (stream.isFinished()) succeed(call, attempt, stream.outputChars());
  else call.request.instance.companion.brain.tell({ type: 'attempt.aborted', attempt: attempt.id });
  answer.abort.abort();
  stream.cancel();
}
