import { totalmem } from 'node:os';
import process from 'node:process';
import type { Sandbox } from '../../src/node/opencode';

const GIBIBYTE = 2 ** 30;
/** Some six OpenCodes are open at a time, of 1 to 4 GiB each when nothing is given back. */
const ROOM_BYTES = 20 * GIBIBYTE;

/**
 * What an OpenCode of the tests leaves out, because no promise is about it and most of its work is this: it gives no memory
 * back (its runtime looks for some after every little thing it has done, for two thirds of all the processor time of a
 * turn), where the machine has room for that, and compiles nothing for hours of running (its last tier, a tenth of a start).
 */
const THRIFT: Readonly<Record<string, string>> = {
  BUN_JSC_useFTLJIT: '0',
  ...(totalmem() >= ROOM_BYTES ? { BUN_JSC_useGC: '0' } : {}),
};

/** The sandbox with OpenCodes that are of less work, in `npm test`; what soaks, and what is measured, has them as users do. */
export const thrifty = (sandbox: Sandbox): Sandbox =>
  process.env.UNDERSTUDY_THRIFT === '1' ? { ...sandbox, env: { ...sandbox.env, ...THRIFT } } : sandbox;
