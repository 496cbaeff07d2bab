import { describe, expect, it, onTestFinished } from 'vitest';
import type { OpenCommand, PromptCommand } from '../../../src/features/council/core/host';
import type { Place } from '../../../src/features/council/node/run-folder';
import { councilHost } from '../../../src/features/council/plugin/opencode1/council';
import type { Instance } from '../../../src/plugin/opencode1/memory/instance';
import type { Client, HistoryMessage } from '../../../src/plugin/opencode1/memory/types';
import { hooksOf } from '../../../src/plugin/opencode1/plugin';
import { guardSeat, heedSeat } from '../../../src/plugin/opencode1/seats';
import { DIRECTORY, openDouble } from '../support/opencode-double';

const RUN = 'r20261126-113002-a1b2';
const PLACE: Place = {
  ...{ v: 1, run: RUN, directory: DIRECTORY, repo: '/runs/repo', source: '/project', isOwn: true },
  ...{ askedIn: null, createdAt: 0 },
};
const TEXT = `Look.\n\n(${RUN}/c4)`;
const COMMAND = {
  ...{ id: 'c4', kind: 'prompt', member: 'sage', session: 'ses_sage', model: 'lead/one', attempts: 3, tools: [] },
  ...{ system: 'You are the Sage.', text: TEXT },
} as unknown as PromptCommand;
const OPEN = { id: 'c3', kind: 'open', member: 'sage', title: `Council: Sage (${RUN}/c3)` } as unknown as OpenCommand;
const silent = () => undefined;

/** A host whose OpenCode answers by these, and all requests to its client. */
function openHost({
  place = {},
  client = {},
}: Readonly<{ place?: Partial<Place>; client?: Partial<Client['session']> }> = {}) {
  const { instance } = openDouble();
  const requests: unknown[] = [];
  const session: Client['session'] = {
    ...instance.client.session,
    async create({ body }) {
      requests.push(body);
      return { data: { id: 'ses_made' } } as Awaited<ReturnType<Client['session']['create']>>;
    },
    async abort({ path }) {
      requests.push(`abort ${path.id}`);
      return {};
    },
    ...client,
  };
  const _client = {
    ...instance.client._client,
    async post(request: unknown) {
      requests.push(request);
      return {};
    },
  };
  const heard = { ...instance, client: { ...instance.client, session, _client } } as Instance;
  return { instance: heard, requests, host: councilHost(heard, { ...PLACE, ...place }) };
}

/** A prompt that ends with the test: until then it holds the fetch of the process. */
const endless = (): Partial<Client['session']> => {
  const ended = new Promise<{ data: Record<string, never> }>((resolve) => {
    onTestFinished(() => resolve({ data: {} }));
  });
  return { prompt: () => ended };
};

const history = (parts: readonly unknown[]): HistoryMessage[] =>
  [
    { info: { id: 'u1', role: 'user' }, parts: [{ type: 'text', text: TEXT }] },
    { info: { id: 'a1', role: 'assistant', parentID: 'u1', time: { created: 5, completed: 9 } }, parts },
  ] as unknown as HistoryMessage[];

