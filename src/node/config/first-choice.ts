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

/**
 * Plans the write to the user's own file that enables the published designs' behaviour, for display and approval; only
 * reads. Null if the question must not appear: it was answered, the answer could not be stored, a file of the user
 * chooses a behaviour already, or it cannot be edited.
 */
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

/** True if the user chose a behaviour: for an agent, or by a setting with the name of one that would be written. */
const isChosen = (config: ConfigFile): boolean =>
  Object.values(config.agents ?? {}).some(({ policy }) => policy !== undefined) ||
  PUBLISHED_BEHAVIOUR.some(({ path: [section = '', key = ''] }) => valueAt(config, [section, key]) !== undefined);

export async function keepAnswered({ home }: ChoicePlace): Promise<Outcome> {
  const settings = openPreferences(home);
  return await settings.change({ setup: { asks: false } }, (await settings.read()).rev);
}
