import { readFileSync } from 'node:fs';

/** What a process holds of memory, in MiB; null where the platform does not say. */
export function residentMib(pid: number): number | null {
  try {
    const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kib === undefined ? null : Number(kib) / 1_024;
  } catch {
    return null;
  }
}
