import { describe, expect, it } from 'vitest';
import { advance, askedUntil, commandIn, putAnew, type Question, raise, withdraw } from '../../../src/engine/state/ask';

const raw = (id: string) => ({
  id,
  session: 's',
  agent: id,
  turn: 't',
  attempt: null,
  model: 'a/m',
  to: 'b/m',
  kind: 'auth' as const,
});
const queue = (...ids: string[]): readonly Question[] =>
  ids.reduce<readonly Question[]>((questions, id) => raise(questions, raw(id), 0)?.questions ?? questions, []);
const told = ({ events }: ReturnType<typeof advance>) => events.map(({ what, question }) => `${what} ${question.id}`);

describe('given two questions raised at 0', () => {
  const questions = queue('one', 'two');

  it('when they wait, then only the first is put', () => {
    expect(questions.map(({ putAt }) => putAt)).toEqual([0, null]);
    expect(askedUntil(questions)).toBe(30_000);
  });

  it.each([
    [29_999, []],
    [30_000, ['nudged one']],
    [30_001, ['nudged one']],
    [59_999, ['nudged one']],
    [60_000, ['skipped one', 'put two']],
    [60_001, ['skipped one', 'put two']],
  ])('when it is %i, then %j', (now, expected) => {
    expect(told(advance(questions, now))).toEqual(expected);
  });

  it('when the first was skipped at 60 s, then the second has its own 30 and 60 s', () => {
    const second = advance(questions, 60_000).questions;
    expect(told(advance(second, 89_999))).toEqual([]);
    const nudged = advance(second, 90_000);
    expect(told(nudged)).toEqual(['nudged two']);
    expect(askedUntil(nudged.questions)).toBe(120_000);
    expect(told(advance(nudged.questions, 119_999))).toEqual([]);
    expect(told(advance(nudged.questions, 120_000))).toEqual(['skipped two']);
  });

  it('when the first is answered at 10 s, then the second is put then', () => {
    const next = withdraw(questions, ({ id }) => id === 'one', 10_000);
    expect(told(next)).toEqual(['put two']);
    expect(next.questions[0]?.putAt).toBe(10_000);
  });

  it('when one is nudged, then it is nudged once', () => {
    const nudged = advance(questions, 30_000).questions;
    expect(told(advance(nudged, 45_000))).toEqual([]);
  });

  it('when the machine slept over the answer, then the open one is put anew', () => {
    const anew = putAnew(advance(questions, 30_000).questions, 500_000);
    expect(told(advance(anew, 500_000 + 29_999))).toEqual([]);
    expect(told(advance(anew, 500_000 + 60_000))).toEqual(['skipped one', 'put two']);
    expect(putAnew([], 1)).toEqual([]);
  });

  it('when the same is raised twice, or more than 50, then it is refused', () => {
    expect(raise(questions, raw('one'), 1)).toBeNull();
    expect(raise(queue(...Array.from({ length: 50 }, (_, n) => `q${n}`)), raw('more'), 1)).toBeNull();
  });
});

describe('given what a person types', () => {
  it.each([
    ['/yes', { type: 'answer', yes: true }],
    [' /no ', { type: 'answer', yes: false }],
    ['/retry build', { type: 'retry', name: 'build' }],
    ['/retry all', { type: 'retry', name: null }],
    ['/retry', null],
    ['/yes please', null],
    ['yes', null],
  ])('when it is %j, then it means %j', (text, expected) => {
    expect(commandIn(text)).toEqual(expected);
  });
});
