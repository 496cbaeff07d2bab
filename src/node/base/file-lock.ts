import { type LockOptions, lock } from 'proper-lockfile';
import { ensureWritable, rmdir } from './disk';
import { statOrNull } from './look';

/** A lock dated later was taken before the clock was set back; file systems round by less. */
const FUTURE_MS = 5_000;

/**
 * Removes a lock from the future, which would never become stale.
 * @returns a release that never rejects.
 * @throws Error `ELOCKED` after `options.retries`.
 */
export async function takeLock(file: string, options: LockOptions): Promise<() => Promise<void>> {
  const path = options.lockfilePath ?? `${file}.lock`;
  await ensureWritable(path);
  const info = await statOrNull(path);
  // silent: another process may have removed it first
  if (info !== null && info.mtimeMs > Date.now() + FUTURE_MS) await rmdir(path).catch(() => undefined);
  const release = await lock(file, options);
  // silent: a lost lock is free already
  return () => release().catch(() => undefined);
}
