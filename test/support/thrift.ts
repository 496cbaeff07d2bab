import { freemem } from 'node:os';
import process from 'node:process';
import type { Sandbox } from '../../src/node/opencode';

const GIBIBYTE = 2 ** 30;
/**
 * Free memory needed for one more: it takes up to 4 GiB without garbage collection, as do others that just started.
 * When memory runs out, a start takes a minute.
 */
const ROOM_BYTES = 10 * GIBIBYTE;

/** OpenCode as users run it, for memory tests; overrides a thrifty environment. */
export const AS_USERS_HAVE_IT: Readonly<Record<string, string>> = { BUN_JSC_useGC: '1', BUN_JSC_useFTLJIT: '1' };

/**
 * Disables garbage collection of OpenCodes in `npm test` if there is enough memory, because their runtime collects
 * after every small task. That takes two thirds of the processor time of a turn on OpenCode 1 and a sixth on OpenCode
 * 2, where a project with a turn leaves some 100 MB; so only one with fewer than some thirty projects is thrifty. Soak
 * tests and measurements run OpenCode as users do.
 */
export function thrifty(sandbox: Sandbox): Sandbox {
  if (process.env.UNDERSTUDY_THRIFT !== '1' || freemem() < ROOM_BYTES) return sandbox;
  return { ...sandbox, env: { ...sandbox.env, BUN_JSC_useGC: '0' } };
}
