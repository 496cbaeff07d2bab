export { failureText } from '../../contract/failure-text';

/** The system's own code of a failure, for example `ENOENT`; null when it has none. */
export function failureCode(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : null;
}

/** Whether the system says that nothing lies at a path, or at the folder it would lie in. */
export function isAbsence(error: unknown): boolean {
  const code = failureCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** An outcome that is a value: what a caller may expect to go wrong is never thrown. */
export type Outcome<Fields = unknown> = Readonly<{ ok: true } & Fields> | Readonly<{ ok: false; reason: string }>;
