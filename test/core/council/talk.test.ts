import { describe, expect, it } from 'vitest';
import { talkOf, type Uttered } from '../../../src/features/council/core/talk';
import { withoutCalls } from '../../../src/features/council/rules/said/talk';
import { TALK_MAX, TALK_TEXT_MAX } from '../../../src/protocol';

const REPO = '/home/ann/u/council/r1/repo';
const said = (text: string, at = 1): Uttered => ({ kind: 'text', at, text });
const called = (tool: string, input: unknown): Uttered => ({ kind: 'tool', at: 1, tool, input, isRefused: false });
const textOf = (text: string): string =>
  talkOf([said(text)], REPO)
    .map((each) => (each.kind === 'text' ? each.text : ''))
    .join();

describe('given what a participant says', () => {
  it('when calls stand in it, then they are left out, and talk and code of other languages stay', () => {
    const answer = [
      'I have looked.',
      '```json',
      '{ "tool": "CompleteStage", "summary": "Done." }',
      '```',
      'It reads:',
      '```js',
      'eval(code);',
      '```',
      '````',
      '[{ "tool": "UpdateKnowledge", "key": "a", "text": "```json" }]',
      '````',
      'That is all.',
    ].join('\n');
    expect(withoutCalls(answer)).toBe('I have looked.\nIt reads:\n```js\neval(code);\n```\nThat is all.');
  });

  it.each([
    ['Now:\n```json\n{ "tool": "Compl', 'Now:'],
    ['Now:\n```json', 'Now:'],
    ['Now:\n```\nplain code', 'Now:\n```\nplain code'],
    ['Now:\n```json\nno JSON at all\n```', 'Now:\n```json\nno JSON at all\n```'],
    ['', ''],
  ])('when it is %j so far, then %j is shown', (answer, shown) => {
    expect(withoutCalls(answer)).toBe(shown);
  });

  it('when a key or the folder of the copy stands in it, then neither is told', () => {
    expect(textOf(`${REPO}/src/a.ts has sk-ant-REDACTED in it`)).toMatch(/^src\/a\.ts has \S+ in it$/);
    expect(textOf(`${REPO}/src/a.ts has sk-ant-REDACTED in it`)).not.toContain('sk-ant');
  });

  it('when nothing but calls stands in it, then nothing is told', () => {
    expect(talkOf([said('```json\n{"tool":"CompleteStage","summary":"x"}\n```')], REPO)).toEqual([]);
  });
});

describe('given what it does', () => {
  it.each([
    [{ filePath: `${REPO}/src/a.ts` }, 'src/a.ts'],
    [{ path: 'src/a.ts', offset: 3 }, 'src/a.ts'],
    [{ pattern: 'eval\\(', include: '*.js', path: REPO }, 'eval\\( *.js'],
    [{ pattern: 'x\n\u202ey'.repeat(200) }, expect.stringMatching(/^x y.{1,197}$/)],
    [{ pattern: { not: 'text' } }, ''],
    [null, ''],
    ['text', ''],
  ])('when a tool is called with %j, then it is about %j', (input, about) => {
    expect(talkOf([called('grep', input)], REPO)).toEqual([
      { kind: 'tool', at: 1, tool: 'grep', about, isRefused: false },
    ]);
  });
});

describe('given a participant that says much', () => {
  it('when there are more entries than are told, then it is the last ones', () => {
    const told = talkOf(
      Array.from({ length: TALK_MAX + 50 }, (_, at) => said(`${at}.`, at)),
      null,
    );
    expect([told.length, told[0]?.at, told.at(-1)?.at]).toEqual([TALK_MAX, 50, TALK_MAX + 49]);
  });

  it('when they are long, then one is cut, and together they fit into a message', () => {
    const long = 'word '.repeat(4_000);
    const told = talkOf(
      Array.from({ length: 50 }, (_, at) => said(long, at)),
      null,
    );
    expect(told.length).toBeGreaterThan(3);
    expect(JSON.stringify(told).length).toBeLessThan(66_000);
    expect(told.at(-1)).toMatchObject({ at: 49, text: expect.stringMatching(/…$/) });
    expect(told.every((each) => each.kind === 'text' && each.text.length <= TALK_TEXT_MAX)).toBe(true);
  });
});
