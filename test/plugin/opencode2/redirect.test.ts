import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { beginCall, callOf } from '../../../src/plugin/opencode2/request/calls';
import { ofAccount, send } from '../../../src/plugin/opencode2/request/held';
import { asking, LEAD, openInstance } from '../support/opencode2-instance';

const KEYS = { home: 'sk-home-123456', work: 'sk-work-123456' } as const;

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('given a request for another account than the one in use', () => {
  const HEADERS = [
    ['authorization', 'Bearer '],
    ['x-api-key', ''],
    ['x-goog-api-key', ''],
    ['api-key', ''],
  ] as const;
  const CASES = [301, 302, 303, 307, 308].flatMap((status) => HEADERS.map((header) => [status, ...header] as const));

  it.each(CASES)(
    'when its provider leads to another host by %d, then that host receives no %s',
    async (status, name, scheme) => {
      const received: IncomingHttpHeaders[] = [];
      const far = await serve(({ headers }, response) => {
        received.push(headers);
        response.end('{}');
      });
      const near = await serve((_, response) => response.writeHead(status, { location: `${far}/v1` }).end());
      const connection = (label: string) => ({ type: 'env', name: label }) as const;
      const { instance, session } = openInstance({
        context: {
          integration: {
            connection: {
              active: async () => connection('home'),
              resolve: async (asked) => ({ key: KEYS[(asked as { name: keyof typeof KEYS }).name] }),
            },
          },
        },
      });
      const account = (label: string) => ({ label, integration: 'lead', connection: connection(label) });
      instance.accounts = new Map([['lead', [account('home'), account('work')]]]);
      session.account = { model: 'lead@work/one', of: LEAD };
      const request = new Request(near, { method: 'POST', body: '{}', headers: { [name]: `${scheme}${KEYS.home}` } });
      const event = { ...asking(), request };
      await beginCall(instance, event);
      const call = callOf(instance, event);
      if (!call) throw new Error('no call');
      const own = await ofAccount(instance, call, request);
      if (!(own instanceof Request)) throw new Error(JSON.stringify(own));
      expect(own.headers.get(name)).toBe(`${scheme}${KEYS.work}`);
      const sent = await send(instance, call, own);
      expect([sent, received]).toEqual([{ phase: 'headers', message: 'fetch failed: unexpected redirect' }, []]);
    },
  );
});
