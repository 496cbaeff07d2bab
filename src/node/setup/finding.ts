/** One thing the doctor looked at. `warn` works and may surprise; `fail` keeps turns unprotected. */
export type Finding = Readonly<{
  /** Stable dotted name, for scripts. */
  check: string;
  verdict: 'ok' | 'warn' | 'fail';
  says: string;
  /** What a person can do about it; null where nothing has to be done. */
  fix: string | null;
}>;

/** All is well there. */
export const ok = (check: string, says: string): Finding => ({ check, verdict: 'ok', says, fix: null });
/** It works, and may surprise. */
export const warn = (check: string, says: string, fix: string): Finding => ({ check, verdict: 'warn', says, fix });
/** It keeps turns unprotected. */
export const fail = (check: string, says: string, fix: string): Finding => ({ check, verdict: 'fail', says, fix });
