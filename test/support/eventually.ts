import { vi } from 'vitest';

/** Maximum wait on a busy machine, in ms. */
export const PATIENCE_MS = 60_000;

export const eventually = <Result>(check: () => Result | Promise<Result>) =>
  vi.waitUntil(check, { timeout: PATIENCE_MS });

export const patiently = <Result>(check: () => Result | Promise<Result>) =>
  vi.waitFor(check, { timeout: PATIENCE_MS, interval: 50 });
