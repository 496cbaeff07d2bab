import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { resolveScope } from '../../../src/core/config';
import { configPaths } from '../../../src/node/config/config-files';
import { loadConfig } from '../../../src/node/config/config-reader';
import { examine } from '../../../src/node/setup/doctor';
import { detectSetup } from '../../../src/node/setup/install';
import { tempFolder } from '../../node/temp-folder';
import { type Place, placeAt } from './place';

const OWN = {
  defaults: {
    policy: 'council',
    vendorLock: true,
    maxPriceRatio: 1,
    maxFallbackDepth: 2,
    retryBudget: { perSession: 5 },
  },
};
const MODELS = Array.from({ length: 1_000 }, (_, at) => `p${at % 20}/m${at < 20 ? 0 : at}`).concat('p0/m1');
const HOST = { leads: { build: 'p0/m0' }, defaultModel: 'p0/m0', models: MODELS };

export type Stranger = Place & Readonly<{ root: string; env: NodeJS.ProcessEnv }>;

export async function makeStranger(): Promise<Stranger> {
  const root = await realpath(await tempFolder());
  const place = placeAt(join(root, 'project'), join(root, 'outside'));
  await mkdir(place.outside);
  await mkdir(join(place.project, '.opencode'), { recursive: true });
  await mkdir(join(root, 'config'));
  await writeFile(join(root, 'config', 'model-fallback.json'), JSON.stringify(OWN));
  // Searches above a project end at the home.
  return {
    ...place,
    root,
    env: { HOME: root, OPENCODE_CONFIG_DIR: join(root, 'config'), UNDERSTUDY_HOME: join(root, 'u') },
  };
}

/** Health partitions as the companion names them. */
const booksOf = (apart: readonly string[]) => Object.fromEntries(apart.map((provider) => [provider, '0123456789ab']));

export async function examineStranger({ project, root, env }: Stranger): Promise<readonly string[]> {
  const place = { env, home: join(root, 'u'), directory: project, source: join(root, 'u', 'no companion') };
  const [{ files }, findings] = await Promise.all([detectSetup(place), examine(place, null)]);
  return [
    ...files.flatMap((file) => ('problem' in file ? [file.problem] : file.found.addresses)),
    ...findings.map(({ says }) => says),
  ];
}

export async function readStranger(at: Stranger) {
  const { sources, maps } = await loadConfig(configPaths(at.project, at.env));
  const scope = resolveScope(sources, HOST);
  const said = [...scope.problems.map(({ path, message }) => `${path}: ${message}`), ...maps.problems];
  const { config: unlimited, apart } = resolveScope({ ...sources, global: null }, HOST);
  return { ...scope, unlimited: { ...unlimited, books: booksOf(apart) }, maps: maps.maps, said };
}
