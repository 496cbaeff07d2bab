import { describe, expect, it } from 'vitest';
import { askedAs, askedWith, isOutdated, labelsOf, readAccounts } from '../../../src/plugin/opencode2/session/accounts';
import { listAnew } from '../../../src/plugin/opencode2/session/catalogue';
import { moveSession, pointHome } from '../../../src/plugin/opencode2/session/switch';
import { LEAD, openInstance, refOf } from '../support/opencode2-instance';

type Kept = Readonly<{ id: string; label: string; method?: string; value: Readonly<Record<string, unknown>> }>;

const KEYS: readonly Kept[] = [
  { id: 'cred_1', label: 'home', value: { type: 'key', key: 'sk-home-123456' } },
  { id: 'cred_2', label: 'my work', value: { type: 'key', key: 'sk-work-123456' } },
];
const LOGINS: readonly Kept[] = [
  {
    id: 'cred_3',
    label: 'a',
    method: 'oauth',
    value: { access: 'token-one-1234', metadata: { accountID: 'acc-one-1' } },
  },
  {
    id: 'cred_4',
    label: 'b',
    method: 'oauth',
    value: { access: 'token-two-1234', metadata: { accountID: 'acc-two-2' } },
  },
];

/** An OpenCode that keeps these accounts of the lead's provider, the first of them in use. */
function open(kept: readonly Kept[] = KEYS, env: readonly string[] = []) {
  const state = { kept: [...kept], resolved: 0 };
  const connections = () => [
    ...state.kept.map(({ id, label, method = 'key' }) => ({ type: 'credential', id, label, method })),
    ...env.map((name) => ({ type: 'env', name })),
  ];
  const opened = openInstance({
    context: {
      model: { list: async () => [refOf(LEAD)], default: async () => refOf(LEAD) },
      agent: { list: async () => [] },
      provider: { list: async () => ({ data: [{ id: 'lead', integrationID: 'login-of-lead' }, { id: 'bare' }] }) },
      integration: {
        list: async () => ({ data: [{ id: 'login-of-lead', connections: connections() }, { id: 'bare' }] }),
        connection: {
          active: async () => connections()[0],
          async resolve(connection) {
            state.resolved++;
            const { id, name } = connection as { id?: string; name?: string };
            return name ? { type: 'key', key: `key-of-${name}` } : state.kept.find((each) => each.id === id)?.value;
          },
        },
      },
    },
  });
  return { ...opened, state };
}

const used = async (
  of: ReturnType<typeof open>,
  label: string,
  headers: Readonly<Record<string, string>>,
  url = 'https://lead.example/v1',
) => {
  const asked = await askedWith(of.instance, `lead@${label}/one`, { url, headers: Object.entries(headers) });
  return asked.ok ? Object.fromEntries(asked.headers) : asked.why.mapped?.kind;
};

describe('given accounts that OpenCode keeps', () => {
  it('when they are read, then the one in use comes first, and a label is what can be written; one account alone is none', async () => {
    expect(labelsOf((await readAccounts(open().instance)) ?? new Map())).toEqual({ lead: ['home', 'my-work'] });
    expect((await readAccounts(open(KEYS.slice(0, 1)).instance))?.size).toBe(0);
  });

  it('when labels are alike, empty, or what a book of health is named by, then each is told from the others', async () => {
    const kept = ['work', 'work', '@/#', '0123456789ab', 'x'.repeat(80)].map((label, at) => ({
      ...{ id: `cred_${at}`, label, value: { key: 'sk-123456789' } },
    }));
    expect(labelsOf((await readAccounts(open(kept).instance)) ?? new Map()).lead).toEqual([
      ...['work', 'work-2', 'account', 'account-0123456789ab', 'x'.repeat(40)],
    ]);
  });

  it('when another of two that are called alike comes into use, then each keeps its name', async () => {
    const kept = ['default', 'default'].map((label, at) => ({
      id: `cred_${at}`,
      label,
      value: { key: `sk-12345678${at}` },
    }));
    const opened = open(kept);
    const told = async () => labelsOf((await readAccounts(opened.instance)) ?? new Map()).lead;
    const before = await told();
    opened.state.kept.reverse();
    expect([before, await told()]).toEqual([
      ['default', 'default-2'],
      ['default-2', 'default'],
    ]);
  });

  it('when they are of different kinds, then only those of the kind in use may stand in; a key of the environment is a key', async () => {
    const labels = async (kept: readonly Kept[], env: readonly string[] = []) =>
      labelsOf((await readAccounts(open(kept, env).instance)) ?? new Map()).lead;
    expect([await labels([...KEYS, ...LOGINS], ['LEAD_KEY']), await labels([...LOGINS, ...KEYS])]).toEqual([
      ['home', 'my-work', 'LEAD_KEY'],
      ['a', 'b'],
    ]);
  });

  it('when an OpenCode tells of no accounts, then nothing is known of any', async () => {
    expect(await readAccounts(openInstance().instance)).toBeNull();
  });
});

