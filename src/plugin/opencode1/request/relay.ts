import { type Decision, type Evidence, redact } from '../../../engine';
import { type AnswerStream, countedIn, type Reading } from '../../answer/answer-stream';
import { calm } from '../../answer/calm';
import { rebuilt } from '../../answer/evidence';
import { goOn, wholeEnd } from '../../answer/terminator';
import { isStopped, isTimeLimit, limitOf } from '../memory/stop';
import { noteAnswered } from '../memory/turn-memory';
import { outcomeOf } from './ask';
import { askedAgainText, type Call, finalText, isEnd, notePassedOn, opencodeOf, tellFailed } from './call';
import { type Carried, carry, KEPT_OUTPUT_CHARS } from './carry';
import { lendStep, spendStep } from './lent-step';
import type { Answered } from './try-once';

type Attempt = Readonly<{ id: string; startedAt: number }>;
type Controller = ReadableStreamDefaultController<Uint8Array>;
type FailedReading = Extract<Reading, { kind: 'failed' }>;

type Relay = Readonly<{
  call: Call;
  answer: Answered;
  attempt: Attempt & Readonly<{ firstTokenMs: number }>;
  stream: AnswerStream;
  /** `isOver`: the end is reported; `heldBack`: a finish without content; `final`: an error that ends the turn. */
  now: { isOver: boolean; heldBack: string; final: { error: Error; waits: number } | null };
  gone: AbortController;
}>;

const ENCODER = new TextEncoder();
const COMMENT = ENCODER.encode(': \n\n');
/** One for each stage of a stream on its way to OpenCode, in 1.18.33. */
const FINAL_WAITS = 4;
/** Lets OpenCode store the last piece before the error. */
const FINAL_PAUSE_MS = 50;

/** A cut, silence, late error or missing finish becomes a switch inside the stream. */
export function relayAnswer(call: Call, answer: Answered, attempt: Attempt): Response {
  const { brain, limits, firstTokens } = call.request.instance.companion;
  firstTokens.came(attempt.id);
  const named = { ...attempt, firstTokenMs: brain.now() - attempt.startedAt };
  if (!answer.stream) {
    succeed(call, named, null);
    return answer.response;
  }
  const now: Relay['now'] = { isOver: false, heldBack: '', final: null };
  const relay: Relay = { call, answer, attempt: named, stream: answer.stream, now, gone: new AbortController() };
  const stallMs = limits().stallTimeoutMs;
  const opening = [...answer.opening];
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => heedStop(relay, controller),
    async pull(controller) {
      if (now.final) await endWith(now.final, controller);
      else if (!give(relay, controller, opening.splice(0))) await readOn(relay, controller, stallMs);
    },
    cancel: (reason) => leave(relay, reason),
  });
  return rebuilt(answer.response, body);
}

/** Ends a response that was never read, too. */
function heedStop(relay: Relay, controller: Controller): void {
  const { signal } = relay.call;
  const stop = (): void => {
    if (!isStopped(signal)) return;
    leave(relay, signal?.reason);
    controller.error(signal?.reason);
  };
  signal?.addEventListener('abort', stop, { once: true });
}

/** Bun does not repeat a pull that enqueued nothing. */
async function readOn(relay: Relay, controller: Controller, stallMs: number): Promise<void> {
  const { stream, now } = relay;
  while (!now.isOver) {
    const reading = await stream.read(stallMs);
    if (now.isOver) return;
    if (reading.kind === 'failed') {
      await relay.call.request.instance.companion.refresh(true);
      return now.isOver ? undefined : fail(relay, controller, reading);
    }
    if (reading.kind === 'end') {
      now.isOver = true;
      succeed(relay.call, relay.attempt, stream);
      return close(controller, now.heldBack);
    }
    if (give(relay, controller, reading.events)) return;
  }
}

