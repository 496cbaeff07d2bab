import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepModels } from '../../src/node/base/kept-models';
import { inventedModels } from './invented-models';

/** A home with invented models and a chain of two of them; closes itself. */
export async function rankingHome() {
  const root = await mkdtemp(join(tmpdir(), 'us-'));
  const [home, project, config] = [join(root, 'u'), join(root, 'p'), join(root, 'c')];
  await Promise.all([home, project, join(config, 'opencode')].map((path) => mkdir(path, { recursive: true })));
  const LEAD = 'alpha/atlas-1';
  await keepModels(home, project, {
    ...inventedModels(),
    ...{ leads: { build: LEAD, plan: null }, defaultModel: LEAD },
  });
  const file = join(config, 'opencode', 'model-fallback.json');
  const before = `${JSON.stringify({ agents: { build: { fallbackModels: [LEAD, 'alpha/atlas-mini'] } } }, null, 2)}\n`;
  await writeFile(file, before);
  const env = { ...process.env, XDG_CONFIG_HOME: config, XDG_DATA_HOME: join(root, 'd'), UNDERSTUDY_HOME: home };
  return { home, env, file, before, close: () => rm(root, { recursive: true, force: true, maxRetries: 5 }) };
}
