import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { languageOf } from '../../src/renderer/language';

describe('given a reader', () => {
  it.each([
    [null, ['de-AT', 'en'], 'de'],
    [null, ['fr-FR', 'de'], 'de'],
    [null, ['en-US', 'de'], 'en'],
    [null, ['fr'], 'en'],
    [null, [], 'en'],
    ['en', ['de'], 'en'],
    ['de', ['en'], 'de'],
    ['xx', ['de'], 'de'],
    ['constructor', ['de'], 'de'],
  ] as const)('when %s was chosen and the browser reads %j, then the page speaks %s', (choice, tags, language) => {
    expect(languageOf(choice, tags)).toBe(language);
  });
});

describe('given components that React may skip', () => {
  it('when the language changes, then each of them hears of it', () => {
    const folder = join(import.meta.dirname, '../../src/renderer');
    const memos = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.tsx'))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)
      .filter(([, source]) => /\bmemo\(/.test(source));
    expect(memos.length).toBeGreaterThan(0);
    expect(memos.flatMap(([name, source]) => (source.includes('useLanguage()') ? [] : [name]))).toEqual([]);
  });
});
