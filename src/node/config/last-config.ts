import { join } from 'node:path';
import * as z from 'zod';
import { countAs } from '../../core/base/internal-errors';
import { later } from '../../core/base/later';
import { type ConfigFile, type ConfigSource, parseConfig } from '../../core/config';
import { writeFileAtomic } from '../base/atomic-file';
import { readPrivateJson } from '../base/private-folder';
import { MAX_CONFIG_BYTES } from '../base/read-text';
import { ensureStateHome } from '../base/state-home';

export const lastConfigPath = (home: string): string => join(home, 'last-config.json');

const FILES_MAX = 5;
export const StoredConfig = later(() =>
  z.object({ v: z.literal(1), files: z.array(z.object({ path: z.string(), config: z.unknown() })) }),
);
type Files = z.infer<typeof StoredConfig>['files'];

const read = async (home: string): Promise<Files> =>
  (await readPrivateJson(lastConfigPath(home), FILES_MAX * MAX_CONFIG_BYTES, StoredConfig))?.files ?? [];

/** Never rejects. */
export async function lastConfig(home: string, path: string): Promise<ConfigFile | null> {
  const found = (await read(home)).find((file) => file.path === path);
  return found === undefined ? null : parseConfig(JSON.stringify(found.config), path).config;
}

/**
 * For processes that start while the file is unreadable. Omits council speakers, whose commands may hold a key. Never
 * rejects.
 */
export function createLastConfig(home: string): Readonly<{ keep(source: ConfigSource | null): Promise<void> }> {
  let lastGood: ConfigFile | null = null;
  return {
    async keep(source) {
      // The replacement for an unreadable file is stored already.
      if (!source?.config || source.config === lastGood || source.problems.some(({ severity }) => severity === 'error'))
        return;
      lastGood = source.config;
      const { council: _, ...config } = source.config;
      const files = await read(home);
      const own = files.find(({ path }) => path === source.path);
      if (own !== undefined && JSON.stringify(own.config) === JSON.stringify(config)) return;
      const next = [{ path: source.path, config }, ...files.filter((file) => file !== own)].slice(0, FILES_MAX);
      if (!(await ensureStateHome(home)).ok) return;
      await writeFileAtomic(lastConfigPath(home), `${JSON.stringify({ v: 1, files: next })}\n`).catch(
        countAs('config.last'),
      );
    },
  };
}
