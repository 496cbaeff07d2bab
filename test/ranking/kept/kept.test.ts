import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BENCHMARK_IDS, UNITS } from '../../../src/features/ranking/rules/base/benchmarks';
import { ROLES } from '../../../src/features/ranking/rules/base/roles';
import { type BenchmarkValue, VALUE_KINDS } from '../../../src/features/ranking/rules/base/values';
import { type KeptChange, valueChange } from '../../../src/features/ranking/rules/kept/change';
import { type Kept, keptFrom, rowOf, type StoredRow } from '../../../src/features/ranking/rules/kept/kept';
import { runs } from '../../support/runs';

const VALUE: BenchmarkValue = {
  record: 'acme/one',
  benchmark: 'gpqa',
  value: 0.5,
  unit: 'fraction',
  source: 'https://acme.test/card',
  date: '2026-01-31',
  kind: 'published',
  origin: 'hand',
  note: null,
};
const DECISION = { choice: 'approved', evidence: 'a1', run: 'r1', at: 7 } as const;

/** One change of each part, and the row it becomes. */
const EACH: readonly (readonly [KeptChange, string, string])[] = [
  [
    valueChange(VALUE),
    '{"record":"acme/one","benchmark":"gpqa","source":"https://acme.test/card","origin":"hand"}',
    '{"value":0.5,"unit":"fraction","date":"2026-01-31","kind":"published","note":null}',
  ],
  [{ part: 'match', model: 'free/one', value: { record: null } }, '{"model":"free/one"}', '{"record":null}'],
  [{ part: 'role', agent: 'build', value: 'builder' }, '{"agent":"build"}', '"builder"'],
  [{ part: 'formula', role: 'oracle', value: 'gpqa * 1' }, '{"role":"oracle"}', '"gpqa * 1"'],
  [
    { part: 'decision', agent: 'build', model: 'acme/one', value: DECISION },
    '{"agent":"build","model":"acme/one"}',
    '{"choice":"approved","evidence":"a1","run":"r1","at":7}',
  ],
  [
    { part: 'headroom', provider: 'acme', value: { fiveHourPercent: 40, weekPercent: null, at: 7 } },
    '{"provider":"acme"}',
    '{"fiveHourPercent":40,"weekPercent":null,"at":7}',
  ],
  [{ part: 'run', agent: 'build', value: { phase: 3 } }, '{"agent":"build"}', '{"phase":3}'],
];

function storedOf(change: KeptChange): StoredRow {
  const checked = rowOf(change);
  if (!checked.ok) throw new Error(checked.reason);
  return checked.row;
}

const plain = ({ values, matches, roles, formulas, decisions, headroom, runs: documents }: Kept) => ({
  values,
  matches: [...matches],
  roles: [...roles],
  formulas: [...formulas],
  decisions: [...decisions].map(([agent, models]) => [agent, [...models]]),
  headroom: [...headroom],
  runs: [...documents],
});

describe.each(EACH)('given a change of a part, %j', (change, name, value) => {
  it('when it becomes a row, then its name and its value are these texts, in whatever order it names its fields', () => {
    expect(rowOf(change)).toEqual({ ok: true, row: { part: change.part, name, value } });
    const turned = Object.fromEntries(Object.entries(change).reverse()) as KeptChange;
    expect(rowOf(turned)).toEqual(rowOf(change));
  });

  it('when the same is forgotten, then the row has that name and no value', () => {
    expect(rowOf({ ...change, value: null })).toEqual({ ok: true, row: { part: change.part, name, value: null } });
  });
});

describe('given one row of each of the 7 parts', () => {
  it('when they are read, then all of them are there', () => {
    const { kept, unread } = keptFrom(EACH.map(([change]) => storedOf(change)));
    expect([plain(kept), unread]).toEqual([
      {
        values: [VALUE],
        matches: [['free/one', null]],
        roles: [['build', 'builder']],
        formulas: [['oracle', 'gpqa * 1']],
        decisions: [['build', [['acme/one', DECISION]]]],
        headroom: [['acme', { fiveHourPercent: 40, weekPercent: null, at: 7 }]],
        runs: [['build', { phase: 3 }]],
      },
      0,
    ]);
  });
});

describe('given changes that cannot be kept', () => {
  it.each<[string, unknown, string]>([
    [
      'a value that comes from the starter file',
      valueChange({ ...VALUE, origin: 'starter' }),
      'This cannot be stored: value.origin: is not an origin of stored values.',
    ],
    [
      'a value with a note of 501 characters',
      valueChange({ ...VALUE, note: 'n'.repeat(501) }),
      'This cannot be stored: value.value.note: Too big: expected string to have <=500 characters.',
    ],
    [
      'a value that is no number',
      valueChange({ ...VALUE, value: Number.NaN }),
      'This cannot be stored: value.value.value: Invalid input: expected number, received NaN.',
    ],
    [
      'a formula of 2,001 characters',
      { part: 'formula', role: 'oracle', value: '1'.repeat(2_001) },
      'This cannot be stored: formula.value: Too big: expected string to have <=2000 characters.',
    ],
    [
      'a role of nobody',
      { part: 'role', agent: '', value: 'builder' },
      'This cannot be stored: role.agent: Too small: expected string to have >=1 characters.',
    ],
    [
      'headroom of 101 %',
      { part: 'headroom', provider: 'acme', value: { fiveHourPercent: 101, weekPercent: 0, at: 0 } },
      'This cannot be stored: headroom.value.fiveHourPercent: Too big: expected number to be <=100.',
    ],
    [
      'a run of 1,000,001 characters',
      { part: 'run', agent: 'build', value: 'x'.repeat(999_999) },
      'This cannot be stored: run.value: must be JSON of at most 1000000 characters.',
    ],
    [
      'a run without a document',
      { part: 'run', agent: 'build' },
      'This cannot be stored: run.value: must be JSON of at most 1000000 characters.',
    ],
  ])('when one is %s, then the reason names the place', (_, change, reason) => {
    expect(rowOf(change as KeptChange)).toEqual({ ok: false, reason });
  });

  it('when a run is a text of 999,998 characters and its quotes, then it is kept', () => {
    expect(rowOf({ part: 'run', agent: 'build', value: 'x'.repeat(999_998) }).ok).toBe(true);
  });
});

