import { LANGUAGES, type Language } from '../../texts';
import { useLanguage } from '../app/language';

const ALL = Object.keys(LANGUAGES) as Language[];

export function LanguageSwitch() {
  const [language, change] = useLanguage();
  const next = ALL[(ALL.indexOf(language) + 1) % ALL.length] ?? language;
  return (
    <button
      className="btn btn-icon btn-quiet"
      type="button"
      lang={next}
      aria-label={LANGUAGES[next]}
      title={LANGUAGES[next]}
      onClick={() => change(next)}
    >
      {next.toUpperCase()}
    </button>
  );
}
