import { readFileSync } from 'node:fs';

/** What a process holds of memory, in MiB; null where the platform does not say, or it has ended. */
export function residentMib(pid: number): number | null {
  try {
    const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kib === undefined ? null : Number(kib) / 1_024;
  } catch {
    return null;
  }
}

/** What a process holds more than before, in MiB. @throws where it has ended, whose memory would look like a gain. */
export function grownMib(pid: number, before: number | null): number {
  const now = residentMib(pid);
  if (now === null && before !== null) throw new Error(`Process ${pid} has ended.`);
  return (now ?? 0) - (before ?? 0);
}
