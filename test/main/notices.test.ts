import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Handlers } from '../../src/contract/contract';
import type { NoticePush, NoticeRow } from '../../src/contract/notices';
import { createNotices } from '../../src/main/notices';
import { saidIn } from '../../src/texts';
import { german } from '../../src/texts/de';
import { electronDouble, type NotificationService, UNSIGNED } from '../support/electron-double';
import { fakeHost } from '../support/panel-host';
import { agentRow, modelRow, snapshotOf } from '../support/rows';
import { noticeRow } from '../support/sample-notices';

const NOW = new Date(2026, 0, 5, 14, 0).getTime();
const exhausted = (change: Partial<NoticeRow> = {}) =>
  noticeRow({ notice: 'N3', key: 'exhausted build 1', at: NOW, isLoud: true, ...change });
const fell = (change: Partial<NoticeRow> = {}) => noticeRow({ at: NOW, ...change });

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Around = {
  platform?: NodeJS.Platform;
  service?: NotificationService;
  isOnAgents?: boolean;
  isGerman?: boolean;
} & Partial<Handlers>;

function open({
  platform = 'linux',
  service = 'shows',
  isOnAgents = false,
  isGerman = false,
  ...handlers
}: Around = {}) {
  const double = electronDouble({ notifications: service });
  const host = fakeHost(snapshotOf([agentRow()], { rev: 7, models: [modelRow({ state: 'open' })] }), handlers);
  const places: string[] = [];
  const window = { goTo: (hash: string) => void places.push(hash), isOnAgents: () => isOnAgents };
  const say = <T>(make: () => T): T => (isGerman ? saidIn('de', german, make) : make());
  const notices = createNotices({ electron: double.electron, platform, host, window, say });
  const hear = async (...pushes: NoticePush[]) => {
    for (const push of pushes) notices.hear(push);
    await vi.advanceTimersByTimeAsync(0);
  };
  const show = (...rows: NoticeRow[]) => hear(...rows.map((notice) => ({ type: 'show' as const, notice })));
  return { ...double, notices, hear, show, places };
}

describe('given a notice of the core', () => {
  it.each([
    ['linux', []],
    ['darwin', ['Pin here 30m', 'Open']],
    ['win32', ['Pin here 30m', 'Open']],
  ] as const)(
    'when it comes on %s, then it is shown without a sound, with the buttons %j',
    async (platform, labels) => {
      const { show, notifications } = open({ platform });
      await show(fell());
      expect(notifications.map(({ options, isShown }) => [options, isShown])).toEqual([
        [
          {
            id: expect.stringMatching(/^[\da-f]{32}$/),
            title: 'build now uses gpt-5',
            body: expect.stringContaining('claude-sonnet-4-5'),
            ...{ silent: true, urgency: 'normal', timeoutType: 'default' },
            actions: labels.map((text) => ({ type: 'button', text })),
          },
          true,
        ],
      ]);
    },
  );

  it('when the window speaks German, then so does the notice', async () => {
    const { show, notifications } = open({ platform: 'darwin', isGerman: true });
    await show(fell());
    expect(notifications[0]?.options).toMatchObject({
      title: 'build nutzt jetzt gpt-5',
      actions: [{ text: '30 min hier festlegen' }, { text: 'Öffnen' }],
    });
  });

  it('when nobody is left, then it has a sound, is critical and stays', async () => {
    const { show, notifications } = open();
    await show(exhausted());
    expect(notifications[0]?.options).toMatchObject({ silent: false, urgency: 'critical', timeoutType: 'never' });
  });

  it('when one of the same key comes, then it takes the place of the first', async () => {
    const { show, notifications } = open();
    await show(fell(), fell({ id: 2, to: 'google/gemini-3-pro' }));
    expect(notifications.map(({ options, isClosed }) => [options.title, isClosed])).toEqual([
      ['build now uses gpt-5', true],
      ['build now uses gemini-3-pro', false],
    ]);
    expect(notifications[0]?.options.id).toBe(notifications[1]?.options.id);
  });

  it.each([
    ['linux', 0],
    ['darwin', 1],
  ] as const)(
    'when it is withdrawn on %s, then it is closed, and removed %i time by its name',
    async (platform, times) => {
      const { show, hear, notifications, removed } = open({ platform });
      await show(exhausted());
      removed.length = 0;
      await hear({ type: 'withdraw', key: 'exhausted build 1' });
      expect([notifications[0]?.isClosed, removed]).toEqual([true, Array(times).fill(notifications[0]?.options.id)]);
    },
  );

  it.each([
    [300_000, 1],
    [300_001, 0],
  ])('when it is %i ms old, as after a sleep, then %i is shown', async (ageMs, count) => {
    const { show, notifications } = open();
    await show(exhausted({ at: NOW - ageMs }));
    expect(notifications.length).toBe(count);
  });

  it.each([
    ['N1', 0],
    ['N3', 1],
    ['N5', 0],
    ['N6', 1],
  ] as const)('when somebody looks at the agents and it is %s, then %i is shown', async (notice, count) => {
    const { show, notifications } = open({ isOnAgents: true });
    await show(fell({ notice }));
    expect(notifications.length).toBe(count);
  });

  it('when it is clicked, then its view is shown', async () => {
    const { show, notifications, places } = open();
    await show(fell(), fell({ notice: 'N8', key: 'lost' }));
    for (const notification of notifications) notification.emit('click', {});
    expect(places).toEqual(['#/now', '#/setup']);
  });
});

