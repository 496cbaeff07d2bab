import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, vi } from 'vitest';
import { type ScriptedProvider, startScriptedProvider } from '../../../src/demo/scripted-provider';
import { type Plugin, skippedTime } from '../../support/opencode2';
import { openCase } from '../../support/opencode2/case';
import { promises } from '../../support/opencode2/promises';

let provider: ScriptedProvider;
let home: string;
let companion: Plugin;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'us2-'));
  vi.stubEnv('UNDERSTUDY_HOME', join(home, 'u'));
  provider = await startScriptedProvider();
  // What another file has taught the companion is nothing to this one.
  vi.resetModules();
  companion = (await import('../../../src/plugin')).default as unknown as Plugin;
});
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.resetModules();
  await provider.close();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

promises(() => ({
  provider,
  open: (options) => openCase(provider, companion, { sleep: skippedTime().sleep, ...options }),
}));
