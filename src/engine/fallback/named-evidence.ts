import { type Evidence, type ModelId, providerOf } from '../index';
import { compileMap, kindInMaps, mapsFor, readingOf } from '../tools';
import { evidenceOf } from './error-evidence';
import type { FailedAnswer, FallbackOptions, NamedFailure } from './options';

class NoAnswer extends Error {
  override name = 'NoAnswer';
  readonly failure: FailedAnswer;

  constructor(failure: FailedAnswer) {
    super('kind' in failure ? `The response is a failure: ${failure.kind}.` : 'The response is a failure.', {
      ...('error' in failure ? { cause: failure.error } : {}),
    });
    this.failure = failure;
  }
}

/** @throws what the options treat as a failure. */
export function insist<Answer>(answer: Answer, failure: FailedAnswer | null): Answer {
  if (failure === null) return answer;
  throw 'error' in failure && failure.error instanceof Error ? failure.error : new NoAnswer(failure);
}

/** The caller's rules come first, then the provider maps, then the engine. */
export function evidenceBy<Question, Answer>(
  options: FallbackOptions<Question, Answer>,
): (error: unknown, model: ModelId) => Evidence {
  const { classify, providerMaps = [], clock } = options;
  const compiled = new Map(providerMaps.map((map) => [map, compileMap(map)]));
  return (error, model) => {
    const isNone = error instanceof NoAnswer;
    const thrown = isNone && 'error' in error.failure ? error.failure.error : error;
    const evidence = evidenceOf(thrown, clock.unixNow?.());
    const own = (isNone && 'kind' in error.failure ? error.failure : null) ?? classify?.(thrown, model) ?? null;
    if (own) return { ...evidence, ...named(own) };
    const maps = mapsFor(providerMaps, providerOf(model)).flatMap((map) => compiled.get(map) ?? []);
    const match = maps.length === 0 ? null : kindInMaps(maps, evidence);
    return match === null ? evidence : { ...evidence, ...readingOf(match) };
  };
}

const named = ({ kind, needsUser, retryAfterMs }: NamedFailure): Pick<Evidence, 'mapped' | 'hintMs'> => ({
  mapped: { kind, ...(needsUser ? { needsUser } : {}) },
  ...(retryAfterMs === undefined ? {} : { hintMs: retryAfterMs }),
});

type ResponseSlice = Readonly<{ ok: boolean; status: number; headers: unknown }>;

/** For `failureIn`: an error status counts as a thrown error. */
export const refusedResponse = (response: ResponseSlice): FailedAnswer | null =>
  response.ok ? null : { error: { status: response.status, headers: response.headers } };

/** For `failureIn`: a blank text or an empty list. */
export const emptyAnswer = (answer: string | readonly unknown[] | null | undefined): FailedAnswer | null =>
  (typeof answer === 'string' ? answer.trim() : (answer ?? '')).length === 0 ? { kind: 'empty_response' } : null;
