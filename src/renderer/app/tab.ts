import { useEffect } from 'react';
import type { Page } from '../../contract/shell';
import { shellTexts } from '../../texts';
import { attentionOf } from '../../wording/attention';
import { verdict } from '../../wording/attention-words';
import { usePanel, usePanelState, useStale } from './panel';
import { hrefOf } from './routes';

/** Sets the title of the browser's tab: the headline while something needs the user, else the page. */
export function useTabTitle(page: Page): void {
  const { cause } = useStale();
  const headline = usePanelState(({ snapshot }) =>
    snapshot && attentionOf(snapshot).length > 0 ? verdict(snapshot).title : null,
  );
  const texts = shellTexts();
  const title = cause === 'link' ? texts.stale.noContact : (headline ?? texts.views[page]);
  useEffect(() => {
    document.title = `${title} · Understudy`;
  }, [title]);
}

/** Opens Setup instead of the first view where no configuration of OpenCode names the companion. */
export function useSetupFirst(): void {
  const { api } = usePanel();
  const isUnused = usePanelState(
    ({ snapshot }) =>
      snapshot !== null &&
      !snapshot.app.isDemo &&
      snapshot.connection.status !== 'connected' &&
      snapshot.sessions.length === 0,
  );
  useEffect(() => {
    if (!isUnused || window.location.hash !== '') return;
    api.ask('setup.detect', { directory: null }).then(
      ({ files }) => {
        const isInstalled = files.some(({ companions }) => companions.length > 0);
        if (!isInstalled && window.location.hash === '') window.location.replace(hrefOf('setup'));
      },
      () => {}, // silent: the first view stays, and shows the state of the link
    );
  }, [api, isUnused]);
}
