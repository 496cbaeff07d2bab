import { quietly } from '../../base/quietly';
import type { Notice } from '../../runtime/episodes';
import type { Client } from './types';

/** Never throws. */
export type Voice = Readonly<{
  /** Logs at once, and shows a toast once the user is present. */
  warn(message: string): void;
  notify(notice: Notice): void;
  fail(message: string): void;
  /** The user sent a message. OpenCode shows no toasts while it starts. */
  arrive(): void;
}>;

const SERVICE = 'understudy';

export function openVoice(client: Client): Voice {
  let waiting: Notice[] | null = [];
  const log = (level: 'warn' | 'error', message: string): void => {
    void quietly(() => client.app.log({ body: { service: SERVICE, level, message } }));
  };
  const notify = (notice: Notice): void => {
    if (waiting) waiting.push(notice);
    else void quietly(() => client.tui.showToast({ body: { title: 'Understudy', ...notice } }));
  };
  return {
    warn(message) {
      log('warn', message);
      notify({ message, variant: 'warning' });
    },
    notify,
    fail: (message) => log('error', message),
    arrive() {
      const held = waiting ?? [];
      waiting = null;
      held.forEach(notify);
    },
  };
}
