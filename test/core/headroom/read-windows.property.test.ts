import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_DIALECTS } from '../../../src/core/headroom/built-in-dialects';
import { windowsIn, windowsInEvent } from '../../../src/core/headroom/read-windows';
import type { SeenWindow } from '../../../src/engine/base/window';
import { runs } from '../../support/runs';

const SETS = runs(50_000, 500);
const SEEN_AT = Date.parse('2026-10-01T12:00:00Z');

/** Every name that a dialect reads, of its windows and of some that nobody has heard of. */
const NAMES = BUILT_IN_DIALECTS.flatMap(({ headers, windows, ruling, overdraws, stopped, active }) => [
  ...headers.flatMap(({ name, parts }) =>
    [...Object.keys(windows ?? {}), '5h', '9d_x', 'a', 'constructor', '__proto__'].flatMap((window) =>
      (name.includes('{part}') ? Object.keys(parts) : ['']).map((part) =>
        name.replace('{window}', window).replace('{part}', part).replace('{limit}', 'luna'),
      ),
    ),
  ),
  ...[ruling, stopped, active, ...(overdraws ?? [])].flatMap((said) => (said ? [said.header] : [])),
]);

const anyFigure = fc.oneof(
  fc.nat(200).map(String),
  fc.double().map(String),
  fc.bigInt().map(String),
  fc.integer({ min: -3, max: 3 }).map(String),
  fc.integer({ min: -500, max: 500 }).map((days) => String(SEEN_AT / 1_000 + days * 86_400)),
  fc.integer({ min: -500, max: 500 }).map((days) => new Date(SEEN_AT + days * 86_400_000).toISOString()),
  fc.constantFrom('', '-1', 'NaN', 'Infinity', '1e30', '6m0s', '12ms', '1h2m3.5s', 'true', 'false', 'True', 'rejected'),
  fc.constantFrom(
    'allowed',
    'five_hour',
    'seven_day_opus',
    'overage',
    'codex_luna',
    'GPT-5.3-Codex-Spark',
    'requests',
    'constructor',
  ),
);
const anyField = fc
  .array(
    fc.tuple(
      fc.constantFrom('', '"a"', 'a', '100', 'limit=5', '"'),
      fc.constantFrom('r', 'q', 't', 'w', 'qu'),
      anyFigure,
    ),
  )
  .map((items) => items.map(([head, key, value]) => `${head};${key}=${value}`).join(', '));
const anyQuery = fc
  .array(fc.tuple(fc.constantFrom('ent', 'rem', 'ov', 'ovPerm', 'rst', 'x'), anyFigure))
  .map((pairs) => pairs.map(([key, value]) => `${key}=${value}`).join('&'));
const anyValue = fc.oneof(
  { weight: 6, arbitrary: anyFigure },
  fc.array(anyFigure, { maxLength: 4 }).map((texts) => texts.join(', ')),
  anyField,
  anyQuery,
  fc.string({ maxLength: 60, unit: 'binary' }),
);
const anyName = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...NAMES) },
  fc.constantFrom(...NAMES).map((name) => name.toUpperCase()),
  fc.string({ maxLength: 120 }).map((text) => `x-quota-${text}`),
  fc.string({ unit: 'binary' }),
);
const anyHeaders = fc.array(fc.tuple(anyName, anyValue), { minLength: 5, maxLength: 40, size: 'max' });
const anyAsked = fc.record({
  provider: fc.constantFrom('openai', 'groq', 'mistral', 'openrouter', 'anthropic', '__proto__', ''),
  seenAt: fc.oneof({ weight: 9, arbitrary: fc.constant(SEEN_AT) }, fc.double(), fc.integer()),
});

/** What is wrong with a window, whatever it was read from. */
function faultsOf(window: SeenWindow): readonly string[] {
  const { id, used, limit, remaining, resetInMs, lengthMs, isRefusing, isOverdrawable } = window;
  const finite = [limit, remaining, resetInMs, lengthMs].every((number) => number === null || Number.isFinite(number));
  const rules: readonly (readonly [boolean, string])[] = [
    [finite && used >= 0 && used <= 10, 'a number'],
    [(limit === null) === (remaining === null), 'a limit or a remainder alone'],
    [limit === null || (limit > 0 && (remaining ?? 0) >= 0 && (remaining ?? 0) <= limit), 'more than there is'],
    [resetInMs === null || (resetInMs >= 0 && resetInMs <= 400 * 86_400_000), 'a reset that nobody believes'],
    [lengthMs === null || lengthMs > 0, 'a length'],
    [/^[a-z0-9_.-]{1,130}$/.test(id) && !id.includes('{'), 'an id'],
    [!(isRefusing && isOverdrawable), 'refusing and going on'],
  ];
  return rules.filter(([holds]) => !holds).map(([, fault]) => `${fault}: ${JSON.stringify(window)}`);
}

describe('given any headers whatever', () => {
  it('when they are read, then nothing is thrown, and every number can be reckoned with', () => {
    let told = 0;
    fc.assert(
      fc.property(anyHeaders, anyAsked, (headers, asked) => {
        const { windows, unknown } = windowsIn(headers, asked);
        told += windows.length;
        expect(windows.flatMap(faultsOf)).toEqual([]);
        expect(new Set(windows.map(({ id }) => id)).size).toBe(windows.length);
        expect(unknown.length).toBeLessThanOrEqual(20);
        expect(unknown.filter((name) => !/^[a-z0-9_.-]{1,80}$/.test(name))).toEqual([]);
      }),
      { numRuns: SETS },
    );
    expect(told).toBeGreaterThan(SETS / 10);
  });

  it('when they are read in another order, then the same windows are told', () => {
    const unlike = fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), anyFigure), {
      selector: ([name]) => name,
      maxLength: 30,
    });
    fc.assert(
      fc.property(unlike, (headers) => {
        const ids = (all: typeof headers) =>
          windowsIn(all, { provider: 'openai', seenAt: SEEN_AT })
            .windows.map((window) => JSON.stringify(window))
            .toSorted();
        expect(ids(headers.toReversed())).toEqual(ids(headers));
      }),
      { numRuns: SETS },
    );
  });
});

describe('given any event whatever', () => {
  it('when it is read, then nothing is thrown, and every number can be reckoned with', () => {
    const anyWindow = fc.record(
      {
        used_percent: fc.anything(),
        window_minutes: fc.anything(),
        reset_after_seconds: fc.nat(),
        reset_at: fc.double(),
      },
      { requiredKeys: [] },
    );
    const anyEvent = fc.oneof(
      fc.anything(),
      fc.record({
        type: fc.constantFrom('codex.rate_limits', 'error'),
        rate_limits: fc.oneof(
          fc.anything(),
          fc.record({ primary: fc.oneof(fc.anything(), anyWindow), secondary: anyWindow }),
        ),
        credits: fc.anything(),
        metered_limit_name: fc.oneof(fc.string(), fc.constantFrom('codex', 'codex_luna', null)),
        limit_name: fc.anything(),
        headers: fc.oneof(fc.anything(), fc.dictionary(anyName, anyFigure)),
      }),
    );
    fc.assert(
      fc.property(anyEvent, anyAsked, (event, asked) => {
        expect(windowsInEvent(event, asked).windows.flatMap(faultsOf)).toEqual([]);
      }),
      { numRuns: SETS },
    );
  });
});
