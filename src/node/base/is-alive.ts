import { failureCode } from './failure';

/** Returns whether a process with this id runs, even another user's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return failureCode(error) === 'EPERM';
  }
}
