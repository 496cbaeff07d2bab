import { describe, expect, it } from 'vitest';
import { endLook, lookAtLogins, wrapLogin } from '../../../src/plugin/opencode1/login-fetch';
import { REQUEST_HEADER } from '../../../src/plugin/opencode1/memory/guarded-request';
import { openDouble } from '../support/opencode-double';

type Own = (url: string, init: RequestInit) => Promise<Response>;

function provider(more: Readonly<Record<string, unknown>> = {}) {
  const sent: Headers[] = [];
  const own: Own = async (_, init) => {
    sent.push(new Headers(init.headers));
    return new Response('answered');
  };
  return { sent, own, live: { options: { fetch: own as unknown, ...more } as Record<string, unknown> } };
}

describe('given a provider to which a login plugin has given a fetch', () => {
  it('when it is wrapped, then OpenCode makes a new client, and the plugin gets each request without our header', async () => {
    const { instance } = openDouble();
    const { live, own, sent } = provider();
    wrapLogin(instance, live);
    expect([live.options.fetch === own, live.options.headerTimeout]).toEqual([false, 300_000]);
    const headers = { [REQUEST_HEADER]: '99999', authorization: 'made up' };
    const response = await (live.options.fetch as Own)('http://127.0.0.1:9/', { headers });
    expect([await response.text(), [...(sent[0] ?? [])]]).toEqual(['answered', [['authorization', 'made up']]]);
  });

  it('when it is wrapped twice, then once; when OpenCode lets go of us, then it is as it was', () => {
    const { instance } = openDouble();
    const { live, own } = provider({ headerTimeout: 10 });
    wrapLogin(instance, live);
    wrapLogin(instance, live);
    expect([live.options.headerTimeout, instance.logins.length]).toEqual([11, 1]);
    for (const giveBack of instance.logins) giveBack();
    expect(live.options).toEqual({ fetch: own, headerTimeout: 10 });
  });

  it('when another plugin has wrapped ours since, then its fetch stays', () => {
    const { instance } = openDouble();
    const { live } = provider();
    wrapLogin(instance, live);
    const other = async () => new Response();
    live.options.fetch = other;
    for (const giveBack of instance.logins) giveBack();
    expect(live.options.fetch).toBe(other);
  });

  it.each([{}, { options: {} }, { options: { fetch: 'no function' } }])(
    'when it is %j, then nothing changes',
    (live) => {
      const before = structuredClone(live);
      wrapLogin(openDouble().instance, live);
      expect(live).toEqual(before);
    },
  );
});

describe('given providers that a plugin can log in', () => {
  it('when OpenCode has listed its models, then one that no chain names is asked for, and only of a provider of the chains', async () => {
    const { instance, opened } = looking([['lead/one', 'lead/other'], ['spare/two'], ['foreign/one', 'foreign/two']]);
    await lookAtLogins(instance);
    expect(opened).toEqual(['other']);
  });

  it('when all models of a provider are in a chain, then the hindmost is asked for; when it has one, then none is', async () => {
    const { instance, opened } = looking([['lead/one', 'spare/two'], ['lead/one']]);
    await lookAtLogins(instance);
    expect(opened).toEqual(['two']);
  });

  it('when its request begins, then it ends as a stop does, which OpenCode does not show', () => {
    expect(() => endLook({ hasStarted: false })).toThrow(expect.objectContaining({ name: 'AbortError' }));
  });
});

/** An instance whose sessions record the model that they are asked for. */
function looking(loggedIn: readonly (readonly string[])[]) {
  const { instance } = openDouble();
  const opened: unknown[] = [];
  const session = {
    ...instance.client.session,
    create: async () => ({ data: { id: `ses_look_${opened.length}` } }),
    prompt: async ({ body }: { body: Record<string, unknown> }) => {
      opened.push((body.model as { modelID: string }).modelID);
      return {};
    },
  };
  Object.assign(instance, { client: { ...instance.client, session }, listed: { ...instance.listed, loggedIn } });
  return { instance, opened };
}
