import { readFileSync } from 'node:fs';

/** Kernel clock ticks a second, on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

/** User and kernel time of a process in ms, in steps of 10. Source: proc(5), utime and stime. */
export function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
}
