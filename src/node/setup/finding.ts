/** `warn` works but may surprise; `fail` leaves turns unprotected. */
export type Finding = Readonly<{
  /** Stable, for scripts. */
  check: string;
  verdict: 'ok' | 'warn' | 'fail';
  says: string;
  /** Null if none is needed. */
  fix: string | null;
}>;

export const ok = (check: string, says: string): Finding => ({ check, verdict: 'ok', says, fix: null });
export const warn = (check: string, says: string, fix: string): Finding => ({ check, verdict: 'warn', says, fix });
export const fail = (check: string, says: string, fix: string): Finding => ({ check, verdict: 'fail', says, fix });
