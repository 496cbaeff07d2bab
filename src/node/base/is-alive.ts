import { failureCode } from './failure';

/** Also true for another user's process. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return failureCode(error) === 'EPERM';
  }
}
