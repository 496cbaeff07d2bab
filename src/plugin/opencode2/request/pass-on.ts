import { type AnswerStream, countedIn, type Reading } from '../../answer/answer-stream';
import type { Instance, ModelCall } from '../session/instance';
import { abortCall, answerCall, failCall, takeEnd } from './calls';
import type { Tap } from './tap';

export type Watched = Readonly<{
  instance: Instance;
  call: ModelCall;
  tap: Tap;
  stream: AnswerStream;
  response: Response;
  /** Runs when OpenCode reads the body. */
  onRead: () => void;
  /** Longest silence, in ms. */
  limitMs: number;
  firstTokenMs?: number;
}>;

type Controller = ReadableStreamDefaultController<Uint8Array>;
type FailedReading = Extract<Reading, { kind: 'failed' }>;

/** The longest delay of a timer, in ms. */
export const NEVER_MS = 2_147_483_647;

export const isToMove = ({ decision }: ModelCall): boolean =>
  decision !== null && decision.action.kind !== 'pass' && decision.action.kind !== 'keep';

/**
 * If another model can answer, a stall, an error event or an empty finish becomes a connection error, because OpenCode
 * then calls the retry hook.
 */
export function passOn(watched: Watched): Response {
  const { stream, response, call } = watched;
  const now = { isDone: false, isRead: false, hasToken: watched.firstTokenMs !== undefined };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!now.isRead) watched.onRead();
        now.isRead = true;
        while (!now.isDone && !give(watched, controller)) {
          const reading = await stream.read(call.end === 'open' ? watched.limitMs : NEVER_MS);
          noteFirstToken(watched, now);
          if (reading.kind === 'failed') now.isDone = fail(watched, controller, reading);
          if (reading.kind === 'end') {
            now.isDone = true;
            answerCall(watched.instance, call, { firstTokenMs: watched.firstTokenMs ?? null, ...countedIn(stream) });
            close(watched, controller);
          }
        }
      },
      cancel() {
        leave(watched);
      },
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

function noteFirstToken({ instance, call, stream }: Watched, now: { hasToken: boolean }): void {
  if (now.hasToken || !stream.hasContent()) return;
  now.hasToken = true;
  instance.companion.firstTokens.came(call.id);
}

/** Delays a finish without an answer: it may be an empty response. */
const isHeldBack = ({ call, stream }: Watched): boolean =>
  call.end === 'open' && !call.isWatched && stream.isFinished() && !stream.hasAnswer();

function give(watched: Watched, controller: Controller): boolean {
  if (isHeldBack(watched)) return false;
  const piece = taken(watched, false);
  if (piece !== null) controller.enqueue(piece);
  return piece !== null;
}

function close(watched: Watched, controller: Controller): void {
  const piece = taken(watched, true);
  if (piece !== null) controller.enqueue(piece);
  controller.close();
}

/** Returns complete events; null for none. The end of an incomplete event may need a repair. */
function taken({ tap, stream }: Watched, isLast: boolean): Uint8Array | null {
  const bytes = Buffer.concat(tap.take());
  const end = isLast ? bytes.length : Math.max(bytes.lastIndexOf('\n\n') + 2, bytes.lastIndexOf('\n\r\n') + 3);
  const whole = bytes.subarray(0, end < 3 && !isLast ? 0 : end);
  if (whole.length < bytes.length) tap.putBack(bytes.subarray(whole.length));
  if (whole.length === 0) return null;
  // Only the end of a response is repaired.
  return stream.isFinished() ? Buffer.from(stream.mended(whole.toString('latin1')), 'latin1') : whole;
}

/** @returns true if the response ends here. */
function fail(watched: Watched, controller: Controller, reading: FailedReading): boolean {
  const { instance, call, stream } = watched;
  const { observed } = reading.evidence;
  // OpenCode gets a failure unchanged if it was already reported.
  const wasOpen = call.end === 'open';
  failCall(instance, call, reading.evidence);
  // OpenCode retries its own request after a stall, and another model answers it.
  const isEndable = isToMove(call) || (call.isWatched && observed === 'timeout');
  const isEnded = observed === 'stream_interrupted' || (wasOpen && observed !== 'early_termination' && isEndable);
  if (!isEnded) {
    // OpenCode keeps reading after an error event, or a stall that no switch resolves.
    if (observed === undefined || observed === 'timeout') return false;
    close(watched, controller);
    return true;
  }
  stream.cancel();
  const reason = reading.evidence.message ?? 'the response was empty';
  const end = takeEnd(instance, call);
  controller.error(
    end === null ? (reading.cause ?? new Error(`The connection was closed: ${reason}`)) : new Error(end),
  );
  return true;
}

/** Nothing is lost after the finish. */
function leave({ instance, call, stream, firstTokenMs }: Watched): void {
  if (stream.isFinished() && stream.hasAnswer())
    answerCall(instance, call, { firstTokenMs: firstTokenMs ?? null, ...countedIn(stream) });
  else abortCall(instance, call);
  stream.cancel();
}
