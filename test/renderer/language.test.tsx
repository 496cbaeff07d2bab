import { describe, expect, it } from 'vitest';
import { languageOf } from '../../src/renderer/app/language';

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
