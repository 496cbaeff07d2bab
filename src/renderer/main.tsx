import { createRoot } from 'react-dom/client';
import { App } from './App';
import { pickApi } from './api';
import { showNotices } from './inbox/browser-notices';
import { keepView } from './kept-view';
import { followLanguage, speakPreferred } from './language';
import { createPanel, PanelContext } from './panel';
import { isGlance } from './routes';
import { applyStoredTheme, followTheme } from './theme';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/controls.css';
import './styles/dialog.css';
import './styles/parts.css';
import './styles/now.css';
import './styles/chains.css';
import './styles/models.css';
import './styles/sessions.css';
import './styles/usage.css';
import './styles/events.css';
import './styles/setup.css';
import './styles/settings.css';
import './styles/glance.css';
import './styles/inbox.css';
import './styles/stale.css';

applyStoredTheme();
const root = document.getElementById('root');
if (!root) throw new TypeError('The page has no element with the id "root".');
const panel = createPanel(pickApi(window));
if (window.understudy) {
  followTheme((theme) => void panel.api.ask('shell.theme', { theme }).catch(() => undefined));
  followLanguage((language) => void panel.api.ask('shell.language', { language }).catch(() => undefined));
  // The view that is kept is the window's.
  if (isGlance()) followWindow();
  else keepView(panel);
} else {
  showNotices(panel.api);
}
void speakPreferred().then(() =>
  createRoot(root).render(
    <PanelContext value={panel}>
      <App />
    </PanelContext>,
  ),
);

/** The window of the app may have changed theme and language since this page was last seen. */
function followWindow(): void {
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return;
    applyStoredTheme();
    void speakPreferred();
  });
}
