export type NoticePermission = NotificationPermission | 'unsupported';

export type TestOutcome =
  | Readonly<{ kind: 'shown' | 'unsupported' }>
  | Readonly<{ kind: 'failed'; why: 'permission' | 'error' | 'silent' }>;

/** In ms: without an event until then, no notification appeared. */
const SAID_WITHIN_MS = 5_000;

export const noticePermission = (): NoticePermission =>
  typeof Notification === 'undefined' ? 'unsupported' : Notification.permission;

/** Never rejects. */
export async function testNotice(title: string, body: string): Promise<TestOutcome> {
  if (typeof Notification === 'undefined') return { kind: 'unsupported' };
  if (Notification.permission !== 'granted') return { kind: 'failed', why: 'permission' };
  return await new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ kind: 'failed', why: 'silent' }), SAID_WITHIN_MS);
    const settle = (outcome: TestOutcome) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    try {
      const notice = new Notification(title, { body, tag: 'understudy-test' });
      notice.onshow = () => settle({ kind: 'shown' });
      notice.onerror = () => settle({ kind: 'failed', why: 'error' });
    } catch {
      // silent: some browsers show them from service workers only, and the outcome says so
      settle({ kind: 'failed', why: 'error' });
    }
  });
}
