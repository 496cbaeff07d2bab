import { describe, expect, it } from 'vitest';
import type { GuardedRequest } from '../../../../src/plugin/opencode1/memory/guarded-request';
import { lendStep, lentBody, spendStep, withoutLastStep } from '../../../../src/plugin/opencode1/request/lent-step';

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

/** An agent that may take `steps`, and OpenCode, which counts each request, the empty turns of ours among them. */
function openTurn(steps: number) {
  const request = { isInternal: false, turn: { lentSteps: 0 } } as unknown as GuardedRequest;
  let counted = 0;
  /** True if the model is told that it is on its last step. @param fails it is left for another one. */
  return (fails = false, isSigned = false): boolean => {
    counted++;
    const headers = new Headers(isSigned ? { authorization: 'AWS4-HMAC-SHA256 Credential=key' } : {});
    const body = JSON.stringify({
      messages: counted < steps ? [asked] : [asked, { role: 'assistant', content: LAST }],
    });
    const lent = lentBody(request, headers, body);
    const call = { request, isLent: lent !== null, isLast: lent === null && withoutLastStep(body) !== null };
    if (fails) lendStep(call);
    else spendStep(call);
    return withoutLastStep(lent ?? body) !== null;
  };
}

describe('given an agent that may take three steps', () => {
  it('when a model is left in the first, then it takes three all the same', () => {
    const step = openTurn(3);
    expect([step(true), step(), step(), step()]).toEqual([false, false, false, true]);
  });

  it('when models are left in the first and the third, then the last is the third one of its own', () => {
    const step = openTurn(3);
    expect([step(true), step(), step(), step(true), step()]).toEqual([false, false, false, true, true]);
  });

  it('when its last step is left, once or twice, then whoever takes over is on the last one too', () => {
    const step = openTurn(3);
    expect([step(), step(), step(true), step(true), step()]).toEqual([false, false, true, true, true]);
  });

  it('when a lent step is left, then it is lent on and no more', () => {
    const step = openTurn(2);
    expect([step(true), step(true), step(), step()]).toEqual([false, false, false, true]);
  });

  it('when it is a signed model that is left, then its understudy has all that are left', () => {
    const step = openTurn(3);
    expect([step(false, true), step(true, true), step(), step()]).toEqual([false, false, false, true]);
  });

  it('when a signed model takes over, whose body nobody may change, then it is told one step too early, and no more than that', () => {
    const step = openTurn(3);
    expect([step(), step(true), step(false, true)]).toEqual([false, false, true]);
  });

  it('when the signed one fails as well, then whoever takes over from it has the step that it was told it had not', () => {
    const step = openTurn(3);
    expect([step(), step(true), step(true, true), step(), step()]).toEqual([false, false, true, false, true]);
  });
});
