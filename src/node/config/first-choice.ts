import { type ConfigFile, mergedConfig, PUBLISHED_BEHAVIOUR } from '../../core/config';
import { valueAt } from '../../core/config/at-path';
import type { Outcome } from '../base/failure';
import type { Environment } from '../base/state-home';
import { configPaths } from './config-files';
import { loadConfig } from './config-reader';
import { planConfig } from './config-values';
import type { WritePlan } from './config-write';
import { openPreferences, readPreferences } from './preferences';

export type ChoicePlace = Readonly<{ env: Environment; home: string }>;

/** Null if the question must not appear: answered, a behaviour already chosen, or a file not writable. */
export async function planFirstChoice({ env, home }: ChoicePlace, actor: string): Promise<WritePlan | null> {
  const { preferences, problem } = await readPreferences(home);
  if (!preferences.setup.asks || problem !== null) return null;
  if (isChosen(mergedConfig((await loadConfig(configPaths(null, env))).sources))) return null;
  const changes = PUBLISHED_BEHAVIOUR.map(({ path, value }) => ({
    type: 'set' as const,
    path: [...path],
    value: typeof value === 'string' ? value : [...value],
  }));
  const planned = await planConfig({ directory: null, changes }, env, actor);
  return planned.ok ? planned.plan : null;
}

const isChosen = (config: ConfigFile): boolean =>
  Object.values(config.agents ?? {}).some(({ policy }) => policy !== undefined) ||
  PUBLISHED_BEHAVIOUR.some(({ path: [section = '', key = ''] }) => valueAt(config, [section, key]) !== undefined);

export async function keepAnswered({ home }: ChoicePlace): Promise<Outcome> {
  const settings = openPreferences(home);
  return await settings.change({ setup: { asks: false } }, (await settings.read()).rev);
}