describe('given a participant of a run', () => {
  it('when its session is made, then it may read the repository alone, under the session that asked', async () => {
    const { host, requests } = openHost({ place: { askedIn: 'ses_user' } });
    expect(await host.open(OPEN)).toBe('ses_made');
    const [{ parentID, permission }] = requests as [{ parentID: string; permission: readonly object[] }];
    expect([parentID, permission[0]]).toEqual(['ses_user', { permission: '*', pattern: '*', action: 'deny' }]);
    expect(permission).toContainEqual({ permission: 'read', pattern: '*.env', action: 'deny' });
    expect(permission.at(-1)).toEqual({ permission: 'external_directory', pattern: '/runs/repo/*', action: 'allow' });
  });

  it('when the run is stopped before it was asked, then it is never asked', async () => {
    const { host, requests } = openHost({
      client: {
        prompt: async () => {
          requests.push('prompt');
          return { data: {} };
        },
      },
    });
    const answered = host.prompt(COMMAND, silent);
    await host.abort('ses_sage');
    expect(await answered).toMatchObject({ ok: false, fault: { kind: 'aborted' } });
    expect(requests).toEqual(['abort ses_sage']);
  });

  it('when its session is deleted while it is asked, then it is lost and its turn ends', async () => {
    const { host, instance, requests } = openHost({ client: endless() });
    const prompting = host.prompt(COMMAND, silent);
    heedSeat(instance, 'session.deleted', { info: { id: 'ses_sage' } });
    expect(await prompting).toMatchObject({ ok: false, fault: { kind: 'session_lost' } });
    expect(requests).toEqual(['abort ses_sage']);
  });

  it('when OpenCode asks a person about it, then that is refused; of other sessions it is not', () => {
    const { host, instance, requests } = openHost({ client: endless() });
    void host.prompt(COMMAND, silent);
    heedSeat(instance, 'permission.asked', { id: 'p1', sessionID: 'ses_user' });
    heedSeat(instance, 'permission.asked', { id: 'p2', sessionID: 'ses_sage' });
    expect(requests).toEqual([{ url: '/permission/p2/reply', body: { reply: 'reject' } }]);
  });

  it('when it calls a tool, then it is held to the repository; other sessions are not', () => {
    const { host } = openHost({ client: endless() });
    void host.prompt(COMMAND, silent);
    expect(() => guardSeat('ses_sage', 'read', { filePath: '/etc/hostname' })).toThrow('Only the repository');
    expect(() => guardSeat('ses_sage', 'bash', { command: 'id' })).toThrow('not for a reviewer');
    expect(() => guardSeat('ses_user', 'bash', { command: 'id' })).not.toThrow();
  });

  it('when a person looks at its session, then its texts and tools are there, with those that were refused', async () => {
    const parts = [
      { type: 'text', text: 'I look.', time: { start: 6 } },
      { type: 'tool', tool: 'read', state: { input: { filePath: 'a.js' }, time: { start: 7 } } },
      { type: 'tool', tool: 'read', state: { error: 'Only the repository may be read: /runs/repo' } },
      { type: 'step-finish' },
    ];
    const { host } = openHost({ client: { messages: async () => ({ data: history(parts) }) } });
    expect(await host.uttered?.('ses_sage')).toEqual([
      { kind: 'text', at: 6, text: 'I look.' },
      { kind: 'tool', at: 7, tool: 'read', input: { filePath: 'a.js' }, isRefused: false },
      { kind: 'tool', at: 5, tool: 'read', input: undefined, isRefused: true },
    ]);
  });

  it('when a process before this one was answered, then that is found, and no answer that broke off', async () => {
    const messages = history([{ type: 'text', text: 'new' }]);
    const whole = openHost({ client: { messages: async () => ({ data: messages }) } });
    expect(await whole.host.recover(COMMAND)).toMatchObject({ ok: true, text: 'new' });
    const cut = structuredClone(messages);
    Object.assign(cut[1]?.info ?? {}, { time: { created: 5 } });
    expect(await openHost({ client: { messages: async () => ({ data: cut }) } }).host.recover(COMMAND)).toBeNull();
  });

  it('when another session is asked meanwhile, then only the participant is sent our instructions', async () => {
    const { host, instance } = openHost({ client: endless() });
    void host.prompt(COMMAND, silent);
    const hooks = hooksOf(instance, () => true);
    onTestFinished(() => hooks.dispose?.());
    const systemOf = async (sessionID: string): Promise<readonly string[]> => {
      const output = { system: ['theirs'] };
      await hooks['experimental.chat.system.transform']?.({ sessionID } as never, output as never);
      return output.system;
    };
    expect([await systemOf('ses_user'), await systemOf('ses_sage')]).toEqual([['theirs'], ['You are the Sage.']]);
  });
});
