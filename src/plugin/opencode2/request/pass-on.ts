import { type AnswerStream, countedIn, type Reading } from '../../answer/answer-stream';
import type { Instance, ModelCall } from '../session/instance';
import { abortCall, answerCall, failCall, takeEnd } from './calls';
import type { Tap } from './tap';

/** An answer on its way to OpenCode, looked at, and changed only in an end that OpenCode does not accept. */
export type Watched = Readonly<{
  instance: Instance;
  call: ModelCall;
  tap: Tap;
  stream: AnswerStream;
  response: Response;
  /** OpenCode reads what it was given. */
  onRead: () => void;
  /** How long it may be silent, in ms. */
  limitMs: number;
  firstTokenMs?: number;
}>;

type Controller = ReadableStreamDefaultController<Uint8Array>;
type FailedReading = Extract<Reading, { kind: 'failed' }>;

/** Where nothing is to be noticed, in ms: a timer takes no more. */
export const NEVER_MS = 2_147_483_647;

/** Whether somebody is to do something about a call's failure, other than OpenCode by itself. */
export const isToMove = ({ decision }: ModelCall): boolean =>
  decision !== null && decision.action.kind !== 'pass' && decision.action.kind !== 'keep';

/**
 * Passes an answer on, byte by byte as it comes and no faster than it is read. A silence beyond the limit, an error among
 * the events and a finish without an answer become an error of the connection where somebody else can speak: of that one
 * OpenCode asks what to do. Everything else it sees for itself.
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

/** A finish without an answer waits: if nothing follows, it is an empty response. */
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

/** The bytes since the last time; null for none. An event that is not whole waits: its end may have to be another one. */
function taken({ tap, stream }: Watched, isLast: boolean): Uint8Array | null {
  const bytes = Buffer.concat(tap.take());
  const end = isLast ? bytes.length : Math.max(bytes.lastIndexOf('\n\n') + 2, bytes.lastIndexOf('\n\r\n') + 3);
  const whole = bytes.subarray(0, end < 3 && !isLast ? 0 : end);
  if (whole.length < bytes.length) tap.putBack(bytes.subarray(whole.length));
  if (whole.length === 0) return null;
  // Until the answer ends nothing is to be mended, and most events pass as bytes.
  return stream.isFinished() ? Buffer.from(stream.mended(whole.toString('latin1')), 'latin1') : whole;
}

/** @returns whether the answer is over with it. */
function fail(watched: Watched, controller: Controller, reading: FailedReading): boolean {
  const { instance, call, stream } = watched;
  const { observed } = reading.evidence;
  // What is told already, OpenCode gets as it comes.
  const wasOpen = call.end === 'open';
  failCall(instance, call, reading.evidence);
  // One of OpenCode's own that falls silent is asked for again: then somebody else answers.
  const isEndable = isToMove(call) || (call.isWatched && observed === 'timeout');
  const isEnded = observed === 'stream_interrupted' || (wasOpen && observed !== 'early_termination' && isEndable);
  if (!isEnded) {
    // An error among the events, or a silence that nobody can end: OpenCode reads on.
    if (observed === undefined || observed === 'timeout') return false;
    close(watched, controller);
    return true;
  }
  stream.cancel();
  const reason = reading.evidence.message ?? 'the answer was empty';
  const end = takeEnd(instance, call);
  controller.error(
    end === null ? (reading.cause ?? new Error(`The connection was closed: ${reason}`)) : new Error(end),
  );
  return true;
}

/** Nobody reads on: after the finish that is no loss. */
function leave({ instance, call, stream, firstTokenMs }: Watched): void {
  if (stream.isFinished() && stream.hasAnswer())
    answerCall(instance, call, { firstTokenMs: firstTokenMs ?? null, ...countedIn(stream) });
  else abortCall(instance, call);
  stream.cancel();
}
