import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { Plugin } from './loader';

/** The companion in a process and a state home of its own: what one test teaches it, no other test knows. */
export async function freshCompanion(): Promise<Plugin & Readonly<{ home: string }>> {
  const root = await mkdtemp(join(tmpdir(), 'us2-'));
  const home = join(root, 'u');
  const before = process.env.UNDERSTUDY_HOME;
  process.env.UNDERSTUDY_HOME = home;
  onTestFinished(async () => {
    if (before === undefined) delete process.env.UNDERSTUDY_HOME;
    else process.env.UNDERSTUDY_HOME = before;
    // Whoever loads it next, in another file, knows nothing of this process.
    vi.resetModules();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  });
  vi.resetModules();
  const { default: companion } = await import('../../../src/plugin');
  return { ...(companion as unknown as Plugin), home };
}

/** The companion as another process loads it that finds what this one has left in the same state home. */
export async function nextCompanion(): Promise<Plugin> {
  const processes = globalThis as unknown as Record<symbol, unknown>;
  for (const key of Object.getOwnPropertySymbols(processes))
    if (key.description?.startsWith('understudy ')) delete processes[key];
  vi.resetModules();
  const { default: companion } = await import('../../../src/plugin');
  return companion as unknown as Plugin;
}

/** What the companion says in the host's log during a test. */
export function heardLog(): readonly string[] {
  const lines: string[] = [];
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((line) => void lines.push(`${level}: ${String(line)}`));
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  return lines;
}
