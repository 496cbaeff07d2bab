import type { Handlers } from '../../contract/contract';
import type { PreferencesInForce, PreferencesPatch } from '../../contract/preferences';

export type PreferencesPort = Readonly<{
  read(): Promise<PreferencesInForce>;
  change(
    patch: PreferencesPatch,
    rev: string,
  ): Promise<Readonly<{ ok: true; now: PreferencesInForce }> | Readonly<{ ok: false; reason: string }>>;
}>;

export function preferencesHandlers(
  port: PreferencesPort | null,
  onChange: () => void,
): Pick<Handlers, 'settings.get' | 'settings.set'> {
  const requirePort = (): PreferencesPort => {
    if (port === null) throw new Error('This Understudy does not store preferences.');
    return port;
  };
  return {
    'settings.get': () => requirePort().read(),
    'settings.set': async ({ patch, rev }) => {
      const changed = await requirePort().change(patch, rev);
      if (!changed.ok) return changed;
      onChange();
      return { ok: true, ...changed.now };
    },
  };
}
