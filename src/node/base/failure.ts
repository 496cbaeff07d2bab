export { failureText } from '../../contract/failure-text';

/** For example `ENOENT`; null without a code. */
export function failureCode(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : null;
}

export function isAbsence(error: unknown): boolean {
  const code = failureCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Expected failures are values, never thrown. */
export type Outcome<Fields = unknown> = Readonly<{ ok: true } & Fields> | Readonly<{ ok: false; reason: string }>;
