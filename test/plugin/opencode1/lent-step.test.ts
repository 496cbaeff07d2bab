import { describe, expect, it } from 'vitest';
import { withoutLastStep } from '../../../src/plugin/opencode1/lent-step';

const LAST = 'CRITICAL - MAXIMUM STEPS REACHED\n\nThe maximum number of steps allowed for this task has been reached.';
const asked = { role: 'user', content: 'Read it twice' };

describe('given the body of a request on each wire', () => {
  it.each<readonly [string, Readonly<Record<string, unknown>>, string]>([
    ['chat', { model: 'm', messages: [asked, { role: 'assistant', content: LAST }], stream: true }, 'messages'],
    [
      'anthropic',
      { system: [], messages: [asked, { role: 'assistant', content: [{ type: 'text', text: LAST }] }] },
      'messages',
    ],
    ['responses', { input: [asked, { role: 'assistant', content: [{ type: 'output_text', text: LAST }] }] }, 'input'],
    ['google', { contents: [asked, { role: 'model', parts: [{ text: LAST }] }], tools: [] }, 'contents'],
  ])('when OpenCode says at its end that no step is left (%s), then that alone goes', (_, body, list) => {
    const left = withoutLastStep(JSON.stringify(body));
    expect(left === null ? null : JSON.parse(left)).toEqual({ ...body, [list]: [asked] });
  });

  it.each<readonly [string, unknown]>([
    ['says no such thing', JSON.stringify({ messages: [asked, { role: 'assistant', content: 'Done.' }] })],
    ['is a person’s who asks about these words', JSON.stringify({ messages: [{ role: 'user', content: LAST }] })],
    ['said so earlier', JSON.stringify({ messages: [{ role: 'assistant', content: LAST }, asked] })],
    ['is no JSON', `{ "messages": ${LAST}`],
    ['is a stream', new ReadableStream()],
  ])('when it %s, then nothing is changed', (_, body) => {
    expect(withoutLastStep(body)).toBeNull();
  });
});
