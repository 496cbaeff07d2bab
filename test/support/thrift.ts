import { freemem } from 'node:os';
import process from 'node:process';
import type { Sandbox } from '../../src/node/opencode';

const GIBIBYTE = 2 ** 30;
/**
 * What has to be free for one more: it takes up to 4 GiB when it gives nothing back, and so do those that others have just
 * started. Where memory runs out, everything waits for the disk, and an OpenCode takes a minute to start.
 */
const ROOM_BYTES = 10 * GIBIBYTE;

/** OpenCode as users have it, for a test of its memory: laid over the environment of a thrifty one. */
export const AS_USERS_HAVE_IT: Readonly<Record<string, string>> = { BUN_JSC_useGC: '1', BUN_JSC_useFTLJIT: '1' };

/**
 * The sandbox with OpenCodes that give no memory back, in `npm test` and where the machine has room for that: their runtime
 * looks for some after every little thing they have done. For OpenCode 1 that is two thirds of the processor time of a turn;
 * for OpenCode 2 a sixth, and a project with a turn leaves some 100 MB, so that only one that opens fewer than some thirty is
 * thrifty. What soaks, and what is measured, has OpenCode as users do.
 */
export function thrifty(sandbox: Sandbox): Sandbox {
  if (process.env.UNDERSTUDY_THRIFT !== '1' || freemem() < ROOM_BYTES) return sandbox;
  return { ...sandbox, env: { ...sandbox.env, BUN_JSC_useGC: '0' } };
}