describe('given a button of a notice', () => {
  const press = async (notification: { emit(name: string, details: object): boolean }, actionIndex: number) => {
    notification.emit('action', { actionIndex });
    await vi.advanceTimersByTimeAsync(0);
  };

  it('when it asks for something, then the core gets what the panel would send, by name of the notice', async () => {
    const act = vi.fn(() => ({ accepted: true as const, rev: 8 }));
    const { show, notifications } = open({ platform: 'darwin', 'person.act': act });
    await show(fell());
    await press(notifications[0]!, 0);
    const pinned = { type: 'agent.pinned', directory: '/home/ada/shop', agent: 'build', model: 'openai/gpt-5' };
    expect(act.mock.calls).toEqual([[{ act: { ...pinned, forMs: 1_800_000 }, rev: 7, actor: 'notice' }]]);
    expect(notifications.length).toBe(1);
  });

  it('when it leads somewhere, then that view is shown', async () => {
    const { show, notifications, places } = open({ platform: 'win32' });
    await show(fell());
    await press(notifications[0]!, 1);
    expect(places).toEqual(['#/now']);
  });

  it.each([
    [1, 1, []],
    [2, 0, ['#/now?notices']],
  ])(
    'when it resets all and %i sessions are live, then %i reset is asked for, else a person first',
    async (live, resets, seen) => {
      const reset = vi.fn(() => ({ accepted: true as const, rev: 8 }));
      const { sessions } = snapshotOf([agentRow()]);
      const busy = snapshotOf([agentRow()], { rev: 7, sessions: Array(live).fill(sessions[0]) });
      const { show, notifications, places } = open({
        platform: 'darwin',
        'health.reset': reset,
        'snapshot.get': () => busy,
      });
      await show(exhausted());
      await press(notifications[0]!, 0);
      expect([reset.mock.calls.length, places]).toEqual([resets, seen]);
    },
  );

  it.each([
    ['refuses', () => ({ accepted: false as const, reason: 'the model has changed since' })],
    ['fails', () => Promise.reject(new Error('the model has changed since'))],
  ])('when the core %s, then that is told where it was asked for', async (_how, answered) => {
    const { show, notifications, places } = open({ platform: 'darwin', 'person.act': answered });
    await show(fell());
    await press(notifications[0]!, 0);
    expect(notifications[1]?.options).toMatchObject({
      ...{ title: 'build now uses gpt-5', body: 'Not changed: the model has changed since', silent: true },
    });
    notifications[1]?.emit('click', {});
    expect([notifications[1]?.isShown, places]).toEqual([true, ['#/now']]);
  });
});

