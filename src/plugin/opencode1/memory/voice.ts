import { quietly } from '../../base/quietly';
import type { Notice } from '../../runtime/episodes';
import type { Client } from './types';

/** How the user of one directory hears of something. Nothing in it throws. */
export type Voice = Readonly<{
  /** What is wrong: in OpenCode's log at once, and as a toast as soon as somebody is there to read it. */
  warn(message: string): void;
  notify(notice: Notice): void;
  /** What went wrong inside the companion: for the log alone. */
  fail(message: string): void;
  /** The user has sent a message: toasts are seen from now on. OpenCode shows none while it starts. */
  arrive(): void;
}>;

/** Where the companion announces itself in OpenCode's log. */
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
