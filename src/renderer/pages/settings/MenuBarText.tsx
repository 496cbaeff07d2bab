import { TRAY_TITLES } from '../../../contract/preferences';
import { trayTexts } from '../../../texts';
import { SettingsCard } from './parts';
import { useSettings } from './use-settings';

/** Only the macOS menu bar has room for text. */
export const hasMenuBar = (): boolean => window.understudy !== undefined && navigator.userAgent.includes('Macintosh');

export function MenuBarText() {
  const { inForce, change } = useSettings();
  const texts = trayTexts().title;
  if (inForce === null) return null;
  return (
    <SettingsCard id="menu-bar" title={texts.heading}>
      <fieldset className="choices card-body" aria-labelledby="menu-bar">
        {TRAY_TITLES.map((title) => (
          <label key={title}>
            <input
              type="radio"
              name="menu-bar"
              checked={inForce.preferences.tray.title === title}
              onChange={() => change({ tray: { title } })}
            />
            {texts.choices[title]}
          </label>
        ))}
      </fieldset>
    </SettingsCard>
  );
}
