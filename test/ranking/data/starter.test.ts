import { describe, expect, it } from 'vitest';
import { maximumOf } from '../../../src/features/ranking/rules/base/benchmarks';
import { BenchmarkValue, ownUnit } from '../../../src/features/ranking/rules/base/values';
import { starterData } from '../../../src/features/ranking/rules/data/starter';

describe('given the values that come with the app', () => {
  const { values, recordOf, releasedOf, commit, date, notice } = starterData();

  it('when they are asked for twice, then they are read once', () => {
    expect(starterData()).toBe(starterData());
  });

  it('when they are looked through, then each is a published value of the starter, in words of ours', () => {
    for (const value of values) {
      expect(BenchmarkValue.parse(value)).toEqual(value);
      expect(value).toMatchObject({ kind: 'published', origin: 'starter' });
    }
    expect(values.length).toBeGreaterThan(100);
  });

  it('when their sources are looked at, then each is an https address', () => {
    expect(values.filter(({ source }) => new URL(source).protocol !== 'https:')).toEqual([]);
  });

  it('when they are brought to the unit of their benchmark, then each can be, and none is out of its range', () => {
    const isOutside = (value: BenchmarkValue): boolean => {
      const own = ownUnit(value);
      return own === null || own > maximumOf(value.benchmark);
    };
    expect(values.filter(isOutside)).toEqual([]);
  });

  it('when they are looked through, then they say whose they are and of when', () => {
    expect(notice).toContain('MIT License');
    expect([commit, date].map((text) => text.length)).toEqual([40, 10]);
  });

  it('when one benchmark is looked at, then it holds what it should and not what only has its name', () => {
    const valuesOf = (record: string) =>
      values.filter((value) => value.record === record).map(({ benchmark, value, unit }) => [benchmark, value, unit]);
    expect(valuesOf('alibaba/qwen3-coder-30b-a3b-instruct')).toEqual([
      ['coding_index', 19.4, 'index'],
      ['scicode', 27.8, 'percent'],
      ['terminalbench_hard', 15.2, 'percent'],
    ]);
    // Its 11.8 on a harder set of the same name, in the harness of an agent, is none.
    expect(valuesOf('anthropic/claude-opus-4-6')).toEqual([['swe_bench_pro', 51.9, 'percent']]);
    // No source says the unit of any of its numbers.
    expect(valuesOf('sakana/fugu-ultra')).toEqual([]);
  });

  it('when the ids of models are looked up, then each is of a record that was released, and none of itself', () => {
    expect(recordOf.get('openrouter/anthropic/claude-opus-4.6')).toBe('anthropic/claude-opus-4-6');
    expect([...recordOf].filter(([id, record]) => id === record || !releasedOf.has(record))).toEqual([]);
    expect(values.filter(({ record }) => !releasedOf.has(record))).toEqual([]);
  });
});
