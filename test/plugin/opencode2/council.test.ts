import { describe, expect, it } from 'vitest';
import type { PromptCommand } from '../../../src/features/council/core/host';
import type { Place } from '../../../src/features/council/node/run-folder';
import { guardTool } from '../../../src/features/council/plugin/guard';
import { councilHost, hostModels } from '../../../src/features/council/plugin/opencode2/council';
import { onEvent } from '../../../src/plugin/opencode2/message/events';
import { heedSeat, instanceOf, instruct, seat } from '../../../src/plugin/opencode2/session/seats';
import type {
  ContextEvent,
  HostEvent,
  NewSession,
  PermissionEvent,
  ToolEvent,
} from '../../../src/plugin/opencode2/session/types';
import { DIRECTORY, LEAD, openInstance, refOf } from '../support/opencode2-instance';

const RUN = 'r20261126-113002-a1b2';
const PLACE: Place = {
  ...{ v: 1, run: RUN, directory: DIRECTORY, repo: '/runs/repo', source: '/project', isOwn: true },
  ...{ askedIn: null, createdAt: 0 },
};
const SEAT = 'ses_understudy_0011223344556677';
const TEXT = `Look.\n\n(${RUN}/c4)`;

const COMMAND = {
  ...{ id: 'c4', kind: 'prompt', member: 'sage', session: SEAT, model: LEAD, attempts: 3, tools: [] },
  ...{ system: 'You are the Sage.', text: TEXT },
} as unknown as PromptCommand;

const ANSWER = [
  { type: 'user', text: 'before' },
  { type: 'assistant', content: [{ type: 'text', text: 'old' }], cost: 9, tokens: { input: 9, output: 9 } },
  { type: 'idle', outcome: 'succeeded' },
  { type: 'user', text: TEXT },
  { type: 'assistant', content: [{ type: 'tool' }], cost: 0.5, tokens: { input: 10, output: 1 } },
  { type: 'assistant', content: [{ type: 'text', text: 'new' }], cost: 0.25, tokens: { input: 5, output: 2 } },
];
const IDLE = { type: 'idle', outcome: 'succeeded' };
const GONE = Object.assign(new Error('no such session'), { _tag: 'Session.NotFoundError' });

const FREE = { released: null, contextTokens: null, priceIn: null, priceOut: null };

/** A host that plays sessions, and all it was asked. */
function openHost({
  history = [...ANSWER, IDLE] as readonly unknown[],
  gone = false,
  onSwitch = (): void => undefined,
} = {}) {
  const made: NewSession[] = [];
  const asked: string[] = [];
  const hooks: Record<string, (event: never) => unknown> = {};
  const hook = async (name: string, callback: (event: never) => unknown) => {
    hooks[name] = callback;
    return { dispose: async () => undefined };
  };
  const found = async <Value>(value: Value): Promise<Value> => {
    if (gone) throw GONE;
    return value;
  };
  const opened = openInstance({
    session: {
      create: async (session) => {
        made.push(session);
        return { id: session.id };
      },
      switchModel: async () => onSwitch(),
      prompt: async ({ text }) => {
        asked.push(`prompt ${text.slice(-4)}`);
        return found(null);
      },
      wait: () => {
        queueMicrotask(() => {
          heedSeat({ type: 'session.execution.succeeded', data: { sessionID: SEAT } });
        });
        return found(undefined);
      },
      context: () => found(history),
      interrupt: async ({ sessionID }) => void asked.push(`interrupt ${sessionID}`),
    },
    context: { tool: { hook }, permission: { hook } },
  });
  return { ...opened, made, asked, hooks };
}

const guardOf =
  (repo: string | null) =>
  (tool: string, args: Record<string, unknown>): void =>
    guardTool(repo, tool, args, 2);

describe('given a participant that is to be seated', () => {
  it('when it is opened twice, then it is the same session, which may read the repository alone', async () => {
    const { instance, made } = openHost();
    const host = councilHost(instance, PLACE);
    const command = { id: 'c3', kind: 'open', member: 'sage', title: `Council: Sage (${RUN}/c3)` } as never;
    const [first, second] = [await host.open(command), await host.open(command)];
    expect(first).toBe(second);
    expect(first).toMatch(/^ses_understudy_[\da-f]{16}$/);
    const { permissions = [], location } = made[0] as NewSession;
    expect(location).toEqual({ directory: DIRECTORY });
    expect(permissions[0]).toEqual({ action: '*', resource: '*', effect: 'deny' });
    expect(permissions).toContainEqual({ action: 'read', resource: '*.env', effect: 'deny' });
    expect(permissions.at(-1)).toEqual({ action: 'external_directory', resource: '/runs/repo/*', effect: 'allow' });
  });

  it('when there is no repository, then it may do nothing', async () => {
    const { instance, made } = openHost();
    await councilHost(instance, { ...PLACE, repo: null }).open({ title: 'x' } as never);
    expect(made[0]?.permissions).toEqual([{ action: '*', resource: '*', effect: 'deny' }]);
  });
});

