import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answer, type QueryInput, type QueryName, type QueryOutput } from '../../../src/contract/contract';
import { keepModels } from '../../../src/node/base/kept-models';
import { planConfig } from '../../../src/node/config/config-values';
import { cliUser, connectCompanion, startApp } from '../../cli/real-cli';
import { CHAIN, failed, prompted, started } from '../../core/virtual-core';
import { patiently } from '../../support/eventually';

const OWN = 'config/opencode/model-fallback.json';
const FILE = `{
  // calm
  "defaults": { "policy": "mine", "circuitBreaker": { "failureThreshold": 5 }, "fallbackOn": ["rate_limit", "timeout"] },
  "policies": { "mine": { "extends": "steady", "rows": { "timeout": ["wait:5000", "switch"] } } },
  "agents": { "build": { "policy": "patient", "fallbackModels": ["a/1", "b/2"] } }
}
`;

/** A user whose app runs, with this file of their own. */
async function withApp(text: string) {
  const user = await cliUser({ [OWN]: text });
  const core = await startApp(user);
  const ask = async <Q extends QueryName>(name: Q, input: QueryInput<Q>): Promise<QueryOutput<Q>> => {
    const reply = await answer(core.host.handlers, name, input);
    if (!reply.ok) throw new Error(reply.reason);
    return reply.value as QueryOutput<Q>;
  };
  const path = join(user.root, OWN);
  /** Shows a change and makes it. */
  const change = async (...changes: QueryInput<'config.preview'>['changes']) => {
    const edit = { directory: null, changes };
    const preview = await ask('config.preview', edit);
    if (!preview.ok) return preview;
    return await ask('config.apply', { ...edit, changes: preview.changes, seen: preview.seen });
  };
  return { ...user, core, ask, change, path, read: () => readFile(path, 'utf8') };
}

const setting = (path: string, value: never | boolean | string | number | string[]) =>
  ({ type: 'set', path: path.split('.'), value }) as const;

