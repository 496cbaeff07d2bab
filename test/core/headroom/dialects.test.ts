import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_DIALECTS } from '../../../src/core/headroom/built-in-dialects';
import { DialectFile } from '../../../src/core/headroom/dialect-schema';
import { readerOf } from '../../../src/core/headroom/reader';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'resources', 'limits');
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
const jsonOf = (name: string) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));

describe('given the dialects that ship', () => {
  it.each(files)('when %s is checked, then it has no fault, and says where it is from', (name) => {
    const read = DialectFile.safeParse(jsonOf(name));
    expect(read.error?.issues ?? []).toEqual([]);
    expect(`${read.data?.dialect}.json`).toBe(name);
    expect(read.data?.source.filter((url) => !url.startsWith('https://'))).toEqual([]);
    expect(read.data?.source.length).toBeGreaterThan(0);
  });

  it('when they are imported, then none is left out and none differs from its file', () => {
    expect(BUILT_IN_DIALECTS.map(({ dialect }) => `${dialect}.json`).toSorted()).toEqual(files.toSorted());
    expect(BUILT_IN_DIALECTS).toEqual(
      BUILT_IN_DIALECTS.map(({ dialect }) => DialectFile.parse(jsonOf(`${dialect}.json`))),
    );
  });

  it('when only one provider writes so, then its dialect is asked before those of everyone', () => {
    const isOwn = BUILT_IN_DIALECTS.map(({ providers }) => providers !== undefined);
    expect(isOwn).toEqual(isOwn.toSorted((one, other) => Number(other) - Number(one)));
  });

  it('when they are made ready, then every window that has a name is read by it', () => {
    const missed = BUILT_IN_DIALECTS.flatMap((dialect) => {
      const { headers } = readerOf(dialect);
      const names = Object.keys(dialect.windows ?? {});
      return names.filter((window) => {
        const texts = dialect.headers.flatMap(({ name, parts }) =>
          Object.keys(parts).map((part) =>
            name.replace('{window}', window).replace('{part}', part).replace('{limit}', 'x'),
          ),
        );
        return !texts.some((text) => headers.some(({ pattern }) => pattern.exec(text)?.groups?.window === window));
      });
    });
    expect(missed).toEqual([]);
  });
});

describe('given a file that is no dialect', () => {
  const dialect = jsonOf('openrouter.json');

  it.each([
    ['has no source', { ...dialect, source: [] }],
    ['has a source that nobody can look up', { ...dialect, source: ['a friend'] }],
    ['has a unit that there is not', { ...dialect, window: { ...dialect.window, unit: 'wishes' } }],
    ['has a header in capitals', { ...dialect, headers: [{ name: 'X-RateLimit', parts: {} }] }],
    [
      'has a way to write a reset that nobody reads',
      { ...dialect, headers: [{ name: 'x-{part}', parts: { reset: ['lunar'] } }] },
    ],
    ['has a key that there is not', { ...dialect, colour: 'blue' }],
  ])('when it %s, then it is refused', (_what, json) => {
    expect(DialectFile.safeParse(json).success).toBe(false);
  });
});
