import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FAILURE_KINDS } from '../../../src/engine';
import { evidenceOf, failureOf } from '../../../src/engine/fallback/create-fallback';
import { runSeed, runs } from '../../support/runs';
import { DAY } from '../world';

const [seed, RUNS] = [runSeed, runs(1_000)];
console.log(`error-evidence.property: seed ${seed}`);

const DEPTH = 100_000;
const HUGE = 5_000_000;
const KEYS = [
  'message',
  'cause',
  'error',
  'data',
  'response',
  'status',
  'statusCode',
  'code',
  'type',
  'name',
  'headers',
];
const KEYS_OF_HEADERS = ['responseBody', '$metadata', 'httpStatusCode', 'retry-after', 'Retry-After', 'get', 'details'];

const refuse = (): never => {
  throw new Error('not for you');
};
const untouchable = new Proxy(() => {}, { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse });

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('rate limit', 'try again in 5h', '429', 'constructor', '__proto__', '\ud800', 'x '.repeat(30_000)),
);
/** Anything a program can throw, with cycles and getters that throw; `leaf` stands at some of its ends. */
function thrown(leaf: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const simple = fc.oneof(
    { weight: 4, arbitrary: leaf },
    text,
    fc.double(),
    fc.constantFrom(null, undefined, true, 429, 5n, Symbol('s'), Number.NaN, refuse, new Date(Number.NaN)),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ depthSize: 'medium' }, simple, tie('object'), fc.array(tie('tree'), { maxLength: 3 })),
    object: fc
      .tuple(
        fc.dictionary(fc.constantFrom(...KEYS, ...KEYS_OF_HEADERS), tie('tree')),
        fc.constantFrom('none', 'cycle', 'getter', 'proxy', 'error'),
        fc.constantFrom(...KEYS),
      )
      .map(([fields, trap, key]) => trapped(fields, trap, key)),
  }));
  return tree as fc.Arbitrary<unknown>;
}

function trapped(fields: Record<string, unknown>, trap: string, key: string): object {
  const value = trap === 'error' ? Object.assign(new Error('outer'), fields) : { ...fields };
  if (trap === 'cycle') Object.defineProperty(value, key, { value });
  if (trap === 'proxy') Object.defineProperty(value, key, { value: untouchable });
  if (trap === 'getter') Object.defineProperty(value, key, { get: refuse });
  return value;
}

/** What must hold of every failure. */
function verdictOn(error: unknown) {
  const { kind, message, status, hintMs } = failureOf(error, 1_773_757_381_000);
  return {
    isKind: FAILURE_KINDS.includes(kind),
    isShort: message.length <= 500,
    isStatus: status === null || (Number.isInteger(status) && status >= 100 && status < 600),
    isHint: hintMs === null || (Number.isInteger(hintMs) && hintMs >= 0 && hintMs <= 31 * DAY),
  };
}
const SOUND = { isKind: true, isShort: true, isStatus: true, isHint: true };

describe(`given anything that can be thrown (seed ${seed})`, { timeout: 180_000 }, () => {
  it(`when ${RUNS} are read, then each is one kind with a short message, a status or none, a hint or none`, () => {
    fc.assert(
      fc.property(thrown(fc.constant('Provider returned error')), (error) => {
        expect(verdictOn(error)).toEqual(SOUND);
      }),
      { seed, numRuns: RUNS },
    );
  });

  it(`when ${RUNS} hold a key or an address anywhere, then no failure holds it`, () => {
    const core = 'qZ7wK2mN8pR4tV6xB1cD3f';
    const planted = fc
      .tuple(
        fc.constantFrom(`sk-${core}`, `Bearer ${core}`, `api_key=${core}`, `${core}@example.com`, core + core),
        text,
      )
      .map(([secret, around]) => `${around} ${secret} ${around}`);
    fc.assert(
      fc.property(thrown(planted), (error) => {
        expect(JSON.stringify(failureOf(error)).includes(core)).toBe(false);
      }),
      { seed, numRuns: RUNS },
    );
  });
});

describe('given an error of extreme size', () => {
  const nested = (key: string): unknown => {
    let error: unknown = { message: 'rate limit' };
    for (let depth = 0; depth < DEPTH; depth++) error = key === '[]' ? [error] : { [key]: error };
    return error;
  };

  it.each(['cause', 'error', 'data', 'headers', '[]'])(
    'when it is nested 100,000 deep by %s, then its depths are not read and it is unknown',
    (key) => {
      expect([verdictOn(nested(key)), failureOf(nested(key)).kind]).toEqual([SOUND, 'unknown']);
    },
  );

  it('when its text is JSON nested 100,000 deep, then it is a text like any other', () => {
    const message = `rate limit ${'[{"a":'.repeat(DEPTH)}`;
    expect([verdictOn({ message }), failureOf({ message }).kind]).toEqual([SOUND, 'rate_limit']);
  });

  it('when each of its texts has 5 MB, then one kind and 500 characters are left', () => {
    const message = 'rate limit '.repeat(HUGE / 11);
    const error = Object.assign(new Error(message), { status: 429, responseBody: `${message}!`, code: message });
    error.cause = Object.assign(new Error(`${message}?`), { cause: error, name: message });
    expect([verdictOn(error), failureOf(error).kind]).toEqual([SOUND, 'rate_limit']);
    expect(evidenceOf(error).code).toBeUndefined();
  });
});
