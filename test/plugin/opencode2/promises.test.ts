import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type ScriptedProvider, startScriptedProvider } from '../../../src/cli/demo/scripted-provider';
import companion from '../../../src/plugin';
import { skippedTime } from '../../support/opencode2';
import { openCase } from '../../support/opencode2/case';
import { promises } from '../../support/opencode2/promises';

let provider: ScriptedProvider;
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'us2-'));
  process.env.UNDERSTUDY_HOME = join(home, 'u');
  provider = await startScriptedProvider();
});
afterAll(async () => {
  await provider.close();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

promises(() => ({
  provider,
  open: (options) => openCase(provider, companion, { sleep: skippedTime().sleep, ...options }),
}));