/** Holds back a finish without content, as the empty response may lead to a switch. */
function give({ stream, now }: Relay, controller: Controller, events: readonly string[]): boolean {
  const text = now.heldBack + stream.mended(events.join(''));
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

function succeed(call: Call, attempt: Relay['attempt'], stream: AnswerStream | null): void {
  const { request } = call;
  const { brain } = request.instance.companion;
  const { id, startedAt, firstTokenMs } = attempt;
  const durationMs = brain.now() - startedAt;
  noteAnswered(request.turn);
  spendStep(call);
  brain.tell({ type: 'attempt.succeeded', attempt: id, durationMs, firstTokenMs, ...countedIn(stream) });
}

/** An error discards what the SDK's parsers still hold: comments push it out. */
async function endWith(final: NonNullable<Relay['now']['final']>, controller: Controller): Promise<void> {
  if (final.waits-- > 0) return controller.enqueue(COMMENT);
  await new Promise((resolve) => setTimeout(resolve, FINAL_PAUSE_MS));
  controller.error(final.error);
}

async function fail(relay: Relay, controller: Controller, reading: FailedReading): Promise<void> {
  const { call, stream, now } = relay;
  const limit = limitOf(call.signal);
  const first = end(relay, limit ? lateEvidence(limit, stream) : reading.evidence);
  const where = { isBegun: true, openBlock: stream.openBlock() };
  const decision = first && (await outcomeOf(call, first, stopOf(relay)));
  const carriedBy = decision && (await carried(relay, decision));
  if (carriedBy === 'end') {
    now.final = { error: new Error(calm(askedAgainText(call))), waits: FINAL_WAITS };
    return endWith(now.final, controller);
  }
  if (decision && carriedBy !== null) {
    lendStep(call);
    return close(controller, goOn(call.wire, where, opencodeOf(call)));
  }
  // A thrown error preserves the text; an error event would show its JSON.
  if (decision && isEnd(call, decision)) {
    now.final = { error: new Error(calm(finalText(call, decision))), waits: FINAL_WAITS };
    return endWith(now.final, controller);
  }
  // Without a finish OpenCode would repeat the request forever.
  if (decision?.failure?.kind === 'early_termination' && stream.outputChars() > KEPT_OUTPUT_CHARS)
    return close(controller, now.heldBack + reading.events.join('') + wholeEnd(call.wire, where));
  notePassedOn(call, decision);
  if (reading.cause !== null) return controller.error(reading.cause);
  close(controller, now.heldBack + reading.events.join(''));
}

/** @throws the reason if the reader is gone. */
function carried(relay: Relay, decision: Decision): Promise<Carried> {
  return carry(relay.call, decision, { isBegun: true, chars: relay.stream.outputChars() }, stopOf(relay));
}

const stopOf = ({ call, gone }: Relay): AbortSignal =>
  call.signal ? AbortSignal.any([call.signal, gone.signal]) : gone.signal;

const lateEvidence = (limit: Error, stream: AnswerStream): Evidence => ({
  phase: 'watchdog',
  observed: 'timeout',
  message: redact(limit.message),
  outputChars: stream.outputChars(),
});

function end({ call, answer, attempt, stream, now }: Relay, evidence: Evidence): ReturnType<typeof tellFailed> {
  now.isOver = true;
  stream.cancel();
  answer.abort.abort();
  const durationMs = call.request.instance.companion.brain.now() - attempt.startedAt;
  return tellFailed(call, attempt.id, { evidence, durationMs });
}

/**
 * Handles a reader that is gone: after the finish an SDK may stop reading; before it the user stopped, or OpenCode
 * timed out and its retry must find the message re-pointed.
 */
function leave(relay: Relay, reason: unknown): void {
  const { call, answer, attempt, stream, now, gone } = relay;
  gone.abort(reason);
  if (now.isOver) return;
  if (isTimeLimit(reason) && !stream.isFinished()) {
    const decision = end(relay, lateEvidence(reason, stream));
    if (decision?.action.kind !== 'switch') notePassedOn(call, decision);
    // silent: it rejects with the user's reason to stop
    else void carried(relay, decision).catch(() => undefined);
    return;
  }
  now.isOver = true;
  if (stream.isFinished() && stream.hasAnswer()) succeed(call, attempt, stream);
  else call.request.instance.companion.brain.tell({ type: 'attempt.aborted', attempt: attempt.id });
  answer.abort.abort();
  stream.cancel();
}
