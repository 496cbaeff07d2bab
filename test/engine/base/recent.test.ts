import { expect, it } from 'vitest';
import { recently } from '../../../src/engine/base/recent';

it('given a question that keeps 64 answers, when 65 texts are asked in turn, then the first alone is answered anew', () => {
  const asked: string[] = [];
  const lengthOf = recently((text) => {
    asked.push(text);
    // Also an answer that is nothing is an answer.
    return text === 'text 64' ? undefined : text.length;
  });
  const texts = Array.from({ length: 65 }, (_, at) => `text ${at}`);
  const first = texts.map(lengthOf);
  asked.length = 0;
  expect(texts.slice(1).map(lengthOf)).toEqual(first.slice(1));
  expect(asked).toEqual([]);
  expect([lengthOf('text 0'), asked]).toEqual([6, ['text 0']]);
});
