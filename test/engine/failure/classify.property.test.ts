import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classify, type Evidence, FAILURE_KINDS, KIND_INFO, redact } from '../../../src/engine';
import { runSeed, runs } from '../../support/runs';

const seed = runSeed;
console.log(`classify.property: seed ${seed}`);

const DAY_31 = 31 * 24 * 3_600_000;
const words = fc.constantFrom(
  'rate limit',
  'model x does not exist',
  'try again in 5h 12m',
  'insufficient_quota',
  'retry after 99999999999999999999 days',
  'context_length',
  '429',
  'resets at 9999-99-99T99:99:99Z',
  'constructor',
);
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  words,
  fc.array(words).map((list) => list.join(' ')),
);
const huge = fc.tuple(text, fc.nat(20_000)).map(([unit, times]) => unit.repeat(times).slice(0, 200_000));
const figure = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(429, 401, 200, 500, 0, -1, 1e21));

const evidence = fc.record(
  {
    phase: fc.constantFrom('headers', 'body', 'stream', 'watchdog'),
    status: figure,
    code: fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'valueOf', 'RESOURCE_EXHAUSTED')),
    message: fc.oneof(text, huge),
    headers: fc.dictionary(
      fc.constantFrom('retry-after', 'retry-after-ms', 'x-ratelimit-reset', 'anthropic-ratelimit-tokens-reset'),
      fc.oneof(text, figure.map(String)),
    ),
    observed: fc.constantFrom('early_termination', 'empty_response', 'stream_interrupted', 'timeout', 'aborted'),
    outputChars: fc.nat(),
    seenAt: fc.double({ noNaN: true, min: 0, max: 1e14 }),
  },
  { requiredKeys: ['phase'] },
) as fc.Arbitrary<Evidence>;

describe(`given any evidence (seed ${seed})`, { timeout: 180_000 }, () => {
  it(`when ${runs(500)} are classified, then each is exactly one kind with its class, scope and lane, and a short message`, () => {
    fc.assert(
      fc.property(evidence, (seen) => {
        const failure = classify(seen);
        const { kind, scope, lane, message } = failure;
        const isBlockedQuota = kind === 'quota' && lane === 'blocked';
        expect({
          isKind: FAILURE_KINDS.includes(kind),
          scope,
          lane,
          isShort: message.length <= 500,
          isOneLine: !/[\r\n\t]/.test(message),
        }).toEqual({
          isKind: true,
          scope: KIND_INFO[kind].scope,
          lane: isBlockedQuota ? 'blocked' : KIND_INFO[kind].lane,
          isShort: true,
          isOneLine: true,
        });
      }),
      { seed, numRuns: runs(500) },
    );
  });

  it(`when ${runs(500)} are classified, then a hint is a whole number of ms in [0, 31 days] or none`, () => {
    fc.assert(
      fc.property(evidence, (seen) => {
        const { hintMs } = classify(seen);
        expect(hintMs === null || (Number.isInteger(hintMs) && hintMs >= 0 && hintMs <= DAY_31)).toBe(true);
      }),
      { seed, numRuns: runs(500) },
    );
  });

  it(`when ${runs(300)} are classified twice, then the answer is the same: no pattern keeps a place`, () => {
    fc.assert(
      fc.property(evidence, (seen) => {
        expect(classify(seen)).toEqual(classify(seen));
      }),
      { seed, numRuns: runs(300) },
    );
  });

  it(`when ${runs(300)} are classified, then a status is an HTTP status or none`, () => {
    fc.assert(
      fc.property(evidence, (seen) => {
        const { status } = classify(seen);
        expect(status === null || (Number.isInteger(status) && status >= 100 && status < 600)).toBe(true);
      }),
      { seed, numRuns: runs(300) },
    );
  });
});

describe(`given a secret planted anywhere (seed ${seed})`, { timeout: 180_000 }, () => {
  const core = fc.stringMatching(/^[A-Za-z0-9]{20,40}$/);
  const secret = fc.oneof(
    core.map((value) => ({ text: `sk-${value}`, core: value })),
    core.map((value) => ({ text: `sk-proj-${value}`, core: value })),
    core.map((value) => ({ text: `Bearer ${value}`, core: value })),
    core.map((value) => ({ text: `api_key=${value}`, core: value })),
    core.map((value) => ({ text: `ghp_${value}`, core: value })),
    core.map((value) => ({ text: `${value}@example.com`, core: `${value}@` })),
  );
  const around = fc.oneof(text, fc.constantFrom('', '"', '(', ' ', '=', '_', '.', ':', ' '.repeat(19_960)));

  it(`when ${runs(500)} texts are redacted, then none holds it, and redacting again changes nothing`, () => {
    fc.assert(
      fc.property(around, secret, around, (before, planted, after) => {
        const clean = redact(`${before} ${planted.text} ${after}`);
        expect([clean.includes(planted.core), redact(clean) === clean]).toEqual([false, true]);
      }),
      { seed, numRuns: runs(500) },
    );
  });

  it('when it stands in quotes, brackets or after an underscore, then it is found as well', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('"', "'", '(', '[', '{', '=', ':', '_', '/', '<', '`', ','),
        secret,
        (mark, planted) => {
          expect(redact(`key ${mark}${planted.text}${mark} refused`).includes(planted.core)).toBe(false);
        },
      ),
      { seed, numRuns: runs(500) },
    );
  });
});
