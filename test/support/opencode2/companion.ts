import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { Plugin } from './loader';

/** A companion with its own state home and user configuration (`userConfig`), isolated from other tests. */
export async function freshCompanion(): Promise<Plugin & Readonly<{ home: string; userConfig: string }>> {
  const root = await mkdtemp(join(tmpdir(), 'us2-'));
  const home = join(root, 'u');
  const config = join(root, 'config');
  const takeBack = [setEnv('UNDERSTUDY_HOME', home), setEnv('XDG_CONFIG_HOME', config)];
  onTestFinished(async () => {
    for (const restore of takeBack) restore();
    // The next file that loads it gets no state of this process.
    vi.resetModules();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  });
  vi.resetModules();
  const { default: companion } = await import('../../../src/plugin');
  return { ...(companion as unknown as Plugin), home, userConfig: join(config, 'opencode', 'model-fallback.json') };
}

function setEnv(name: string, value: string): () => void {
  const before = process.env[name];
  process.env[name] = value;
  return () => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  };
}

/** The companion as another process loads it, with the same state home. */
export async function nextCompanion(): Promise<Plugin> {
  const processes = globalThis as unknown as Record<symbol, unknown>;
  for (const key of Object.getOwnPropertySymbols(processes))
    if (key.description?.startsWith('understudy ')) delete processes[key];
  vi.resetModules();
  const { default: companion } = await import('../../../src/plugin');
  return companion as unknown as Plugin;
}

export function heardLog(): readonly string[] {
  const lines: string[] = [];
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((line) => void lines.push(`${level}: ${String(line)}`));
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  return lines;
}
