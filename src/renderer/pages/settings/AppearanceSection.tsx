import { useState } from 'react';
import { LANGUAGES, type Language, settingsTexts } from '../../../texts';
import { useLanguage } from '../../app/language';
import { chooseTheme, chosenTheme, type Theme } from '../../app/theme';
import { hasMenuBar, MenuBarText } from './MenuBarText';
import { SettingsCard } from './parts';

const THEMES: readonly (Theme | null)[] = [null, 'light', 'dark'];

export function AppearanceSection() {
  const texts = settingsTexts().appearance;
  const [theme, setTheme] = useState(chosenTheme);
  const [language, speak] = useLanguage();
  const choose = (next: Theme | null) => {
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <>
      <SettingsCard id="theme" title={texts.theme}>
        <fieldset className="choices card-body" aria-labelledby="theme">
          {THEMES.map((each) => (
            <label key={each ?? 'system'}>
              <input type="radio" name="theme" checked={theme === each} onChange={() => choose(each)} />
              {texts.themes[each ?? 'system']}
            </label>
          ))}
        </fieldset>
      </SettingsCard>
      <SettingsCard id="language" title={texts.language}>
        <fieldset className="choices card-body" aria-labelledby="language">
          {(Object.keys(LANGUAGES) as Language[]).map((each) => (
            <label key={each} lang={each}>
              <input type="radio" name="language" checked={language === each} onChange={() => speak(each)} />
              {LANGUAGES[each]}
            </label>
          ))}
        </fieldset>
      </SettingsCard>
      {hasMenuBar() && <MenuBarText />}
      <p className="cap">{texts.own}</p>
    </>
  );
}
