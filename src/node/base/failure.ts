export { failureText } from '../../contract/failure-text';

/** Returns the system's code of a failure, for example `ENOENT`; null if it has none. */
export function failureCode(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : null;
}

/** True if the system reports that a path or its folder does not exist. */
export function isAbsence(error: unknown): boolean {
  const code = failureCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** An outcome as a value: expected failures are never thrown. */
export type Outcome<Fields = unknown> = Readonly<{ ok: true } & Fields> | Readonly<{ ok: false; reason: string }>;
