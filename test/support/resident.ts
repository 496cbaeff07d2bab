import { readFileSync } from 'node:fs';

/** Resident memory in MiB; null if the platform does not report it or the process has ended. */
export function residentMib(pid: number): number | null {
  try {
    const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kib === undefined ? null : Number(kib) / 1_024;
  } catch {
    return null;
  }
}

export function grownMib(pid: number, before: number | null): number {
  const now = residentMib(pid);
  if (now === null && before !== null) throw new Error(`Process ${pid} has ended.`);
  return (now ?? 0) - (before ?? 0);
}
