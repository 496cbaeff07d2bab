import { uptime } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { ERROR_PLACES_MAX, internalErrors } from '../../core/base/internal-errors';
import { writeFileAtomic } from '../base/atomic-file';
import { takeLock } from '../base/file-lock';
import { isAlive } from '../base/is-alive';
import { readPrivateJson } from '../base/private-folder';
import { LOCK } from '../base/shared-file';
import { ensureStateHome } from '../base/state-home';

export const internalErrorsPath = (home: string): string => join(home, 'internal-errors.json');

const MAX_BYTES = 262_144;
const PROCESSES_MAX = 10;
const KEPT_MS = 7 * 86_400_000;
const SECOND_MS = 1_000;
const FIRST_AFTER_MS = 1_000;
const EVERY_MS = 30_000;

const UnixMs = z.number().nonnegative();
const Count = z.int().nonnegative();
const Place = z.string().regex(/^[\w./ -]{1,60}$/);
const Row = z.lazy(() =>
  z.object({
    place: Place,
    kind: z.string().regex(/^\w[\w ]{0,80}$/),
    where: z
      .string()
      .regex(/^[\w.-]{1,60}:\d+:\d+$/)
      .nullable(),
    count: z.int().positive(),
    first: UnixMs,
    last: UnixMs,
  }),
);
const Process = z.lazy(() =>
  z.object({
    role: z.enum(['companion', 'app']),
    pid: z.int().positive(),
    version: z.string().max(50),
    started: UnixMs,
    errors: z.array(Row).max(ERROR_PLACES_MAX),
    others: Count,
    /** Null while the companion's breaker is closed. */
    passesThrough: z.object({ at: UnixMs, place: Place }).nullable(),
  }),
);
export const StoredErrors = z.lazy(() => z.object({ v: z.literal(1), processes: z.array(Process).max(PROCESSES_MAX) }));
export type ProcessErrors = z.infer<typeof Process>;

export type StoredErrorsOf = Readonly<{
  /** The companion's breaker is open. */
  passesThrough(place: string): void;
  /** Never rejects. */
  flush(): Promise<void>;
}>;

export function storeErrors(home: string, who: Readonly<Pick<ProcessErrors, 'role' | 'version'>>): StoredErrorsOf {
  const started = Date.now();
  let passing: ProcessErrors['passesThrough'] = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let hasWritten = false;
  let hasNews = false;
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    if (!hasNews) return;
    hasNews = false;
    hasWritten = true;
    const errors = internalErrors();
    const counted = { errors: [...errors.rows()], others: errors.others(), passesThrough: passing };
    // silent: an error of this write could only be stored by this write, which is tried again
    const isStored = await replace(home, { ...who, pid: process.pid, started, ...counted }).catch(() => false);
    if (isStored) return;
    hasNews = true;
    timer ??= setTimeout(() => void flush(), EVERY_MS).unref();
  };
  const flush = (): Promise<void> => {
    if (timer) clearTimeout(timer);
    timer = null;
    writing = writing.then(write);
    return writing;
  };
  internalErrors().onCount(() => {
    hasNews = true;
    timer ??= setTimeout(() => void flush(), hasWritten ? EVERY_MS : FIRST_AFTER_MS).unref();
  });
  return {
    passesThrough(place) {
      passing = { at: Date.now(), place };
      hasNews = true;
      void flush();
    },
    flush,
  };
}

/** Never rejects. */
export async function readErrors(home: string, now = Date.now()): Promise<readonly ProcessErrors[]> {
  const stored = await readPrivateJson(internalErrorsPath(home), MAX_BYTES, StoredErrors);
  return (stored?.processes ?? []).filter((each) => isPassing(each) || now - lastOf(each) < KEPT_MS);
}

export const isPassing = ({ pid, started, passesThrough }: ProcessErrors): boolean =>
  // After a system restart, another process may have the id.
  passesThrough !== null && isAlive(pid) && started > Date.now() - uptime() * SECOND_MS;

const lastOf = ({ started, errors }: ProcessErrors): number => Math.max(started, ...errors.map(({ last }) => last));

export const errorLines = ({ errors, others }: ProcessErrors): readonly string[] => [
  ...errors
    .toSorted((one, other) => other.count - one.count)
    .map(({ place, kind, where, count }) => `${place}: ${kind}${where ? ` at ${where}` : ''}, ${count}×`),
  ...(others > 0 ? [`at further places, ${others}×`] : []),
];

async function replace(home: string, own: ProcessErrors): Promise<boolean> {
  if (!(await ensureStateHome(home)).ok) return false;
  const path = internalErrorsPath(home);
  const release = await takeLock(path, LOCK);
  try {
    const others = (await readErrors(home)).filter(({ pid, started }) => pid !== own.pid || started !== own.started);
    const stored = StoredErrors.parse({ v: 1, processes: [own, ...others].slice(0, PROCESSES_MAX) });
    return (await writeFileAtomic(path, `${JSON.stringify(stored)}\n`)).ok;
  } finally {
    await release();
  }
}