describe('given a row that is understood among those that are not', () => {
  it.each<StoredRow>([
    {},
    { part: 'role', name: '{"agent":"plan"}', value: '"king"' },
    { part: 'role', name: '{"agent":"plan"}', value: 'builder' },
    { part: 'role', name: '{"agent":"plan"}', value: 'null' },
    { part: 'role', name: '{"agent": "plan"}', value: '"builder"' },
    { part: 'role', name: '{"agent":"plan","part":"role"}', value: '"builder"' },
    { part: 'role', name: '["plan"]', value: '"builder"' },
    { part: 'role', name: 'null', value: '"builder"' },
    { part: 'role', name: 'plan', value: '"builder"' },
    { part: 'rank', name: '{"agent":"plan"}', value: '"builder"' },
    { part: 7, name: 7, value: 7 },
  ])('when another is %j, then that one alone is left out, and counted', (row) => {
    const { kept, unread } = keptFrom([row, { part: 'role', name: '{"agent":"build"}', value: '"builder"' }]);
    expect([plain(kept).roles, kept.values.length, unread]).toEqual([[['build', 'builder']], 0, 1]);
  });

  it('when others hold anything, then nothing is thrown', () => {
    const text = fc.oneof(fc.json(), fc.string(), fc.anything());
    const row = fc.record({ part: fc.constantFrom(...EACH.map(([{ part }]) => part)), name: text, value: text });
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        expect(keptFrom(rows).unread).toBe(rows.length);
      }),
      { numRuns: runs(500) },
    );
  });
});

/** Any text, half characters included: SQLite would not give those back. */
const text = fc.array(fc.nat(0xffff), { minLength: 1, maxLength: 8 }).map((codes) => String.fromCharCode(...codes));
const at = fc.nat();
const percent = fc.option(fc.double({ min: 0, max: 100, noNaN: true }));
const value: fc.Arbitrary<BenchmarkValue> = fc.record({
  record: text,
  benchmark: fc.constantFrom(...BENCHMARK_IDS),
  value: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
  unit: fc.constantFrom(...UNITS),
  source: text,
  date: fc.constantFrom(null, '2026-01-31'),
  kind: fc.constantFrom(...VALUE_KINDS),
  origin: fc.constantFrom('hand', 'lm_eval', 'import', 'research', 'artificial_analysis'),
  note: fc.option(text),
});
const decision = fc.record({
  choice: fc.constantFrom('approved', 'denied', 'ignored'),
  evidence: text,
  run: fc.option(text),
  at,
});

describe('given anything that can be kept', () => {
  it('when it has become rows and is read again, then it is the same, and nothing is left out', () => {
    const all = fc.record({
      values: fc.uniqueArray(value, {
        selector: ({ record, benchmark, source, origin }) => JSON.stringify([record, benchmark, source, origin]),
      }),
      matches: fc.dictionary(text, fc.option(text)),
      roles: fc.dictionary(text, fc.constantFrom(...ROLES)),
      formulas: fc.dictionary(fc.constantFrom(...ROLES), text),
      decisions: fc.dictionary(text, fc.dictionary(text, decision, { minKeys: 1 })),
      headroom: fc.dictionary(text, fc.record({ fiveHourPercent: percent, weekPercent: percent, at })),
      runs: fc.dictionary(
        text,
        fc.jsonValue().filter((document) => document !== null),
      ),
    });
    fc.assert(
      fc.property(all, (kept) => {
        const { values, matches, roles, formulas, decisions, headroom, runs: documents } = kept;
        const changes: KeptChange[] = [
          ...values.map(valueChange),
          ...Object.entries(matches).map(([model, record]) => ({ part: 'match', model, value: { record } }) as const),
          ...Object.entries(roles).map(([agent, role]) => ({ part: 'role', agent, value: role }) as const),
          ...ROLES.map((role) => ({ part: 'formula', role, value: formulas[role] ?? null }) as const),
          ...Object.entries(decisions).flatMap(([agent, models]) =>
            Object.entries(models).map(([model, one]) => ({ part: 'decision', agent, model, value: one }) as const),
          ),
          ...Object.entries(headroom).map(([provider, one]) => ({ part: 'headroom', provider, value: one }) as const),
          ...Object.entries(documents).map(([agent, document]) => ({ part: 'run', agent, value: document }) as const),
        ];
        const rows = changes.map(storedOf).filter((row) => row.value !== null);
        const read = keptFrom(rows);
        const inOrder = (map: ReadonlyMap<string, unknown>) => Object.fromEntries(map);
        expect([read.unread, read.kept.values]).toEqual([0, values]);
        expect({
          matches: inOrder(read.kept.matches),
          roles: inOrder(read.kept.roles),
          formulas: inOrder(read.kept.formulas),
          decisions: Object.fromEntries([...read.kept.decisions].map(([agent, models]) => [agent, inOrder(models)])),
          headroom: inOrder(read.kept.headroom),
          runs: JSON.parse(JSON.stringify(inOrder(read.kept.runs))),
        }).toEqual({
          ...{ matches, roles, formulas, decisions, headroom },
          runs: JSON.parse(JSON.stringify(documents)),
        });
      }),
      { numRuns: runs(300) },
    );
  });
});
