import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Linux assigns ports from 32,768 on to processes, macOS and Windows from 49,152 on. */
const LOWEST = 20_000;
const HIGHEST = 32_767;

/** @throws Error if a hundred ports cannot be opened. */
export async function findFreePort(): Promise<number> {
  for (let triesLeft = 100; triesLeft > 0; triesLeft -= 1) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (await isFree(port)) return port;
  }
  throw new Error('No loopback port is free, or none may be opened.');
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false)); // silent: the port is in use
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