describe('given a participant that is asked', () => {
  it('when it answers, then that is what was said since, and what it cost where that is known', async () => {
    const { instance } = openHost();
    const host = councilHost(instance, PLACE);
    expect(await host.prompt(COMMAND, () => undefined)).toEqual({
      ...{ ok: true, text: 'new', spent: { cost: null, input: 15, output: 3 } },
    });
    instance.listed = { models: [LEAD], catalogue: { [LEAD]: { ...FREE, priceIn: 1 } as never } };
    expect(await host.prompt(COMMAND, () => undefined)).toMatchObject({ spent: { cost: 0.75 } });
  });

  it('when its session is gone, then it is lost', async () => {
    const { instance } = openHost({ gone: true });
    const host = councilHost(instance, PLACE);
    expect(await host.prompt(COMMAND, () => undefined)).toMatchObject({ fault: { kind: 'session_lost' } });
    expect(await host.recover(COMMAND)).toMatchObject({ fault: { kind: 'session_lost' } });
  });

  it('when it is stopped before it was asked, then its model is not asked', async () => {
    const { instance, asked } = openHost({ onSwitch: () => void host.abort(SEAT) });
    const host = councilHost(instance, PLACE);
    expect(await host.prompt(COMMAND, () => undefined)).toMatchObject({ fault: { kind: 'aborted' } });
    expect(asked).toEqual([`interrupt ${SEAT}`]);
  });

  it('when a process before this one was answered, then that is found, and nothing that was cut', async () => {
    const found = await councilHost(openHost().instance, PLACE).recover(COMMAND);
    expect(found).toMatchObject({ ok: true, text: 'new' });
    const cut = openHost({ history: ANSWER });
    expect(await councilHost(cut.instance, PLACE).recover(COMMAND)).toBeNull();
    const unasked = openHost({ history: ANSWER.slice(0, 3) });
    expect(await councilHost(unasked.instance, PLACE).recover(COMMAND)).toBeNull();
    expect([...cut.asked, ...unasked.asked]).toEqual([]);
  });

  it('when OpenCode does not know its model, then that is the reason', async () => {
    const { instance } = openHost({
      history: [
        { type: 'user', text: TEXT },
        { type: 'idle', outcome: 'failed' },
      ],
    });
    const host = councilHost(instance, PLACE);
    const answering = host.prompt(COMMAND, () => undefined);
    const error = { type: 'provider.no-route', message: 'Model unavailable: lead/one' };
    heedSeat({ type: 'session.execution.failed', data: { sessionID: SEAT, error } });
    expect(await answering).toMatchObject({ fault: { kind: 'model_not_found' } });
  });
});

describe('given a person who looks at the session of a participant', () => {
  it('when OpenCode has it, then its texts and tools are there, with those that were refused; else nothing', async () => {
    const content = [
      { type: 'text', text: 'I look.' },
      { type: 'tool', name: 'read', time: { created: 7 }, state: { input: { path: 'a.js' } } },
      {
        type: 'tool',
        name: 'read',
        state: { input: {}, error: { message: 'Only the repository may be read: /runs/repo' } },
      },
    ];
    const { instance } = openHost({ history: [{ type: 'assistant', time: { created: 5 }, content }] });
    expect(await councilHost(instance, PLACE).uttered?.(SEAT)).toEqual([
      { kind: 'text', at: 5, text: 'I look.' },
      { kind: 'tool', at: 7, tool: 'read', input: { path: 'a.js' }, isRefused: false },
      { kind: 'tool', at: 5, tool: 'read', input: {}, isRefused: true },
    ]);
    expect(await councilHost(openHost({ gone: true }).instance, PLACE).uttered?.(SEAT)).toBeNull();
  });
});

const context = (sessionID: string): ContextEvent => ({
  ...{ sessionID, agent: 'build', model: refOf(LEAD), system: ['theirs'], messages: [], tools: {} },
});

