import { useEffect, useState } from 'react';
import { trayTexts } from '../../texts';
import { useAsked } from '../app/asked';
import { remember, remembered } from '../app/remembered';

/** Time for the system to place an icon, in ms. */
const PLACED_MS = 11_000;
const CHOICE = 'tray-notice';

export function TrayNotice() {
  const [round, setRound] = useState(0);
  const [dismissed, setKnown] = useState(() => remembered(CHOICE));
  const tray = useAsked('shell.get', {}, String(round))?.tray;
  const isUnsure = tray === 'unsure' && round === 0;
  useEffect(() => {
    if (!isUnsure) return;
    const timer = setTimeout(() => setRound(1), PLACED_MS);
    return () => clearTimeout(timer);
  }, [isUnsure]);
  if ((tray !== 'absent' && tray !== 'hidden') || tray === dismissed) return null;
  const texts = trayTexts().notice;
  const dismiss = () => {
    remember(CHOICE, tray);
    setKnown(tray);
  };
  return (
    <aside className="banner small" aria-label={texts.name}>
      <span>{texts[tray]}</span>
      <button className="btn btn-sm" type="button" onClick={dismiss}>
        {texts.dismiss}
      </button>
    </aside>
  );
}
