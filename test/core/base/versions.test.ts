import { describe, expect, it } from 'vitest';
import { isNewerVersion } from '../../../src/core/base/versions';

describe('given two versions', () => {
  it.each([
    ['0.1.1', '0.1.0'],
    ['0.10.0', '0.9.9'],
    ['2.0.0', '1.99.99'],
  ])('when %s is held against %s, then it is newer, and not the other way round', (one, other) => {
    expect([isNewerVersion(one, other), isNewerVersion(other, one)]).toEqual([true, false]);
  });

  it.each([
    ['1.2.3', '1.2.3'],
    ['1.3.0-beta.1', '1.2.0'],
    ['v1.3.0', '1.2.0'],
    ['1.3', '1.2.0'],
    ['1.2.0', ''],
    ['', '1.2.0'],
    ['9999999.0.0', '1.0.0'],
  ])('when %j is held against %j, then neither is newer', (one, other) => {
    expect([isNewerVersion(one, other), isNewerVersion(other, one)]).toEqual([false, false]);
  });
});