describe('given the hooks of an OpenCode in which a council is played', () => {
  it('when a participant is about to be asked, then it is sent our instructions; others keep theirs', () => {
    const { instance, brain, asked } = openHost();
    seat(SEAT, { instance, brain, guard: guardOf(null), system: 'You are the Sage.' });
    const [theirs, ours] = [context('ses_user'), context(SEAT)];
    expect(instruct(instance, theirs)).toBeUndefined();
    void instruct(instance, ours);
    expect([theirs.system, ours.system]).toEqual([['theirs'], [{ type: 'text', text: 'You are the Sage.' }]]);
    expect(asked).toEqual([]);
  });

  it('when nobody here has asked a participant anything, then it is stopped, unless its user goes on with it', async () => {
    const { instance, asked, session } = openHost();
    const left = 'ses_understudy_ffffffffffffffff';
    await instruct(instance, context(left));
    expect(asked).toEqual([`interrupt ${left}`]);
    instance.sessions.set(left, session);
    await instruct(instance, context(left));
    expect(asked).toHaveLength(1);
  });

  it('when a tool or a permission of its comes by, then it is kept to the repository; others pass', async () => {
    const { instance, brain, hooks } = openHost();
    councilHost(instance, PLACE);
    seat(SEAT, { instance, brain, guard: guardOf('/runs/repo'), system: '' });
    const call = (sessionID: string, tool: string, input: unknown): ToolEvent => ({ sessionID, tool, input });
    const run = (event: ToolEvent) => hooks['execute.before']?.(event as never);
    const inside = call(SEAT, 'read', { path: 'src/a.ts' });
    run(inside);
    expect(inside.input).toEqual({ path: '/runs/repo/src/a.ts' });
    expect(() => run(call(SEAT, 'read', { path: '/etc/passwd' }))).toThrow('Only the repository');
    expect(() => run(call(SEAT, 'shell', {}))).toThrow('not for a reviewer');
    expect(() => run(call('ses_user', 'shell', {}))).not.toThrow();
    const asks = (sessionID: string): PermissionEvent => ({ sessionID, effect: 'ask' });
    const [ours, theirs] = [asks(SEAT), asks('ses_user')];
    for (const event of [ours, theirs]) hooks.evaluate?.(event as never);
    expect([ours.effect, theirs.effect]).toEqual(['deny', 'ask']);
  });

  it('when its session is deleted, then its engine is its own no more', async () => {
    const { instance, brain } = openHost();
    const { instance: own } = seat(SEAT, { instance, brain, guard: guardOf(null), system: '' });
    expect(instanceOf(instance, SEAT)).toBe(own);
    // What becomes of the real one is seen in its own, and not the other way.
    instance.isListWhole = true;
    own.replaced = 'refused';
    expect([own.isListWhole, instance.replaced]).toEqual([true, 'unknown']);
    const deleted: HostEvent = { type: 'session.deleted', data: { sessionID: SEAT } };
    await onEvent(own, deleted);
    heedSeat(deleted);
    expect(instanceOf(instance, SEAT)).toBe(instance);
  });
});

describe('given the names of OpenCode 2 for what a tool is given', () => {
  it('when a place is left out or relative, then it is meant in the repository; secrets are not read', () => {
    const placed = (tool: string, args: Record<string, unknown>) => {
      guardTool('/repo', tool, args, 2);
      return args.path;
    };
    expect([placed('glob', {}), placed('grep', { path: 'src' }), placed('read', { path: 'a' })]).toEqual([
      ...['/repo', '/repo/src', '/repo/a'],
    ]);
    expect(() => placed('read', { path: '.env' })).toThrow('secrets');
    expect(() => placed('read', { filePath: '/etc/passwd', path: '/etc/passwd' })).toThrow('Only the repository');
  });
});

describe('given a run that is planned where the user has several accounts', () => {
  it('when OpenCode is asked what it has, then which accounts those are is known; nothing is where it does not tell', async () => {
    const { instance } = openInstance();
    expect(await hostModels(instance)).not.toHaveProperty('accounts');
    const connection = { type: 'env', name: 'KEY' } as const;
    instance.accounts = new Map([
      ['lead', ['home', 'work'].map((label) => ({ label, integration: 'lead', connection }))],
    ]);
    expect(await hostModels(instance)).toMatchObject({ accounts: { lead: ['home', 'work'] } });
  });
});
