import { useEffect } from 'react';
import type { Page } from '../../contract/shell';
import { shellTexts } from '../../texts';
import { attentionOf } from '../../wording/attention';
import { verdict } from '../../wording/attention-words';
import { isUnused, namedIn } from '../pages/setup/facts';
import { usePanel, usePanelState, useStale } from './panel';
import { hrefOf } from './routes';

export function useTabTitle(page: Page): void {
  const { cause } = useStale();
  const headline = usePanelState(({ snapshot }) => {
    const items = snapshot ? attentionOf(snapshot) : [];
    return snapshot && items.length > 0 ? verdict(snapshot, items).title : null;
  });
  const texts = shellTexts();
  const title = cause === 'link' ? texts.stale.noContact : (headline ?? texts.views[page]);
  useEffect(() => {
    document.title = `${title} · Understudy`;
  }, [title]);
}

/** Opens Setup first if no OpenCode configuration names the companion. */
export function useSetupFirst(): void {
  const { api } = usePanel();
  const mayNeedSetup = usePanelState(({ snapshot }) => snapshot !== null && !snapshot.app.isDemo && isUnused(snapshot));
  useEffect(() => {
    if (!mayNeedSetup || window.location.hash !== '') return;
    api.ask('setup.detect', { directory: null }).then(
      (detected) => {
        if (namedIn(detected) === null && window.location.hash === '') window.location.replace(hrefOf('setup'));
      },
      () => {}, // silent: the first view stays, and shows the state of the link
    );
  }, [api, mayNeedSetup]);
}
