import { vi } from 'vitest';

/** How long an event may take where other tests keep the machine busy, in ms; whoever waits goes on as soon as it has come. */
export const PATIENCE_MS = 60_000;

/** Waits until a check gives something that counts as true. @returns what it gave. */
export const eventually = <Result>(check: () => Result | Promise<Result>) =>
  vi.waitUntil(check, { timeout: PATIENCE_MS });

/** Waits until a check throws nothing more. @returns what it gave. */
export const patiently = <Result>(check: () => Result | Promise<Result>) =>
  vi.waitFor(check, { timeout: PATIENCE_MS, interval: 50 });
