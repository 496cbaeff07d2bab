import { type Evidence, redact } from '../../engine';
import { withAcceptedEnd } from './accepted-end';
import { errorWaitMs } from './body-hint';
import { createEventSplitter } from './sse';
import { chatFinish } from './terminator';
import { dataOf, type Progress, progressOf, type Wire } from './wire';

const DONE = /^data: ?\[DONE\]/m;

const REASON_MAX_CHARS = 60;

class SilenceError extends Error {
  override readonly name = 'SilenceError';
}

export type Reading =
  | Readonly<{ kind: 'events'; events: readonly string[] }>
  | Readonly<{ kind: 'end' }>
  | Readonly<{ kind: 'failed'; evidence: Evidence; events: readonly string[]; cause: unknown }>;

export type AnswerStream = Readonly<{
  /** Fails after `limitMs` without progress; pings and comments are none. */
  read(limitMs: number): Promise<Reading>;
  hasContent(): boolean;
  /** False for reasoning alone. */
  hasAnswer(): boolean;
  isFinished(): boolean;
  /** Fixes an end after which OpenCode would repeat the request. */
  mended(text: string): string;
  unknownEnd(): string | undefined;
  outputChars(): number;
  openBlock(): number | null;
  cancel(): void;
}>;

/** @param now monotonic ms. */
export function followAnswer(
  body: ReadableStream<Uint8Array>,
  wire: Wire,
  now: () => number = () => performance.now(),
  onEvent?: (event: string) => void,
): AnswerStream {
  const reader = body.getReader();
  const splitter = createEventSplitter();
  const seen = {
    text: 0,
    isTool: false,
    isThinking: false,
    finish: null as Progress['finish'],
    openBlock: null as number | null,
    isUnended: false,
    reason: undefined as string | undefined,
  };
  let progressAt = now();

  const note = (progress: Progress): void => {
    if (progress.text > 0 || progress.isTool || progress.isThinking || progress.finish) progressAt = now();
    seen.text += progress.text;
    seen.isTool ||= progress.isTool;
    seen.isThinking ||= progress.isThinking;
    if (seen.finish === null) seen.reason = progress.reason;
    seen.finish ??= progress.finish;
    if (progress.block) seen.openBlock = progress.block.isOpen ? progress.block.index : null;
  };

  const take = (events: readonly string[]): Reading => {
    for (const event of events) {
      onEvent?.(event);
      const progress = progressOf(wire, event);
      if (progress.error && !seen.finish)
        return { kind: 'failed', evidence: streamError(progress.error, event, seen.text), events, cause: null };
      const isMark = progress.finish === 'unknown' && DONE.test(event);
      seen.isUnended ||= isMark && seen.finish === null && (seen.text > 0 || seen.isTool);
      note(progress);
    }
    return { kind: 'events', events };
  };

  const ending = (): Reading => {
    const isSilent = seen.text === 0 && !seen.isTool;
    if (!seen.finish || (seen.finish === 'unknown' && isSilent))
      return failed({ phase: 'stream', observed: 'early_termination', outputChars: seen.text }, null);
    const isEmpty = isSilent && seen.finish === 'stop';
    return isEmpty ? failed({ phase: 'stream', observed: 'empty_response', outputChars: 0 }, null) : { kind: 'end' };
  };

  let isDone = false;
  let pending: ReturnType<typeof reader.read> | null = null;
  return {
    async read(limitMs) {
      if (isDone) return ending();
      try {
        // A timed-out read is still pending: its chunk must not be lost.
        pending ??= reader.read();
        const chunk = await within(pending, Math.max(0, progressAt + limitMs - now()));
        pending = null;
        if (!chunk.done) return take(splitter.push(chunk.value));
        isDone = true;
        return take(splitter.end());
      } catch (cause) {
        // Complete: some providers drop the connection instead of closing it.
        if (seen.finish && (seen.text > 0 || seen.isTool)) return { kind: 'end' };
        const isSilence = cause instanceof SilenceError;
        const observed = isSilence ? 'timeout' : 'stream_interrupted';
        const message = redact(cause instanceof Error ? cause.message : String(cause));
        return failed({ phase: isSilence ? 'watchdog' : 'stream', observed, message, outputChars: seen.text }, cause);
      }
    },
    hasContent: () => seen.text > 0 || seen.isTool || seen.isThinking,
    hasAnswer: () => seen.text > 0 || seen.isTool || seen.finish === 'length' || seen.finish === 'filter',
    isFinished: () => seen.finish !== null,
    mended: (text) => mended(text, wire, seen),
    unknownEnd: () => seen.reason?.slice(0, REASON_MAX_CHARS).replace(/[^\w .:-]/g, '?'),
    outputChars: () => seen.text,
    openBlock: () => seen.openBlock,
    // silent: nobody reads the rest of the answer
    cancel: () => void reader.cancel().catch(() => undefined),
  };
}

type Seen = Readonly<{ text: number; isTool: boolean; finish: Progress['finish']; isUnended: boolean }>;

function mended(text: string, wire: Wire, { text: chars, isTool, finish, isUnended }: Seen): string {
  const isCut = finish === 'length' || finish === 'filter';
  if (finish === null || (chars === 0 && !isTool && !isCut)) return text;
  if (isUnended) return text.replace(DONE, (mark) => chatFinish(isTool ? 'tool_calls' : 'stop') + mark);
  return withAcceptedEnd(text, wire, isCut ? finish : isTool ? 'tool' : 'stop');
}

export function countedIn(stream: AnswerStream | null): Readonly<{ outputChars: number; unknownEnd?: string }> {
  const unknownEnd = stream?.unknownEnd();
  return { outputChars: stream?.outputChars() ?? 0, ...(unknownEnd === undefined ? {} : { unknownEnd }) };
}

const failed = (evidence: Evidence, cause: unknown): Reading => ({ kind: 'failed', evidence, events: [], cause });

function streamError(error: NonNullable<Progress['error']>, event: string, outputChars: number): Evidence {
  const hintMs = errorWaitMs(error.message, dataOf(event), Date.now());
  return {
    phase: 'stream',
    message: redact(error.message),
    outputChars,
    ...(hintMs === null ? {} : { hintMs }),
    ...(error.code === null ? {} : { code: error.code }),
    ...(error.status === null ? {} : { status: error.status }),
  };
}

async function within<T>(promise: Promise<T>, limitMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    // OpenCode retries on this text.
    const late = (): void => reject(new SilenceError(`The response timed out: nothing for ${Math.round(limitMs)} ms`));
    timer = setTimeout(late, limitMs);
  });
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
  }
}
