import type { Notice } from '../../runtime/episodes';

/** How the user of one directory hears of something. Nothing in it throws. */
export type Voice = Readonly<{
  warn(message: string): void;
  notify(notice: Notice): void;
  /** What went wrong inside the companion: for the log alone. */
  fail(message: string): void;
  /** Who shows toasts from now on: OpenCode's terminals, which this plugin is no part of. What was said before is handed over. */
  shownBy(show: (notice: Notice) => void): void;
}>;

const EARLY_MAX = 5;

export function openVoice(log: Pick<Console, 'info' | 'warn' | 'error'> = console): Voice {
  const said = (message: string): string => `Understudy: ${message}`;
  let early: Notice[] = [];
  let show = (notice: Notice): void => {
    early = [...early, notice].slice(-EARLY_MAX);
  };
  return {
    warn(message) {
      log.warn(said(message));
      show({ message, variant: 'warning' });
    },
    notify(notice) {
      log.info(said(notice.message));
      show(notice);
    },
    fail: (message) => log.error(said(message)),
    shownBy(shown) {
      show = shown;
      for (const notice of early.splice(0)) shown(notice);
    },
  };
}
