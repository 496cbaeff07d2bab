import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BENCHMARK_IDS, maximumOf } from '../../../src/features/ranking/rules/base/benchmarks';
import { ROLES, type Role, type Weights } from '../../../src/features/ranking/rules/base/roles';
import { publishedRoles, readBenchCalc, writeBenchCalc } from '../../../src/features/ranking/rules/formula/bench-calc';
import { scoreOf } from '../../../src/features/ranking/rules/formula/formula';
import { parseFormula } from '../../../src/features/ranking/rules/formula/parse';
import { formulaTextOf } from '../../../src/features/ranking/rules/formula/weights';
import { runs } from '../../support/runs';
import { anyWeights } from './any-weights';

/** Source: the specification, roles and weights. */
const TABLE: Readonly<Record<Role, Weights>> = {
  oracle: { gpqa: 0.45, aime: 0.2, math_index: 0.2, mmlu_pro: 0.1, hle: 0.05 },
  orchestrator: {
    gdpval_aa_elo: 0.22,
    gpqa: 0.2,
    context_length: 0.15,
    mmlu_pro: 0.14,
    ifbench: 0.14,
    intelligence_index: 0.08,
    tau2: 0.07,
  },
  explorer: {
    terminalbench_hard: 0.35,
    tau2: 0.3,
    context_length: 0.15,
    coding_index: 0.1,
    mmlu_pro: 0.05,
    hle: 0.05,
  },
  librarian: { context_length: 0.3, hle: 0.25, mmlu_pro: 0.15, intelligence_index: 0.15, tau2: 0.1, ifbench: 0.05 },
  designer: {
    gpqa: 0.25,
    gdpval_aa_elo: 0.22,
    mmlu_pro: 0.17,
    coding_index: 0.11,
    hle: 0.1,
    ifbench: 0.1,
    context_length: 0.05,
  },
  fixer: {
    swe_bench_pro: 0.22,
    swe_bench_verified: 0.18,
    livecodebench: 0.15,
    coding_index: 0.1,
    terminalbench_hard: 0.1,
    ifbench: 0.08,
    gpqa: 0.07,
    mmlu_pro: 0.05,
    scicode: 0.03,
    tau2: 0.02,
  },
  builder: {
    swe_bench_pro: 0.3,
    swe_bench_verified: 0.25,
    livecodebench: 0.15,
    coding_index: 0.1,
    gpqa: 0.1,
    ifbench: 0.05,
    mmlu_pro: 0.05,
  },
};

const fileOf = (roles: object, more: object = {}): string =>
  JSON.stringify({ model_selection_benchmarks: roles, ...more });
const reasonOf = (text: string): string | null => {
  const read = readBenchCalc(text);
  return read.ok ? null : read.reason;
};

describe('given the roles that ship', () => {
  it.each(ROLES)('when the %s is read, then its weights are those of the table and come to 1', (role) => {
    const { formula, notes, description } = publishedRoles()[role];
    expect(formula.weights).toEqual(TABLE[role]);
    expect(Object.values(formula.weights ?? {}).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
    expect([Object.keys(notes).toSorted(), description !== '']).toEqual([formula.benchmarks.toSorted(), true]);
  });

  it.each(ROLES)('when all benchmarks of the %s are at their most, then it scores 1, and at nothing 0', (role) => {
    const { formula } = publishedRoles()[role];
    const numbers = (share: number) => Object.fromEntries(BENCHMARK_IDS.map((id) => [id, share * maximumOf(id)]));
    expect(scoreOf(formula, numbers(1)).score).toBeCloseTo(1, 12);
    expect(scoreOf(formula, numbers(0)).score).toBe(0);
  });

  it('when the oracle scores the example of the specification, then it is .775', () => {
    const numbers = { gpqa: 0.8, aime: 0.7, math_index: 90, mmlu_pro: 0.85, hle: 0.2 };
    expect(scoreOf(publishedRoles().oracle.formula, numbers).score).toBeCloseTo(0.775, 12);
  });

  it('when they are written, then it is the file that ships, byte by byte', () => {
    expect(writeBenchCalc(publishedRoles())).toBe(readFileSync('resources/bench_calc.json', 'utf8'));
  });
});

describe('given a file as published', () => {
  const PUBLISHED = {
    Builder: {
      description: 'Builds.',
      benchmarks: {
        'SWE-bench Pro': { weight: 0.9, description: 'Hard.' },
        'GDPval-AA ELO': { weight: 0.1, description: '' },
        hle: { weight: 0, description: 'Not in the formula.' },
      },
      scoring_algorithm: '((SWE_bench_Pro / MAX_PERCENT_SCORE) * 0.8) + ((GDPval_AA_ELO / MAX_GDPVAL_AA_ELO) * 0.2)',
    },
  };
  const BUILDER = {
    swe_bench_pro: { weight: 0.8, description: 'Hard.' },
    gdpval_aa_elo: { weight: 0.2, description: '' },
  };

  it('when it is read and written, then it has our names, and the weights are those of the formula', () => {
    const read = readBenchCalc(
      fileOf(PUBLISHED, { constants: { MAX_INDEX_SCORE: 100 }, note: 'unknown keys are left' }),
    );
    if (!read.ok) throw new Error(read.reason);
    expect(Object.keys(read.roles)).toEqual(['builder']);
    const { description, notes, formula } = read.roles.builder ?? publishedRoles().builder;
    expect([description, notes, formula.weights]).toEqual([
      'Builds.',
      { swe_bench_pro: 'Hard.' },
      { gdpval_aa_elo: 0.2, swe_bench_pro: 0.8 },
    ]);
    const text = writeBenchCalc(read.roles);
    expect(JSON.parse(text).model_selection_benchmarks).toEqual({
      Builder: {
        description: 'Builds.',
        benchmarks: BUILDER,
        scoring_algorithm: '((swe_bench_pro / MAX_PERCENT_SCORE) * 0.8) + ((gdpval_aa_elo / MAX_GDPVAL_AA_ELO) * 0.2)',
      },
    });
    expect(readBenchCalc(text)).toEqual(read);
  });

  it('when a formula is no weighted sum, then none of its benchmarks is written with a weight', () => {
    const read = readBenchCalc(fileOf({ ORACLE: { scoring_algorithm: 'hle * gpqa' } }));
    const text = writeBenchCalc(read.ok ? read.roles : {});
    expect(JSON.parse(text).model_selection_benchmarks.Oracle.benchmarks).toEqual({
      gpqa: { description: '' },
      hle: { description: '' },
    });
    expect(readBenchCalc(text)).toEqual(read);
  });
});

describe('given any roles', () => {
  const anyRole = fc.tuple(fc.constantFrom(...ROLES), anyWeights, fc.string({ maxLength: 20 }));

  it('when they are written and read, then they are the same, and written again they are the same bytes', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyRole, { selector: ([role]) => role }), (drawn) => {
        const definitions = drawn.map(([role, weights, words]) => {
          const parsed = parseFormula(formulaTextOf(weights));
          if (!parsed.ok) throw new Error(parsed.reason);
          const [first] = parsed.formula.benchmarks;
          const notes = first === undefined || words === '' ? {} : { [first]: words };
          return [role, { role, description: words, formula: parsed.formula, notes }] as const;
        });
        const text = writeBenchCalc(Object.fromEntries(definitions));
        const read = readBenchCalc(text);
        expect(read).toEqual({ ok: true, roles: Object.fromEntries(definitions) });
        expect(writeBenchCalc(read.ok ? read.roles : {})).toBe(text);
        expect(writeBenchCalc(Object.fromEntries(definitions.toReversed()))).toBe(text);
      }),
      { numRuns: runs(500, 20) },
    );
  });

  it('when a file begins with a mark of its encoding, then it is read all the same', () => {
    expect(readBenchCalc(`\ufeff${writeBenchCalc(publishedRoles())}`)).toEqual({ ok: true, roles: publishedRoles() });
  });
});

