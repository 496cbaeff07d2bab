import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChange, changeFrom, SnapshotChange } from '../../src/contract/snapshot-change';
import { modelRow, snapshotOf } from '../support/rows';
import { sampleSnapshot } from '../support/sample-snapshot';

/** 200 models, as they are shown: the worst first. */
const manyModels = (worst: number) => {
  const models = Array.from({ length: 200 }, (_, index) => modelRow({ model: `openai/gpt-${index}`, calls: index }));
  const [row] = models.splice(worst, 1);
  return snapshotOf([], { models: [{ ...row!, state: 'cooling' }, ...models] });
};

describe('given a reader that has a snapshot', () => {
  it('when the 90th of 200 models cools and comes first, then that one row is told and the rest by two runs', () => {
    const before = { ...manyModels(0), rev: 7 };
    const after = { ...manyModels(90), rev: 8 };
    const change = changeFrom(before, after);
    expect(change.models).toEqual([after.models[0], after.models[1], [1, 89], [91, 109]]);
    expect(JSON.stringify(change).length * 50).toBeLessThan(JSON.stringify(after).length * 2);
    expect(applyChange(before, SnapshotChange.parse(JSON.parse(JSON.stringify(change))))).toEqual(after);
  });

  it('when nothing has changed but time, then nothing but that is told', () => {
    const before = sampleSnapshot();
    expect(changeFrom(before, { ...before, rev: before.rev + 1, at: 5 })).toEqual({
      base: before.rev,
      rev: before.rev + 1,
      at: 5,
    });
  });

  it('when only time has changed, then the reader keeps all it knows', () => {
    const [lastDrill] = sampleSnapshot().events;
    const before = { ...sampleSnapshot(), lastDrill: lastDrill ?? null };
    const after = { ...before, rev: before.rev + 1, at: before.at + 1 };
    const told = SnapshotChange.parse(JSON.parse(JSON.stringify(changeFrom(before, after))));
    expect(told).toEqual({ base: before.rev, rev: after.rev, at: after.at });
    expect(applyChange(before, told)).toEqual(after);
  });

  it('when a pause ends, then null is told, and it is not what was absent', () => {
    const before = { ...sampleSnapshot(), pause: { until: null, since: 1, by: 'panel' } };
    const change = changeFrom(before, { ...before, pause: null });
    expect(change.pause).toBeNull();
    expect(applyChange(before, change)).toEqual({ ...before, pause: null });
  });

  it('when the change is one of another snapshot, or speaks of rows that are not there, then it is not applied', () => {
    const before = sampleSnapshot();
    expect(applyChange(before, { base: before.rev + 1 })).toBeNull();
    expect(applyChange(before, { base: before.rev, models: [[before.models.length, 1]] })).toBeNull();
  });

  it('when rows come, go, move and change at random, then the reader ends with what the sender has', () => {
    const models = fc.array(
      fc.record({ model: fc.constantFrom('a/a', 'b/b', 'c/c', 'd/d', 'e/e'), calls: fc.nat({ max: 2 }) }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(models, models, (first, second) => {
        const [before, after] = [first, second].map((rows, rev) => snapshotOf([], { rev, models: rows.map(modelRow) }));
        const change = SnapshotChange.parse(JSON.parse(JSON.stringify(changeFrom(before!, after!))));
        expect(applyChange(before!, change)).toEqual(after);
      }),
    );
  });
});
