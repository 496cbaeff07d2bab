import { describe, expect, it, vi } from 'vitest';
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

  it.each([
    ['no compaction can be begun', false, {}],
    ['compactions have a model of their own', true, { compaction: 'other/model' }],
  ])('when %s, then a message is begun, once', async (_, doesCompact, leads) => {
    const { instance, opened } = looking([['lead/one', 'lead/other']], doesCompact);
    const summarize = vi.spyOn(instance.client.session, 'summarize');
    instance.leads = leads;
    await lookAtLogins(instance);
    expect([opened, summarize.mock.calls.length]).toEqual([['other'], doesCompact ? 0 : 1]);
  });

  it('when its request begins, then it ends as a stop does, which OpenCode does not show', () => {
    expect(() => endLook({ hasStarted: false })).toThrow(expect.objectContaining({ name: 'AbortError' }));
  });
});

/** An instance that records the models whose compaction or answer is asked for; a compaction begins or not. */
function looking(loggedIn: readonly (readonly string[])[], doesCompact = true) {
  const { instance } = openDouble();
  const opened: unknown[] = [];
  const begin = (id: string, { modelID }: Record<string, unknown>): void => {
    opened.push(modelID);
    const look = instance.asides.get(id)?.look;
    if (look) look.hasStarted = true;
  };
  const session = {
    ...instance.client.session,
    create: async () => ({ data: { id: `ses_look_${opened.length}` } }),
    summarize: async ({ path, body }: { path: { id: string }; body: Record<string, unknown> }) => {
      if (!doesCompact) throw new Error('made up');
      begin(path.id, body);
      return {};
    },
    prompt: async ({ path, body }: { path: { id: string }; body: Record<string, unknown> }) => {
      begin(path.id, body.model as Record<string, unknown>);
      return {};
    },
  };
  Object.assign(instance, { client: { ...instance.client, session }, listed: { ...instance.listed, loggedIn } });
  return { instance, opened };
}
