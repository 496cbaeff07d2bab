import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { literalTexts } from './literal-texts';

const RENDERER = join(import.meta.dirname, '../../src/renderer');

/** Names and code are the same in every language. */
const SAME = ['Understudy', '"plugin": ["', '<!doctype html>'];

describe('given a source with texts in it', () => {
  const textsIn = (source: string) => literalTexts('any.tsx', source).map(({ text }) => text);

  it.each([
    ['between tags', 'const a = <p>Close</p>', ['Close']],
    ['in an expression between tags', `const a = <p>{isOpen ? 'Close' : \`Open \${name}\`}</p>`, ['Close', 'Open']],
    ['in an attribute for people', "const a = <a title='Close' aria-label={isOn && 'On'} />", ['Close', 'On']],
    ['in a field for people', "tell({ subject: 'Switching', text: isOn ? 'on' : 'off' })", ['Switching', 'on', 'off']],
    ['where words follow words', `const a = ['Last seen', \`in \${n} days now\`]`, ['Last seen', 'days now']],
  ])('when it stands %s, then it is found', (_, source, texts) => {
    expect(textsIn(source)).toEqual(texts);
  });

  it.each([
    ['a comparison', "const a = <p>{event.key === 'ArrowUp' ? up : null}</p>"],
    ['a class', "const a = <p className={isOn ? 'btn btn-on' : 'btn'} id='main' />"],
    ['a selector', "page.querySelector('input, select')"],
    ['a bug', "throw new TypeError('This is used outside of that.')"],
    ['a type', "type A = 'one two'; const a = b as 'three four';"],
    ['a sign', "const a = <p>· {'→'}</p>"],
    ['a key of the catalogue', "const a = <p>{texts().names['chain.first']}</p>"],
  ])('when it is only %s, then nothing is found', (_, source) => {
    expect(textsIn(source)).toEqual([]);
  });
});

describe('given the sources of the panel', () => {
  const sources = readdirSync(RENDERER, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => [name, readFileSync(join(RENDERER, name), 'utf8')] as const);

  it('when they are read, then every text is in the catalogue', () => {
    const found = sources.flatMap(([name, source]) =>
      literalTexts(name, source)
        .filter(({ text }) => !SAME.includes(text))
        .map(({ line, text }) => `${name}:${line} ${text}`),
    );
    expect([sources.length > 60, found]).toEqual([true, []]);
  });

  it('when React may skip a component, then it hears of a change of the language itself', () => {
    const skipped = sources.filter(([, source]) => /\bmemo\(/.test(source));
    const deaf = skipped.flatMap(([name, source]) => (source.includes('useLanguage()') ? [] : [name]));
    expect([skipped.length > 0, deaf]).toEqual([true, []]);
  });
});
