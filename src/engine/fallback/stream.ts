import { askOnce, type Limits } from './ask-once';
import { insist } from './named-evidence';
import { named, reasonOf, type StopController, type StopSignal, stopController } from './stop-signal';

export type StreamOf<Answer> = Answer extends AsyncIterable<infer Piece> ? Piece : never;

/** `life` aborts the call. */
export type Begun<Piece> = Readonly<{ first: Piece; rest: AsyncIterator<Piece>; life: StopController }>;

/**
 * Waits for the first piece; the call's signal aborts when reading ends.
 * @throws errors of the call or its stream, or that the stream is empty.
 */
export async function openStream<Answer>(
  call: (signal: StopSignal) => Promise<Answer>,
  signal: StopSignal,
): Promise<Begun<StreamOf<Answer>>> {
  const life = stopController();
  const onStop = (): void => life.abort(reasonOf(signal));
  signal.addEventListener('abort', onStop);
  try {
    const answer = (await call(life.signal)) as AsyncIterable<StreamOf<Answer>>;
    const rest = answer[Symbol.asyncIterator]();
    const { done, value } = await rest.next();
    return done ? insist(undefined as never, { kind: 'empty_response' }) : { first: value, rest, life };
  } finally {
    signal.removeEventListener('abort', onStop);
  }
}

type Watch = Readonly<{
  /** Apply between two pieces. */
  limits: Limits;
  ended(outputChars: number): void;
  failed(error: unknown, outputChars: number): void;
  /** The reader stopped. */
  left(): void;
  closed(): void;
}>;

/** The limit applies to each piece. */
export async function* streamOf<Piece>({ first, rest, life }: Begun<Piece>, watch: Watch): AsyncGenerator<Piece, void> {
  let outputChars = lengthOf(first);
  let isOver = false;
  try {
    yield first;
    for (;;) {
      const next = await askOnce(() => rest.next(), watch.limits);
      if (next.kind === 'stopped') throw next.reason;
      if (next.kind !== 'answered') {
        isOver = true;
        watch.failed(next.error, outputChars);
        throw next.error;
      }
      if (next.answer.done) {
        isOver = true;
        watch.ended(outputChars);
        return;
      }
      outputChars += lengthOf(next.answer.value);
      yield next.answer.value;
    }
  } finally {
    if (!isOver) watch.left();
    watch.closed();
    life.abort(named('AbortError', 'The stream is over.'));
    // silent: nobody waits for the end of a stream that was left
    if (!isOver) void rest.return?.()?.then(undefined, () => undefined);
  }
}

const lengthOf = (piece: unknown): number => (typeof piece === 'string' ? piece.length : 0);
