import { createHash } from 'node:crypto';
import type { Notification, NotificationConstructorOptions } from 'electron';
import { answer, type PanelHost, type QueryOutput } from '../contract/contract';
import type { NoticeOutcome, NoticePush, NoticeRow } from '../contract/notices';
import { INBOX_VIEW } from '../contract/shell';
import { failureText } from '../node/base/failure';
import { presentSnapshot } from '../panel/present-snapshot';
import { inboxTexts, settingsTexts } from '../texts';
import { isWorthShowing, mustBeAsked, noticeLook } from '../wording/notice-show';
import { type NoticeAct, noticeActs, noticeTitle, noticeView } from '../wording/notice-words';
import type { Electron } from './electron';
import type { Speech } from './language';
import type { AppWindow } from './window';

export type NoticeOptions = Readonly<{
  electron: Pick<Electron, 'Notification'>;
  platform: NodeJS.Platform;
  host: PanelHost;
  window: Pick<AppWindow, 'goTo' | 'isOnAgents'>;
  say: Speech['say'];
}>;

export type DesktopNotices = Readonly<{
  hear(push: NoticePush): void;
  /** Waits for the system's result. */
  test(): Promise<NoticeOutcome>;
  /** `shown` before the first notice. */
  latest(): Promise<NoticeOutcome>;
}>;

type Present = (make: () => Notification) => Promise<NoticeOutcome>;

const SAID_WITHIN_MS = 5_000;
/** Older ones have no active buttons. */
const KEPT_MAX = 50;
const INBOX_PAGE = 200;

/** Windows allows 64 characters; keys may be longer. */
const idOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 32);

/** The inbox contains all notices anyway. */
export function createNotices(options: NoticeOptions): DesktopNotices {
  const { say } = options;
  const { Notification } = options.electron;
  let latest: Promise<NoticeOutcome> = Promise.resolve({ kind: 'shown' });
  const present: Present = (make) => {
    latest = Notification.isSupported() ? shownBy(make, say) : Promise.resolve({ kind: 'unsupported' });
    return latest;
  };
  const shown = shownNotices(options, present);
  const show = async (row: NoticeRow): Promise<void> => {
    shown.remove(row.key);
    if (!isWorthShowing(row, Date.now(), options.window.isOnAgents())) return;
    const snapshot = await presentSnapshot(options.host);
    const acts = snapshot && hasButtons(options) ? say(() => noticeActs(row, snapshot)) : [];
    const view = noticeView(row, snapshot);
    // Not awaited: the system's result may take long.
    void present(() => shown.add(row, { view, acts }));
  };
  const carry = (push: NoticePush): Promise<void> | void =>
    push.type === 'show' ? show(push.notice) : shown.remove(push.key);
  let last: Promise<void> = Promise.resolve();
  openEarlier(options, shown.has);
  return {
    hear(push) {
      last = last.then(() => carry(push)).catch((error: unknown) => console.error(`No notice: ${failureText(error)}`));
    },
    test: () =>
      present(() => {
        const { testTitle: title, testBody: body } = say(() => settingsTexts().notices);
        return new Notification({ title, body });
      }),
    async latest() {
      await last;
      return Notification.isSupported() ? await latest : { kind: 'unsupported' };
    },
  };
}

/** On Linux a click opens the view with the same actions. */
const hasButtons = ({ platform }: NoticeOptions): boolean => platform === 'darwin' || platform === 'win32';

function shownBy(make: () => Notification, say: Speech['say']): Promise<NoticeOutcome> {
  return new Promise((resolve) => {
    const unsaid = () => resolve({ kind: 'failed', why: say(() => settingsTexts().notices.failures.silent) });
    const timer = setTimeout(unsaid, SAID_WITHIN_MS);
    timer.unref();
    const settle = (outcome: NoticeOutcome): void => {
      clearTimeout(timer);
      resolve(outcome);
    };
    try {
      const notification = make();
      notification.once('show', () => settle({ kind: 'shown' }));
      notification.once('failed', (_event, why) => settle({ kind: 'failed', why }));
      notification.show();
    } catch (error) {
      settle({ kind: 'failed', why: failureText(error) });
    }
  });
}

