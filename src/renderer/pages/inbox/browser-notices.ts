import type { PanelApi } from '../../../contract/contract';
import type { NoticePush, NoticeRow } from '../../../contract/notices';
import { isWorthShowing, noticeLook } from '../../../wording/notice-show';
import { noticeView } from '../../../wording/notice-words';
import { parseRoute } from '../../app/routes';

/** Lock of the one tab that shows notices. */
const SPEAKER = 'understudy.notices.speaker';
/** Lock of each tab in which the agents are visible. */
const ON_AGENTS = 'understudy.notices.on-agents';

/**
 * Shows notices while permitted, also from a hidden page. One tab shows them; without locks all do, and the browser
 * shows each tag once. @returns a function that stops it.
 */
export function showNotices(api: Pick<PanelApi, 'on'>): () => void {
  if (typeof Notification === 'undefined') return () => {};
  let end: (() => void) | null = null;
  const follow = (): void => {
    const isAllowed = Notification.permission === 'granted';
    if (isAllowed === (end !== null)) return;
    end?.();
    end = isAllowed ? speak(api) : null;
  };
  const stop = onPermission(follow);
  follow();
  return () => {
    stop();
    end?.();
    end = null;
  };
}

function onPermission(changed: () => void): () => void {
  const over = new AbortController();
  // Without permission events, check when the page becomes visible.
  document.addEventListener('visibilitychange', changed, { signal: over.signal });
  navigator.permissions?.query({ name: 'notifications' }).then(
    (status) => status.addEventListener('change', changed, { signal: over.signal }),
    () => undefined, // silent: a browser without this question is asked when the page is shown
  );
  return () => over.abort();
}

function speak(api: Pick<PanelApi, 'on'>): () => void {
  const shown = shownNotices();
  let last: Promise<void> = Promise.resolve();
  const hear = (push: NoticePush): void => {
    // In order: a notice must exist before it is removed.
    last = last.then(async () => {
      shown.take(push.type === 'show' ? push.notice.key : push.key);
      if (push.type === 'show' && isWorthShowing(push.notice, Date.now(), await isOnAgentsSomewhere()))
        shown.show(push.notice);
    });
  };
  const over = new AbortController();
  const stops = [tellWhileOnAgents(over.signal)];
  const begin = (): void => {
    if (!over.signal.aborted) stops.push(api.on('notice', hear));
  };
  if (navigator.locks) void holdLock(SPEAKER, over.signal, begin);
  else begin();
  return () => {
    over.abort();
    for (const stop of stops) stop();
  };
}

function holdLock(name: string, until: AbortSignal, held: () => void, mode: LockMode = 'exclusive'): Promise<unknown> {
  const released = new Promise<void>((resolve) => until.addEventListener('abort', () => resolve(), { once: true }));
  const hold = (): Promise<void> => {
    held();
    return released;
  };
  // silent: it rejects when it is given up before it was held
  return navigator.locks.request(name, { mode, signal: until }, hold).catch(() => undefined);
}

const isOnAgents = (): boolean =>
  !document.hidden && document.hasFocus() && parseRoute(window.location.hash).name === 'now';

async function isOnAgentsSomewhere(): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return isOnAgents() || held.some(({ name }) => name === ON_AGENTS);
}

function tellWhileOnAgents(until: AbortSignal): () => void {
  if (!navigator.locks) return () => {};
  let looking: AbortController | null = null;
  const look = (): void => {
    if (isOnAgents() === (looking !== null)) return;
    looking?.abort();
    looking = isOnAgents() ? new AbortController() : null;
    if (looking) void holdLock(ON_AGENTS, looking.signal, () => undefined, 'shared');
  };
  for (const name of ['focus', 'blur', 'hashchange']) window.addEventListener(name, look, { signal: until });
  document.addEventListener('visibilitychange', look, { signal: until });
  look();
  return () => looking?.abort();
}

function shownNotices() {
  const byKey = new Map<string, Notification>();
  return {
    take(key: string): void {
      byKey.get(key)?.close();
      byKey.delete(key);
    },
    show(row: NoticeRow): void {
      const { title, body, isSilent, isUrgent } = noticeLook(row);
      const notification = made(title, { body, tag: row.key, silent: isSilent, requireInteraction: isUrgent });
      if (!notification) return;
      byKey.set(row.key, notification);
      notification.onclick = () => {
        window.focus();
        window.location.hash = noticeView(row);
        notification.close();
      };
      notification.onclose = () => {
        if (byKey.get(row.key) === notification) byKey.delete(row.key);
      };
    },
  };
}

/** Null if only service workers may show notifications. */
function made(title: string, options: NotificationOptions): Notification | null {
  try {
    return new Notification(title, options);
  } catch {
    // silent: some browsers show them from service workers only
    return null;
  }
}