describe('given a file that is not as it should be', () => {
  const oracle = { scoring_algorithm: 'gpqa' };

  it.each([
    ['no JSON', '{', 'The file is not JSON.'],
    ['a list', '[]', 'The file must be an object.'],
    ['without roles', '{}', 'The file › model_selection_benchmarks must be an object.'],
    [
      'of a role without a formula',
      fileOf({ Oracle: {} }),
      'The file › model_selection_benchmarks › Oracle › scoring_algorithm must be text.',
    ],
    [
      'with a constant that is no number',
      fileOf({}, { constants: { MAX_INDEX_SCORE: '100' } }),
      'The file › constants › MAX_INDEX_SCORE must be a number.',
    ],
    [
      'with another constant',
      fileOf({ oracle }, { constants: { MAX_GDPVAL_AA_ELO: 3000 } }),
      'MAX_GDPVAL_AA_ELO is 3000 in the file and 2000 here.',
    ],
    [
      'of an unknown role',
      fileOf({ Wizard: oracle }),
      '"Wizard" is not a role. Roles: oracle, orchestrator, explorer, librarian, designer, fixer, builder.',
    ],
    ['of one role twice', fileOf({ Oracle: oracle, oracle }), 'The file contains the role oracle twice.'],
    [
      'with an unknown benchmark',
      fileOf({ oracle: { ...oracle, benchmarks: { gpqx: {} } } }),
      'Oracle: "gpqx" is not a benchmark.',
    ],
    [
      'with a constant among the benchmarks',
      fileOf({ oracle: { ...oracle, benchmarks: { MAX_INDEX_SCORE: {} } } }),
      'Oracle: "MAX_INDEX_SCORE" is not a benchmark.',
    ],
    [
      'with one benchmark twice',
      fileOf({ oracle: { ...oracle, benchmarks: { 'SWE-bench Pro': {}, swe_bench_pro: {} } } }),
      'Oracle: The file contains the benchmark swe_bench_pro twice.',
    ],
    [
      'with a formula that is none',
      fileOf({ oracle: { scoring_algorithm: 'gpqa + hle * 0.1x' } }),
      'Oracle: Here an operator is expected, not "x". (scoring_algorithm, character 17)',
    ],
    [
      'with too long a description',
      fileOf({ oracle: { ...oracle, description: 'x'.repeat(1001) } }),
      'The file › model_selection_benchmarks › oracle › description must have at most 1000 characters.',
    ],
    ['too large', ' '.repeat(262_145), 'The file is larger than 262144 characters.'],
  ])('when it is %s, then it is refused with the reason', (_, text, reason) => {
    expect(reasonOf(text)).toBe(reason);
  });

  it('when it has keys that JavaScript has, then they are no roles', () => {
    expect(reasonOf('{"model_selection_benchmarks":{"constructor":{"scoring_algorithm":"gpqa"}}}')).toContain(
      '"constructor" is not a role.',
    );
    expect(readBenchCalc('{"model_selection_benchmarks":{"__proto__":{"scoring_algorithm":"gpqa"}}}')).toEqual({
      ok: true,
      roles: {},
    });
  });
});
