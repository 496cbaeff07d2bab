import { leavesOf } from './at-path';
import { HIDDEN_VALUE, isHidden } from './hidden';
import { pathKey, pathText } from './problem';
import { tightenedConfig } from './resolve';
import { DEFAULTS } from './schema';
import { type ConfigSources, ownSources, sourcesInOrder } from './sources';

export type EffectiveValue = Readonly<{ key: string; value: unknown; path: string | null; line: number | null }>;

export function effectiveValues(sources: ConfigSources): readonly EffectiveValue[] {
  const { merged, kept: loosenings } = tightenedConfig(sources);
  const held = new Set(loosenings.map(({ path }) => pathKey(path)));
  const configuredValues = leavesOf(merged, []).map(([path, value]) => {
    // For a limit that a project would loosen, the user's own file is the source.
    const files = held.has(pathKey(path)) ? ownSources(sources) : sourcesInOrder(sources);
    const owner = files.filter(({ config }) => config !== null).find(({ positions }) => positions.has(pathKey(path)));
    const line = owner?.positions.get(pathKey(path))?.line ?? null;
    const shown = isHidden(path) ? HIDDEN_VALUE : value;
    return { key: pathText(path), value: shown, path: owner?.path ?? null, line };
  });
  const configuredKeys = new Set(configuredValues.map(({ key }) => key));
  const standard = leavesOf(DEFAULTS, ['defaults']).map(([path, value]) => ({ key: pathText(path), value }));
  const silent = standard.filter(({ key }) => !configuredKeys.has(key));
  return [...configuredValues, ...silent.map((entry) => ({ ...entry, path: null, line: null }))];
}
