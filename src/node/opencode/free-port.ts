import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Linux gives ports from 32,768 on to any process that asks for one, macOS and Windows from 49,152 on. */
const LOWEST = 20_000;
const HIGHEST = 32_767;

/** A loopback port without a listener, that the system gives to no other process by itself. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (await isFree(port)) return port;
  }
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
