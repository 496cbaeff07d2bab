import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { sessionTexts, spokenLanguage } from '../../../texts';
import type { Panel } from '../../app/panel';
import { pageFile } from './page-file';
import { readWhole } from './read-whole';
import { SessionReport, type Whole } from './SessionReport';

/** Rejects with a message for the user. */
export type MakePage = (session: string) => Promise<string>;

type Wanted = Readonly<{ whole: Whole; holder: Element; onDrawn: () => void }>;

/** Renders a session in a detached element. */
export function usePage({ api }: Panel): Readonly<{ makePage: MakePage; page: ReactNode }> {
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const makePage = useCallback<MakePage>(
    async (session) => {
      const whole = await readWhole(api.ask, session);
      if (!whole) throw new Error(sessionTexts().detail.unknownHint);
      const holder = document.createElement('div');
      await new Promise<void>((onDrawn) => setWanted({ whole, holder, onDrawn }));
      const title = holder.querySelector('h1')?.textContent ?? session;
      const text = await pageFile(holder, { title, language: spokenLanguage() });
      setWanted(null);
      return text;
    },
    [api],
  );
  return {
    makePage,
    page: wanted && createPortal(<Drawing key={wanted.whole.entry.session} {...wanted} />, wanted.holder),
  };
}

function Drawing({ whole, onDrawn }: Wanted) {
  useEffect(onDrawn, [onDrawn]);
  return <SessionReport whole={whole} />;
}
