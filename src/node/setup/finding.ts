/** Result of one check. `warn` works but may surprise; `fail` leaves turns unprotected. */
export type Finding = Readonly<{
  /** Stable dotted name, for scripts. */
  check: string;
  verdict: 'ok' | 'warn' | 'fail';
  says: string;
  /** Remedy for a person; null if none is needed. */
  fix: string | null;
}>;

/** Returns a passed check. */
export const ok = (check: string, says: string): Finding => ({ check, verdict: 'ok', says, fix: null });
/** Returns a check of something that works but may surprise. */
export const warn = (check: string, says: string, fix: string): Finding => ({ check, verdict: 'warn', says, fix });
/** Returns a check of something that leaves turns unprotected. */
export const fail = (check: string, says: string, fix: string): Finding => ({ check, verdict: 'fail', says, fix });