describe('given what a file says of policies and numbers', () => {
  it('when it is asked for, then each value and each row comes with who says so', async () => {
    const { ask, path } = await withApp(FILE);
    const { target, values, policies, agents, problems } = await ask('config.get', { directory: null });
    const value = (key: string) => values.find((one) => one.key === key);
    expect([target, problems]).toEqual([path, []]);
    expect(value('circuitBreaker.failureThreshold')).toMatchObject({ value: 5, path, line: 3 });
    expect(value('circuitBreaker.windowMs')).toMatchObject({ value: 3_600_000, path: null, line: null });
    expect(agents).toEqual([{ agent: 'build', policy: 'patient', own: { policy: 'patient', path, line: 5 } }]);
    expect(policies.map(({ name, parent }) => [name, parent])).toEqual([
      ['swift', null],
      ['steady', null],
      ['patient', null],
      ['council', null],
      ['mine', 'steady'],
    ]);
    const row = (kind: string) => policies.at(-1)?.rows.find((one) => one.kind === kind);
    expect(row('timeout')).toMatchObject({ words: ['wait:5000', 'switch'], from: 'mine' });
    expect(row('rate_limit')).toMatchObject({ words: ['retry:3', 'switch'], from: 'steady' });
    expect(row('server_error')).toMatchObject({ words: ['return'], from: 'fallbackOn' });
  });

  it('when numbers, a row and a policy are changed together, then one write says it all, and one undo takes it back', async () => {
    const { ask, change, read } = await withApp(FILE);
    const applied = await change(
      setting('defaults.circuitBreaker.failureThreshold', 4),
      setting('defaults.restMs', 1_000),
      setting('policies.mine.rows.quota', ['ask', 'switch']),
      { type: 'unset', path: ['agents', 'build', 'policy'] },
    );
    expect(applied).toMatchObject({ ok: true });
    expect(await read()).toBe(
      FILE.replace('"failureThreshold": 5', '"failureThreshold": 4')
        .replace('"timeout"] },', '"timeout"], "restMs": 1000 },')
        .replace('"switch"] } } },', '"switch"], "quota": ["ask", "switch"] } } },')
        .replace('"policy": "patient", ', ''),
    );
    const { agents } = await ask('config.get', { directory: null });
    expect(agents).toEqual([{ agent: 'build', policy: 'mine', own: null }]);
    if (applied.ok) await ask('setup.undo', { receipt: String(applied.receipt) });
    expect(await read()).toBe(FILE);
  });

  it('when what is done about limits and budgets is changed, then the file says it, the table as well, and one undo takes it back', async () => {
    const { ask, change, read } = await withApp(FILE);
    expect((await ask('config.get', { directory: null })).limits).toEqual([]);
    const applied = await change(
      setting('headroom.moveAt', 90),
      setting('headroom.drain', 'ask'),
      setting('headroom.spread', true),
      setting('budget.day', 5),
      setting('budget.action', 'stop'),
    );
    const written = await read();
    expect(written).toContain(FILE.slice(1, FILE.lastIndexOf('}')).trim());
    const { limits, target } = await ask('config.get', { directory: null });
    expect(limits.map(({ key, value, path }) => [key, value, path]).toSorted()).toEqual([
      ['budget.action', 'stop', target],
      ['budget.day', 5, target],
      ['headroom.drain', 'ask', target],
      ['headroom.moveAt', 90, target],
      ['headroom.spread', true, target],
    ]);
    if (applied.ok) await ask('setup.undo', { receipt: String(applied.receipt) });
    expect(await read()).toBe(FILE);
  });

  it('when a project’s file is to say what is done about limits, then it is refused', async () => {
    const { env, root } = await cliUser({ [OWN]: FILE });
    const edit = { directory: join(root, 'shop'), changes: [setting('budget.day', 1)] };
    expect(await planConfig(edit, env, 'panel')).toMatchObject({
      ...{ ok: false, reason: 'budget.day has no effect in a project’s file: set it in your own.' },
    });
  });

  it.each([
    [
      'a plan that would never count as spent',
      setting('headroom.moveAt', 101),
      'must be a number of percent from 50 to 100',
    ],
    ['an amount that is none', setting('budget.day', 'five'), 'must be'],
    ['a part kept for an agent', setting('headroom.reserve', 'build'), 'cannot be changed here'],
    [
      'a number out of range',
      setting('defaults.circuitBreaker.failureThreshold', 0),
      'must be a whole number from 1 to 1000',
    ],
    ['a word that is no step', setting('policies.mine.rows.timeout', ['swich']), 'Did you mean "switch"?'],
    ['a row without a step', setting('policies.mine.rows.timeout', []), 'A row needs a step'],
    ['a policy nobody knows', setting('defaults.policy', 'stedy'), 'Did you mean "steady"?'],
    ['a row of a policy that ships', setting('policies.swift.rows.timeout', ['switch']), 'use another name'],
    ['a policy that extends itself', setting('policies.mine.extends', 'mine'), 'cannot extend itself'],
    ['a kind that is none', setting('policies.mine.rows.moon', ['switch']), 'is no key of this file'],
    ['a place that is edited elsewhere', setting('agents.build.fallbackModels', ['a/1']), 'cannot be changed here'],
    ['a key the file has not', setting('defaults.colour', 'red'), 'is no key of this file'],
  ])('when %s is asked for, then it is refused at its field and nothing is written', async (_, change, says) => {
    const { change: make, read } = await withApp(FILE);
    const refused = await make(change);
    expect(refused).toMatchObject({
      ok: false,
      fields: [{ path: change.path, message: expect.stringContaining(says) }],
    });
    expect(await read()).toBe(FILE);
  });

  it('when the file is broken, then no change is made of it, and the reason names line and column', async () => {
    const broken = '{ "defaults": { ';
    const { change, read, path } = await withApp(broken);
    const refused = await change(setting('defaults.restMs', 1));
    expect(refused).toMatchObject({
      ok: false,
      reason: expect.stringContaining(`${path}:1:17: a closing } is missing`),
      fields: [],
    });
    expect(await read()).toBe(broken);
  });

  it('when the file has changed since it was shown, then nothing is written', async () => {
    const { ask, path, read } = await withApp(FILE);
    const edit = { directory: null, changes: [setting('defaults.restMs', 1)] };
    const preview = await ask('config.preview', edit);
    await writeFile(path, `${FILE}\n`);
    expect(await ask('config.apply', { ...edit, seen: preview.ok ? preview.seen : null })).toMatchObject({
      ok: false,
      reason: expect.stringContaining('changed meanwhile'),
    });
    expect(await read()).toBe(`${FILE}\n`);
  });
});

/** What `defaults` says after a change, of a user whose OpenCode leads with a model of vendor `a`. */
async function defaultsAfter(
  text: string,
  changes: Parameters<Awaited<ReturnType<typeof withApp>>['change']>,
  defaultModel: string | null = 'a/1',
) {
  const { home, root, change, read } = await withApp(text);
  const models = ['a/1', 'a/2', 'b/1', 'router/a/1'];
  if (defaultModel !== null)
    await keepModels(home, join(root, 'project'), { models, leads: { build: null }, defaultModel });
  expect(await change(...changes)).toMatchObject({ ok: true });
  return JSON.parse(await read()).defaults;
}
const chainOf = (...fallbackModels: string[]) => ({ '*': { fallbackModels } });

