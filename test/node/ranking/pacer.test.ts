import { describe, expect, it, onTestFinished } from 'vitest';
import { openPacer } from '../../../src/features/ranking/node/pacer';
import { type Answers, startChatEndpoint } from '../../support/chat-endpoint';

/** A pacer before an endpoint, whose pauses end when the test says so. */
async function open(answers?: Answers, key: string | null = 'sk-own-key') {
  const endpoint = await startChatEndpoint(answers);
  onTestFinished(() => endpoint.close());
  const pauses: { delayMs: number; end: () => void }[] = [];
  let answered = 0;
  const pacer = await openPacer({
    endpoint: new URL(endpoint.address),
    key,
    pause: (delayMs) => new Promise((end) => pauses.push({ delayMs, end })),
    onAnswer: () => {
      answered += 1;
    },
  });
  onTestFinished(() => pacer.close());
  const post = (content: string, address = pacer.address, method = 'POST') =>
    fetch(address, {
      method,
      headers: { authorization: 'Bearer of-the-program', 'content-type': 'application/json', 'x-own': '1' },
      ...(method === 'GET' ? {} : { body: JSON.stringify({ messages: [{ content }] }) }),
    });
  return { endpoint, pacer, pauses, post, answered: () => answered };
}

describe('given a program that asks an endpoint through a pacer', () => {
  it('when it asks, then the endpoint hears the question with the key of the user, and its answer comes back', async () => {
    const { post, endpoint, answered, pacer } = await open();
    const response = await post('One?');
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'right' } }] });
    expect(endpoint.received()).toEqual([{ authorization: 'Bearer sk-own-key', question: 'One?' }]);
    expect([answered(), pacer.lastStatus()]).toEqual([1, 200]);
  });

  it('when the endpoint asks for no key, then none is sent, not even that of the program', async () => {
    const { post, endpoint } = await open(undefined, null);
    await (await post('One?')).text();
    expect(endpoint.received()).toEqual([{ authorization: undefined, question: 'One?' }]);
  });

  it('when it asks 3 at once, then one at a time goes through, each a second after the last answer', async () => {
    const { post, endpoint, pauses } = await open();
    const all = ['One?', 'Two?', 'Three?'].map(async (question) => await (await post(question)).text());
    await expect.poll(() => pauses.length).toBe(1);
    expect(endpoint.received()).toHaveLength(1);
    pauses[0]?.end();
    await expect.poll(() => pauses.length).toBe(2);
    expect(endpoint.received()).toHaveLength(2);
    pauses[1]?.end();
    await Promise.all(all);
    expect(endpoint.received()).toHaveLength(3);
    expect(endpoint.most()).toBe(1);
    expect(pauses.map(({ delayMs }) => delayMs)).toEqual(pauses.map(() => 1_000));
  });

  it.each([401, 429, 500])('when the endpoint answers %i, then that comes back, and is no answer', async (status) => {
    const { post, answered, pacer } = await open(() => status);
    expect((await post('One?')).status).toBe(status);
    expect([answered(), pacer.lastStatus()]).toEqual([0, status]);
  });

  it('when the endpoint sends elsewhere, then it is not said where', async () => {
    const { post, pacer } = await open(() => 307);
    const response = await post('One?');
    expect([response.status, response.headers.get('location'), pacer.lastStatus()]).toEqual([307, null, 307]);
  });

  it('when nobody listens there, then 502 comes back', async () => {
    const { post, endpoint, pacer } = await open();
    await endpoint.close();
    expect([(await post('One?')).status, pacer.lastStatus()]).toEqual([502, 0]);
  });

  it('when it leaves before the answer, then the endpoint is left too, and not blamed', async () => {
    const { endpoint, pacer, pauses } = await open(() => 'hold');
    const leaving = new AbortController();
    const asked = fetch(pacer.address, { method: 'POST', body: '{}', signal: leaving.signal });
    await expect.poll(() => endpoint.received().length).toBe(1);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await expect.poll(() => pauses.length).toBe(1);
    expect(pacer.lastStatus()).toBeNull();
  });
});

describe('given another program on the machine', () => {
  it.each([
    ['another path', '/v1/chat/completions', 'POST'],
    ['the root', '/', 'POST'],
    ['a path of the same length', `/${'a'.repeat(43)}/chat/completions`, 'POST'],
  ])('when it asks for %s, then it is let nowhere', async (_, path, method) => {
    const { post, endpoint, pacer } = await open();
    expect((await post('Mine?', new URL(path, pacer.address).href, method)).status).toBe(404);
    expect(endpoint.received()).toEqual([]);
  });

  it('when it reads instead of posting, then it is let nowhere, though it knew the address', async () => {
    const { post, endpoint, pacer } = await open();
    expect((await post('Mine?', pacer.address, 'GET')).status).toBe(404);
    expect(endpoint.received()).toEqual([]);
  });

  it('when the program has ended, then nothing listens any more', async () => {
    const { post, pacer } = await open();
    await pacer.close();
    await expect(post('Mine?')).rejects.toThrow('fetch failed');
  });
});
