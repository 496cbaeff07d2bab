import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FEATURES, nearestTests, reachOf, testsFor } from '../../scripts/changed.mjs';
import { importsIn } from '../../scripts/check-layers.mjs';

const root = join(import.meta.dirname, '..', '..');
const tests = readdirSync(join(root, 'test', 'e2e')).filter((name) => name.endsWith('.test.ts'));
const tree = { imports: importsIn(root), tests };

describe('given the features of the sources', () => {
  it.each(Object.entries(FEATURES))('when %s is looked up, then it has files of src and tests', (_, feature) => {
    expect([...tree.imports.keys()].some((path) => feature.sources.test(path))).toBe(true);
    expect(tests.some((name) => feature.tests.test(name))).toBe(true);
  });

  it('when a file of the council changes, then the tests of the council run and those of the fleet do not', () => {
    const chosen = testsFor(['src/features/council/rules/run/step.ts'], tree);
    expect(chosen).toContain('council.test.ts');
    expect(chosen).not.toContain('fleet.test.ts');
    expect(chosen).not.toContain('turns.test.ts');
  });

  it('when a file of the engine changes, then every test runs', () => {
    expect(testsFor(['src/engine/step/step.ts'], tree)).toEqual(tests);
  });

  it('when only a document or a unit test changes, then no end-to-end test runs', () => {
    expect(testsFor(['docs/panel.md', 'test/core/waits.test.ts'], tree)).toEqual([]);
  });

  it('when an end-to-end test changes, then that test runs', () => {
    expect(testsFor(['test/e2e/turns.test.ts', 'test/e2e/deleted.test.ts'], tree)).toEqual(['turns.test.ts']);
  });

  it('when a feature imports a file of another feature, then a change of that file reaches both', () => {
    const imports = new Map([
      ['src/features/council/core/cast.ts', ['src/features/fleet/core/keys.ts']],
      ['src/core/core.ts', ['src/features/council/core/cast.ts']],
      ['src/features/fleet/core/keys.ts', []],
    ]);
    expect(reachOf('src/features/fleet/core/keys.ts', imports)).toEqual(['council', 'fleet']);
    expect(reachOf('src/core/core.ts', imports)).toBeNull();
  });
});

describe('given files that tests import', () => {
  const imports = new Map([
    ['src/a.ts', []],
    ['src/b.ts', ['src/a.ts']],
    ['src/c.ts', []],
    ['test/e2e/a.test.ts', ['src/a.ts']],
    ['test/far.test.ts', ['src/b.ts']],
    ['test/near.test.ts', ['src/a.ts']],
    ['test/other.test.tsx', ['src/c.ts']],
  ]);

  it('when one of them changes, then its tests are named, the nearest first', () => {
    expect(nearestTests(['src/a.ts', 'README.md'], imports)).toEqual(['test/near.test.ts', 'test/far.test.ts']);
  });

  it('when a test changes, then it is named', () => {
    expect(nearestTests(['test/other.test.tsx'], imports)).toEqual(['test/other.test.tsx']);
  });
});