describe('given an agent that is put under council', () => {
  const council = [setting('defaults.policy', 'council')];
  it.each([
    ['no chain leaves the lead’s vendor', { agents: chainOf('a/2', 'router/a/1') }, council, true],
    ['there is no chain', {}, council, true],
    ['a chain has another vendor’s model', { agents: chainOf('a/2', 'b/1') }, council, false],
    ['the model of last resort is another vendor’s', { defaults: { backupModel: 'b/1' } }, council, false],
    ['it is one agent alone', { agents: chainOf('a/2') }, [setting('agents.plan.policy', 'council')], true],
    [
      'the policy comes from council',
      {},
      [
        setting('policies.mine.extends', 'council'),
        setting('policies.other.extends', 'mine'),
        setting('defaults.policy', 'other'),
      ],
      true,
    ],
    ['the file says so already', { defaults: { vendorLock: false } }, council, false],
    ['the same change says so', {}, [...council, setting('defaults.vendorLock', false)], false],
    [
      'it was under council before',
      { defaults: { policy: 'council' } },
      [setting('agents.plan.policy', 'council')],
      undefined,
    ],
    ['the policy is another', {}, [setting('defaults.policy', 'patient')], undefined],
    [
      'a policy that comes from itself is named',
      { policies: { me: { extends: 'me' } } },
      [setting('defaults.policy', 'me')],
      undefined,
    ],
  ])('when %s, then what is written along is as it must be', async (_, file, changes, vendorLock) => {
    expect((await defaultsAfter(JSON.stringify(file), changes)).vendorLock).toBe(vendorLock);
  });

  it('when vendorLock is written along, then the receipt names it, and taking it back takes back both', async () => {
    const { ask, change, read } = await withApp('{}\n');
    const applied = await change(...council);
    expect(JSON.parse(await read())).toEqual({ defaults: { policy: 'council', vendorLock: true } });
    const [receipt] = await ask('setup.receipts', { limit: 1 });
    expect(receipt?.deed).toBe('set defaults.policy, set defaults.vendorLock');
    if (applied.ok) await ask('setup.undo', { receipt: String(applied.receipt) });
    expect(await read()).toBe('{}\n');
  });

  it('when changes are applied, then they alone are written: nothing goes along that was not shown', async () => {
    const { ask, read } = await withApp('{}\n');
    const edit = { directory: null, changes: council };
    const preview = await ask('config.preview', edit);
    expect(preview).toMatchObject({ ok: true, changes: [...council, setting('defaults.vendorLock', true)] });
    await ask('config.apply', { ...edit, seen: preview.ok ? preview.seen : null });
    expect(JSON.parse(await read())).toEqual({ defaults: { policy: 'council' } });
  });

  it('when nobody knows who leads, then a chain goes on as it is', async () => {
    expect(await defaultsAfter(JSON.stringify({ agents: chainOf('a/2') }), council, null)).toEqual({
      ...{ policy: 'council', vendorLock: false },
    });
  });
});

describe('given a failure that nobody could name', () => {
  it('when it is taught, then it leaves the inbox without a restart, and an undo brings the like of it back', async () => {
    const { ask, change, read, home } = await withApp('{}\n');
    const link = await connectCompanion(home);
    const said = 'Moon 17 hides your allowance until 4 pm';
    const turn = [
      prompted({ turn: 't9' }),
      started({ turn: 't9', attempt: 'a9', model: CHAIN[1] }),
      failed('a9', { phase: 'body', message: said }),
    ];
    for (const [index, event] of turn.entries())
      link.send({ type: 'event', seq: index + 100, ageMs: 0, sentAt: Date.now(), event });
    const inbox = () => ask('phrases.unknown', {});
    await patiently(async () => expect((await inbox()).total).toBe(1));
    const [entry] = (await inbox()).entries;
    const phrase = entry?.suggestion ?? '';
    expect(phrase).toBe('hides your allowance until');
    expect(await ask('phrases.preview', { phrase, provider: null })).toMatchObject({
      total: 1,
      entries: [{ text: said }],
    });
    expect(await ask('phrases.preview', { phrase, provider: 'nobody' })).toMatchObject({ total: 0 });
    expect(await change({ type: 'teach', phrase: 'Moon', kind: 'quota', provider: null })).toMatchObject({
      ok: false,
      fields: [{ path: ['patterns'] }],
    });
    const taught = await change({ type: 'teach', phrase, kind: 'quota', provider: entry?.provider ?? null });
    expect(JSON.parse(await read())).toEqual({ patterns: [{ phrase, kind: 'quota', provider: entry?.provider }] });
    await patiently(async () => expect((await inbox()).total).toBe(0));
    expect(taught).toMatchObject({ ok: true, receipt: expect.any(String) });
    if (taught.ok) await ask('setup.undo', { receipt: String(taught.receipt) });
    expect(await read()).toBe('{}\n');
  });
});
