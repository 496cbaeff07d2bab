import type { Notice } from '../../runtime/episodes';

/** Nothing in it throws. */
export type Voice = Readonly<{
  warn(message: string): void;
  notify(notice: Notice): void;
  /** Writes an internal error to the log only. */
  fail(message: string): void;
  /** Sets the function that shows toasts in OpenCode's terminals; earlier notices follow at once. */
  shownBy(show: (notice: Notice) => void): void;
}>;

const EARLY_MAX = 5;

export function openVoice(log: Pick<Console, 'info' | 'warn' | 'error'> = console): Voice {
  const prefixed = (message: string): string => `Understudy: ${message}`;
  let early: Notice[] = [];
  let show = (notice: Notice): void => {
    early = [...early, notice].slice(-EARLY_MAX);
  };
  return {
    warn(message) {
      log.warn(prefixed(message));
      show({ message, variant: 'warning' });
    },
    notify(notice) {
      log.info(prefixed(notice.message));
      show(notice);
    },
    fail: (message) => log.error(prefixed(message)),
    shownBy(shown) {
      show = shown;
      for (const notice of early.splice(0)) shown(notice);
    },
  };
}