type Ways = Readonly<{ view: string; acts: readonly NoticeAct[] }>;

/** Of this run. */
function shownNotices(options: NoticeOptions, present: Present) {
  const { Notification } = options.electron;
  const byKey = new Map<string, Notification>();
  const forget = (key: string, notification: Notification): void => {
    if (byKey.get(key) === notification) byKey.delete(key);
  };
  return {
    has: (id: string): boolean => [...byKey.keys()].some((key) => idOf(key) === id),
    add(row: NoticeRow, { view, acts }: Ways): Notification {
      const notification = new Notification(options.say(() => optionsOf(row, acts)));
      byKey.set(row.key, notification);
      const [oldest] = byKey.keys();
      if (byKey.size > KEPT_MAX && oldest !== undefined) byKey.delete(oldest);
      notification.on('click', () => options.window.goTo(view));
      notification.on('action', ({ actionIndex }) => {
        const act = acts[actionIndex];
        if (act) void carryOut(act, { row, view, present }, options);
      });
      notification.on('close', ({ reason }) => {
        // On Windows a timed-out notice stays in the Action Center, and its buttons still work.
        if (options.platform !== 'win32' || reason === 'userCanceled') forget(row.key, notification);
      });
      return notification;
    },
    remove(key: string): void {
      byKey.get(key)?.close();
      byKey.delete(key);
      // It may still be displayed there from an earlier run.
      if (options.platform === 'darwin') Notification.remove(idOf(key));
    },
  };
}

function optionsOf(row: NoticeRow, acts: readonly NoticeAct[]): NotificationConstructorOptions {
  const { title, body, isSilent, isUrgent } = noticeLook(row);
  return {
    id: idOf(row.key),
    title,
    body,
    silent: isSilent,
    urgency: isUrgent ? 'critical' : 'normal',
    timeoutType: isUrgent ? 'never' : 'default',
    actions: acts.map(({ label }) => ({ type: 'button', text: label })),
  };
}

async function carryOut(
  act: NoticeAct,
  { row, view, present }: Readonly<{ row: NoticeRow; view: string; present: Present }>,
  { electron, host, window, say }: NoticeOptions,
): Promise<void> {
  if ('view' in act) return window.goTo(act.view);
  const snapshot = await presentSnapshot(host);
  if (snapshot && mustBeAsked(act.ask, snapshot)) return window.goTo(INBOX_VIEW);
  const answered = await answer(host.handlers, act.ask.name, { ...act.ask.input, actor: 'notice' });
  const refused = refusalOf(answered);
  if (refused === null) return;
  void present(() => {
    const content = say(() => ({ title: noticeTitle(row), body: inboxTexts().refused(refused) }));
    const notification = new electron.Notification({ ...content, silent: true });
    notification.on('click', () => window.goTo(view));
    return notification;
  });
}

function refusalOf(answered: Awaited<ReturnType<typeof answer>>): string | null {
  if (!answered.ok) return answered.reason;
  // Checked by `answer`.
  const value = answered.value as QueryOutput<'person.act'> | QueryOutput<'council.say'>;
  const isDone = 'ok' in value ? value.ok : value.accepted;
  return isDone || !('reason' in value) ? null : value.reason;
}

/**
 * Windows keeps notifications after the app's end: an earlier run's action may be obsolete, so a click only opens a
 * view.
 */
function openEarlier({ electron, platform, host, window }: NoticeOptions, isOfThisRun: (id: string) => boolean): void {
  if (platform !== 'win32') return;
  electron.Notification.handleActivation((details) => {
    const id = new URLSearchParams(details.arguments).get('tag') ?? '';
    if (isOfThisRun(id)) return;
    void answer(host.handlers, 'notices.list', { offset: 0, limit: INBOX_PAGE }).then((answered) => {
      const rows = answered.ok ? (answered.value as QueryOutput<'notices.list'>).rows : [];
      const row = rows.find(({ key }) => idOf(key) === id);
      window.goTo(row ? noticeView(row) : INBOX_VIEW);
    });
  });
}
