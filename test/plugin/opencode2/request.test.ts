import { describe, expect, it, vi } from 'vitest';
import { onResponse } from '../../../src/plugin/opencode2/request/answer';
import { beginCall, callOf } from '../../../src/plugin/opencode2/request/calls';
import { ofAccount } from '../../../src/plugin/opencode2/request/held';
import { onRequest } from '../../../src/plugin/opencode2/request/request';
import { onHandshake } from '../../../src/plugin/opencode2/request/socket';
import { asking, LEAD, openInstance } from '../support/opencode2-instance';

const KEYS = { home: 'sk-home-123456', work: 'sk-work-123456' } as const;
const OURS = 'https://lead.example/v1/chat/completions';
const connection = (name: string) => ({ type: 'env', name }) as const;

/** A session that is with the account `work`, whose key OpenCode tells when `told` is called; with a scope that may be held back or not. */
async function open({ key = KEYS.work as string, replaced = 'read' as 'read' | 'refused' } = {}) {
  let tell: (value: unknown) => void = () => undefined;
  const work = new Promise<unknown>((resolve) => {
    tell = resolve;
  });
  const opened = openInstance({
    context: {
      integration: {
        connection: {
          active: async () => connection('home'),
          resolve: async (asked) => ((asked as { name: string }).name === 'home' ? { key: KEYS.home } : work),
        },
      },
    },
  });
  const { instance, session } = opened;
  const account = (label: string) => ({ label, integration: 'lead', connection: connection(label) });
  instance.accounts = new Map([['lead', [account('home'), account('work')]]]);
  instance.replaced = replaced;
  session.account = { model: 'lead@work/one', of: LEAD };
  const headers = { authorization: `Bearer ${KEYS.home}` };
  const event = { ...asking(), request: new Request(OURS, { method: 'POST', body: '{}', headers }) };
  await beginCall(instance, event);
  const call = callOf(instance, event);
  if (!call) throw new Error('no call');
  return { ...opened, event, call, headers, tell: () => tell({ key }) };
}

describe('given a request for another account than the one in use', () => {
  it('when OpenCode takes its time to tell that account’s key, then nothing leads to the provider before', async () => {
    const { instance, event, tell } = await open({ replaced: 'refused' });
    const done = onRequest(instance, event);
    expect([event.request.url, event.request.headers.get('authorization')]).toEqual(['http://127.0.0.1:1/', null]);
    // However long OpenCode waits for us.
    await new Promise(setImmediate);
    expect(event.request.url).toBe('http://127.0.0.1:1/');
    tell();
    await done;
    expect([event.request.url, event.request.headers.get('authorization')]).toEqual([OURS, `Bearer ${KEYS.work}`]);
  });

  it('when it is held back, then its key is put in where it is sent, with all the time that takes', async () => {
    const { instance, event, call, tell } = await open();
    await onRequest(instance, event);
    expect([event.request.url.slice(0, 5), call.held?.url]).toEqual(['data:', OURS]);
    tell();
    const made = call.held && (await ofAccount(instance, call, call.held));
    expect(made instanceof Request && [made.headers.get('authorization'), await made.text()]).toEqual([
      `Bearer ${KEYS.work}`,
      '{}',
    ]);
  });

  it.each(['sk-work\u200b-123456', 'sk-work…123456', 'sk-work\n123456'])(
    'when its key was pasted badly, then nobody is asked, and no word of ours has it: %j',
    async (key) => {
      const { instance, event, call, tell, lines } = await open({ key, replaced: 'refused' });
      const done = onRequest(instance, event);
      tell();
      await done;
      expect([event.request.url, call.failure?.mapped]).toEqual(['http://127.0.0.1:1/', { kind: 'auth' }]);
      expect(JSON.stringify([call.failure, lines])).not.toContain('123456');
    },
  );

  it('when it would go over a web socket, then none is opened before its key is there', async () => {
    const { instance, headers, tell } = await open();
    const event = { ...asking(), url: 'wss://lead.example/v1', headers: { ...headers } };
    const done = onHandshake(instance, event);
    expect(event.url).toBe('understudy:http');
    tell();
    await done;
    expect([event.url, event.headers.authorization]).toEqual(['wss://lead.example/v1', `Bearer ${KEYS.work}`]);
  });
});

describe('given a request that is held', () => {
  it.each([
    ['with its type', { 'content-type': 'application/x-understudy' }],
    ['without headers, as some packages see it', {}],
  ])('when the response to its placeholder comes %s, then the real request is sent once', async (_, headers) => {
    const { instance } = openInstance();
    const event = { ...asking(), request: new Request(OURS, { method: 'POST', body: '{}', headers: { own: 'kept' } }) };
    const sent: unknown[] = [];
    const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (request) => {
      const { url, headers: own } = request as Request;
      sent.push([url, own.get('own'), await (request as Request).text()]);
      return new Response('{"error":{}}', { status: 429 });
    });
    await beginCall(instance, event);
    await onRequest(instance, event);
    const came = { ...asking(), request: event.request, response: new Response(null, { headers }) };
    await onResponse(instance, came);
    spy.mockRestore();
    expect([sent, came.response.status]).toEqual([[[OURS, 'kept', '{}']], 429]);
  });
});
