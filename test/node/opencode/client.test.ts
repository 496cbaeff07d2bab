import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sendRequest } from '../../../src/node/opencode/client';

/** A server that closes this many connections before it answers. */
async function openServer(closesFirst: number) {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    if (asked <= closesFirst) request.socket.destroy();
    else response.end('{"is":"well"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    asked: () => asked,
    send: (method: string, more = {}) => sendRequest({ url, headers: {}, method, path: '/', ...more }),
  };
}

describe('given a server that closes connections before it has answered', () => {
  it.each<readonly [string, object]>([
    ['GET', {}],
    ['DELETE', {}],
    ['POST', { isRepeatable: true }],
  ])('when %s may be asked again, then it is, and is answered', async (method, more) => {
    const { send, asked } = await openServer(2);
    expect([await send(method, more), asked()]).toEqual([{ is: 'well' }, 3]);
  });

  it('when a message was sent, then it is not sent a second time', async () => {
    const { send, asked } = await openServer(1);
    await expect(send('POST', { body: { text: 'One' } })).rejects.toThrow('fetch failed');
    expect(asked()).toBe(1);
  });

  it('when no answer ever comes, then that is said after six tries', async () => {
    const { send, asked } = await openServer(100);
    await expect(send('GET')).rejects.toThrow('fetch failed');
    expect(asked()).toBe(6);
  });
});
