import { type LockOptions, lock } from 'proper-lockfile';
import { ensureWritable, rmdir } from './disk';
import { statOrNull } from './look';

/** A lock dated this much later than now was taken before the clock was set back, in ms; file systems round by less. */
const FUTURE_MS = 5_000;

/**
 * Locks a file against other processes of this user. A lock of a process that died is taken over once it is stale; one from
 * the future would never grow stale, and is removed.
 *
 * @returns what gives it back, which never rejects. @throws Error `ELOCKED` when another process holds it for longer than `options.retries` last.
 */
export async function takeLock(file: string, options: LockOptions): Promise<() => Promise<void>> {
  const path = options.lockfilePath ?? `${file}.lock`;
  await ensureWritable(path);
  const info = await statOrNull(path);
  // silent: another process may have removed it first
  if (info !== null && info.mtimeMs > Date.now() + FUTURE_MS) await rmdir(path).catch(() => undefined);
  const release = await lock(file, options);
  // silent: a lock that was lost is free already
  return () => release().catch(() => undefined);
}
