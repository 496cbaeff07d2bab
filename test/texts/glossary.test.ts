import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { speak } from '../../src/texts';
import { textsIn, wordsOf } from './catalogue-texts';

const ROWS = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'words.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, word = '', german = '', , not = '']) => ({ word, german, not: not.split(', ').filter(Boolean) }));

/** How a word that is not used is found; what stands in brackets behind it says of which thing, or in which language. */
const PATTERNS: Readonly<Record<string, readonly RegExp[]>> = {
  'Provider (German)': [/\bProviders?n?\b/],
  'lead (noun)': [/\b(?:[Tt]he|[Ii]ts|[Aa]n?|[Tt]heir|[Yy]our|each|no) leads?\b/, /^Leads?\b/],
  'understudy (of a model)': [/\b(?:[Aa]n?|[Tt]he|its|first|next|another) understud(?:y|ies)\b/, /, understudy\b/],
  'Sicherung (of models)': [/^Sicherung$/, /Sicherung und/],
  'führendes Modell': [/führende[sn]? Modell/],
  Zug: [/\bZ(?:ug|üge|ügen|uges)\b/],
  'Übernehmen (as a button)': [/^Übernehmen…?$/],
  'Ausgeben (of a page)': [/\bAusgeben\b|\bausgeben\b/],
  commit: [/\bcommit(?:ted)?\b/],
};
const patternsOf = (not: string): readonly RegExp[] => PATTERNS[not] ?? [new RegExp(`\\b${not}`, 'i')];

/** Nobody is spoken to: a sentence may begin with a "Sie" that stands for a thing. */
const ADDRESSED =
  /\b(?:[Dd]u|[Dd]ich|[Dd]ir|[Dd]ein(?:e[nmrs]?)?|Ihnen)\b|(?<=[^.:!?…»] )(?:Sie|Ihr(?:e[nmrs]?)?)\b|\b(?:Wählen|Versuchen|Geben|Öffnen|Starten) Sie\b/;

afterEach(() => speak('en', {}));

describe('given the glossary and every text of the product', () => {
  const texts = { en: textsIn('en'), de: textsIn('de') };
  speak('en', {});
  const saying = (language: 'en' | 'de', pattern: RegExp) =>
    [...texts[language]].flatMap(([path, text]) => (pattern.test(wordsOf(text)) ? [`${path}: ${wordsOf(text)}`] : []));

  it('when its table is read, then each word has one in German, and none stands twice', () => {
    expect(ROWS.length).toBeGreaterThan(25);
    expect(ROWS.filter(({ word, german }) => word === '' || german === '')).toEqual([]);
    expect([new Set(ROWS.map(({ word }) => word)).size, new Set(ROWS.map(({ german }) => german)).size]).toEqual([
      ROWS.length,
      ROWS.length,
    ]);
  });

  it.each(ROWS.flatMap(({ word, not }) => not.map((one) => [word, one] as const)))(
    'when a text is about %s, then it does not say %s',
    (_word, not) => {
      const found = patternsOf(not).flatMap((pattern) =>
        not.includes('(German)') ? saying('de', pattern) : [...saying('en', pattern), ...saying('de', pattern)],
      );
      expect(found).toEqual([]);
    },
  );

  it('when German speaks, then nobody is spoken to by du or Sie', () => {
    expect(saying('de', ADDRESSED)).toEqual([]);
  });

  it('when money is written, then by the one who knows the language: no text has a currency of its own', () => {
    const own = /\$\d|\d ?€|\d ?\$|Dollar|\bUSD\b/;
    const named = /^(?:wordTexts\.|editorTexts\.picker\.find|usageTexts\.units\.dollars)/;
    const found = [...saying('en', own), ...saying('de', own)].filter((line) => !named.test(line));
    expect(found).toEqual([]);
  });
});
