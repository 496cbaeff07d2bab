import type { Notice } from '../episodes';

/** How the user of one directory hears of something. Nothing in it throws. */
export type Voice = Readonly<{
  warn(message: string): void;
  /** What happened, in passing. Toasts exist only in OpenCode's terminal, which this plugin is no part of. */
  notify(notice: Notice): void;
  /** What went wrong inside the companion. */
  fail(message: string): void;
}>;

/** The voice of a plugin in OpenCode's server: its log. */
export function openVoice(log: Pick<Console, 'info' | 'warn' | 'error'> = console): Voice {
  const said = (message: string): string => `Understudy: ${message}`;
  return {
    warn: (message) => log.warn(said(message)),
    notify: ({ message }) => log.info(said(message)),
    fail: (message) => log.error(said(message)),
  };
}
