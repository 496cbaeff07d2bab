import { totalmem } from 'node:os';
import process from 'node:process';
import type { Sandbox } from '../../src/node/opencode';

const GIBIBYTE = 2 ** 30;
/** Some five OpenCodes are open at a time, of 1 to 4 GiB each when they give nothing back. */
const ROOM_BYTES = 20 * GIBIBYTE;

/** OpenCode as users have it, for a test of its memory: laid over the environment of a thrifty one. */
export const AS_USERS_HAVE_IT: Readonly<Record<string, string>> = { BUN_JSC_useGC: '1', BUN_JSC_useFTLJIT: '1' };

/**
 * The sandbox with OpenCodes that give no memory back, in `npm test` and where the machine has room for that: their runtime
 * looks for some after every little thing they have done. For OpenCode 1 that is two thirds of the processor time of a turn;
 * for OpenCode 2 a sixth, and a project with a turn leaves some 100 MB, so that only one that opens fewer than some thirty is
 * thrifty. What soaks, and what is measured, has OpenCode as users do.
 */
export function thrifty(sandbox: Sandbox): Sandbox {
  if (process.env.UNDERSTUDY_THRIFT !== '1' || totalmem() < ROOM_BYTES) return sandbox;
  return { ...sandbox, env: { ...sandbox.env, BUN_JSC_useGC: '0' } };
}