describe('given a request for another account than the one in use', () => {
  it.each([
    ['a bearer key', { authorization: 'Bearer sk-home-123456' }, { authorization: 'Bearer sk-work-123456' }],
    [
      'a key by another name',
      { 'x-api-key': 'sk-home-123456', accept: 'a' },
      { 'x-api-key': 'sk-work-123456', accept: 'a' },
    ],
  ])('when it carries %s, then that account’s stands there, and nothing else is changed', async (_, sent, asked) => {
    const opened = open();
    await listAnew(opened.instance);
    expect(await used(opened, 'my-work', sent)).toEqual(asked);
  });

  it('when it is a login, then its token and all that names its account are the other one’s', async () => {
    const opened = open(LOGINS);
    await listAnew(opened.instance);
    expect(
      await used(opened, 'b', { authorization: 'Bearer token-one-1234', 'chatgpt-account-id': 'acc-one-1' }),
    ).toEqual({
      authorization: 'Bearer token-two-1234',
      'chatgpt-account-id': 'acc-two-2',
    });
  });

  it.each<[string, (of: ReturnType<typeof open>) => void, Readonly<Record<string, string>>, string]>([
    ['the key stands nowhere in it', () => undefined, { authorization: 'AWS4-HMAC-SHA256 Signature=abc' }, 'auth'],
    [
      'OpenCode no longer has it',
      ({ instance }) => Object.assign(instance, { accounts: new Map() }),
      { authorization: 'Bearer sk-home-123456' },
      'auth',
    ],
    [
      'OpenCode does not say what opens it, as where a login cannot be renewed',
      ({ state }) => void state.kept.splice(1),
      { authorization: 'Bearer sk-home-123456' },
      'network_transient',
    ],
    [
      'OpenCode does not say what opens it',
      ({ state }) => Object.assign(state, { kept: state.kept.map((each) => ({ ...each, value: {} })) }),
      { authorization: 'Bearer sk-home-123456' },
      'network_transient',
    ],
  ])('when %s, then it is not asked with the account in use instead', async (_, prepare, headers, kind) => {
    const opened = open();
    await listAnew(opened.instance);
    prepare(opened);
    expect(await used(opened, 'my-work', headers)).toBe(kind);
  });

  const key = (id: string, label: string, text: string, metadata?: Readonly<Record<string, unknown>>): Kept => ({
    ...{ id, label, value: { type: 'key', key: text, ...(metadata ? { metadata } : {}) } },
  });
  const [HOME_KEY, WORK_KEY] = ['sk-home-123456', 'sk-work-123456'];
  const BY_KEY = { authorization: `Bearer ${HOME_KEY}` };
  const IDS = ['acc-one-1', 'acc-two-2'] as const;
  const login = (id: string, label: string, access: string, accountID?: string): Kept => ({
    ...{ id, label, method: 'oauth', value: { access, ...(accountID ? { metadata: { accountID } } : {}) } },
  });
  const TOKEN = 'token-one-1234';

  it.each<[string, readonly Kept[], Readonly<Record<string, string>>, string?]>([
    [
      'its address is that of the account in use alone',
      [
        login('c1', 'company', TOKEN),
        { ...login('c2', 'own', 'token-two-1234'), value: { access: 'token-two-1234', metadata: { host: 'ghe.own' } } },
      ],
      { authorization: `Bearer ${TOKEN}` },
    ],
    [
      'both differ in a part of the address',
      [key('c1', 'a', HOME_KEY, { resourceName: 'acme' }), key('c2', 'own', WORK_KEY, { resourceName: 'mine' })],
      BY_KEY,
      'https://acme.example/v1',
    ],
    [
      'the token was renewed since, and its account alone would change',
      [login('c1', 'a', 'token-new-5678', IDS[0]), login('c2', 'own', 'token-two-1234', IDS[1])],
      { authorization: `Bearer ${TOKEN}`, 'chatgpt-account-id': IDS[0] },
    ],
    [
      'it has no account id, and that of the other would stay',
      [login('c1', 'a', TOKEN, IDS[0]), login('c2', 'own', 'token-two-1234')],
      { authorization: `Bearer ${TOKEN}`, 'chatgpt-account-id': IDS[0] },
    ],
    [
      'the key stands in the address too',
      [key('c1', 'a', HOME_KEY), key('c2', 'own', WORK_KEY)],
      BY_KEY,
      `https://x/?k=${HOME_KEY}`,
    ],
    ['its key is too short to be found', [key('c1', 'a', HOME_KEY), key('c2', 'own', 'sk-two')], BY_KEY],
    [
      'the key in use is too short to be found',
      [key('c1', 'a', 'sk-one'), key('c2', 'own', WORK_KEY)],
      { authorization: 'Bearer sk-one' },
    ],
    ['its key was pasted badly', [key('c1', 'a', HOME_KEY), key('c2', 'own', 'sk-work\u200b-123456')], BY_KEY],
  ])('when %s, then nobody is asked half as the one and half as the other', async (_, kept, headers, url) => {
    const opened = open(kept);
    await listAnew(opened.instance);
    expect(await used(opened, 'own', headers, url)).toMatch(/^(?:auth|network_transient)$/);
  });

  it('when its key has signs that a pattern would read, then it is sent as it is', async () => {
    const opened = open([key('c1', 'a', HOME_KEY), key('c2', 'own', 'sk-w$&rk-$$12')]);
    await listAnew(opened.instance);
    expect(await used(opened, 'own', BY_KEY)).toEqual({ authorization: 'Bearer sk-w$&rk-$$12' });
  });

  it('when four requests need it at once, then OpenCode is asked once: reading a login may renew it', async () => {
    const opened = open(LOGINS);
    await listAnew(opened.instance);
    await Promise.all([1, 2, 3, 4].map(() => used(opened, 'b', { authorization: `Bearer ${TOKEN}`, id: IDS[0] })));
    expect(opened.state.resolved).toBe(2);
  });

  it('when that account has come into use meanwhile, then the request goes as it is', async () => {
    const opened = open();
    await listAnew(opened.instance);
    opened.state.kept.reverse();
    expect(await used(opened, 'my-work', { authorization: 'Bearer sk-work-123456' })).toEqual({
      authorization: 'Bearer sk-work-123456',
    });
    expect([await isOutdated(opened.instance, LEAD), await isOutdated(opened.instance, 'bare/one')]).toEqual([
      true,
      false,
    ]);
  });
});

describe('given a session that goes on by another account', () => {
  it('when it is moved there and comes to rest, then OpenCode has heard of nothing', async () => {
    const { instance, session, host } = open();
    await listAnew(instance);
    expect(await moveSession(instance, session, { from: LEAD, to: 'lead@my-work/one' })).toBe('moved');
    expect(askedAs(session, refOf(LEAD))).toBe('lead@my-work/one');
    await pointHome(instance, session);
    expect([askedAs(session, refOf(LEAD)), host.set]).toEqual([LEAD, []]);
  });

  it('when another account comes into use, then what was found out of the one before does not speak of it, told once for all projects', async () => {
    const { instance, state, events } = open();
    await listAnew(instance);
    const resets = () => events.filter(({ type }) => type === 'health.reset');
    expect(resets()).toEqual([]);
    state.kept.reverse();
    await listAnew(instance);
    await listAnew(instance);
    expect(resets()).toEqual([{ type: 'health.reset', target: { provider: 'lead' }, actor: 'opencode' }]);
  });
});
