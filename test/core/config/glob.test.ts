import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesGlob } from '../../../src/core/config/glob';
import { runs } from '../../support/runs';

describe('given a pattern with stars', () => {
  it.each([
    ['a/*', 'a/b', true],
    ['a/*', 'a/', true],
    ['a/*', 'b/a/', false],
    ['*:free', 'x/y:free', true],
    ['a*a', 'a', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['a/b', 'a/b', true],
    ['a/b', 'a/bc', false],
  ])('when %s meets %s, then it is %s', (pattern, text, fits) => {
    expect(matchesGlob(pattern, text)).toBe(fits);
  });

  it('when any pattern meets any text, then it agrees with a regular expression', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*'), maxLength: 8 });
    const plain = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 8 });
    fc.assert(
      fc.property(letters, plain, (pattern, text) => {
        const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(text);
        expect(matchesGlob(pattern, text)).toBe(expected);
      }),
      { numRuns: runs(2_000) },
    );
  });
});