describe('given what the system says of notices', () => {
  it.each([
    ['linux', 'shows', { kind: 'shown' }],
    ['darwin', 'shows', { kind: 'shown' }],
    ['win32', 'shows', { kind: 'shown' }],
    ['darwin', 'fails', { kind: 'failed', why: UNSIGNED }],
    ['win32', 'fails', { kind: 'failed', why: UNSIGNED }],
    ['linux', 'missing', { kind: 'unsupported' }],
    ['linux', 'says nothing', { kind: 'failed', why: 'the system did not confirm that it was shown' }],
  ] as const)(
    'when a test is sent on %s and the service %s, then that is told, and known from then on',
    async (platform, service, outcome) => {
      const { notices, notifications } = open({ platform, service });
      const tested = notices.test();
      await vi.advanceTimersByTimeAsync(5_000);
      expect([await tested, await notices.latest()]).toEqual([outcome, outcome]);
      expect(notifications.length).toBe(service === 'missing' ? 0 : 1);
    },
  );

  it('when an unsigned app on macOS shows a notice, then why it failed is known, and nothing is thrown', async () => {
    const { show, notices } = open({ platform: 'darwin', service: 'fails' });
    expect(await notices.latest()).toEqual({ kind: 'shown' });
    await show(fell());
    expect(await notices.latest()).toEqual({ kind: 'failed', why: UNSIGNED });
  });

  it('when it is asked of one that the system has not answered for, then the answer waits for that', async () => {
    const { notices } = open({ service: 'says nothing' });
    notices.hear({ type: 'show', notice: fell() });
    const answered = vi.fn();
    void notices.latest().then(answered);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(answered.mock.calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(answered.mock.calls).toEqual([[{ kind: 'failed', why: 'the system did not confirm that it was shown' }]]);
  });

  it('when there is no service at all, then that is known before the first notice', async () => {
    expect(await open({ service: 'missing' }).notices.latest()).toEqual({ kind: 'unsupported' });
  });
});

describe('given a notification of an earlier run on Windows', () => {
  const earlier = exhausted({ agents: ['plan'] });
  const reset = vi.fn(() => ({ accepted: true as const, rev: 8 }));
  const started = () =>
    open({
      platform: 'win32',
      'health.reset': reset,
      'notices.list': () => ({ rows: [earlier], total: 1, unread: 1 }),
    });

  it('when it is clicked, then its view is shown, and a button of it changes nothing', async () => {
    const before = open({ platform: 'win32' });
    await before.show(earlier);
    const now = started();
    now.activate({
      type: 'action',
      actionIndex: 0,
      arguments: `type=action&action=0&tag=${before.notifications[0]?.options.id}`,
    });
    await vi.advanceTimersByTimeAsync(0);
    expect([now.places, reset.mock.calls]).toEqual([['#/chains/plan'], []]);
  });

  it('when the inbox no longer has it, then the inbox is shown', async () => {
    const { activate, places } = started();
    activate({ arguments: 'type=click&tag=gone' });
    await vi.advanceTimersByTimeAsync(0);
    expect(places).toEqual(['#/now?notices']);
  });

  it('when it is of this run, then only itself hears the click', async () => {
    const { show, notifications, activate, places } = started();
    await show(fell());
    activate({ arguments: `type=click&tag=${notifications[0]?.options.id}` });
    notifications[0]?.emit('close', { reason: 'timedOut' });
    activate({ arguments: `type=click&tag=${notifications[0]?.options.id}` });
    await vi.advanceTimersByTimeAsync(0);
    expect(places).toEqual([]);
  });
});
