import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { checkedApi, httpTransport } from './app/api';
import { enter, type Shutting } from './app/door';
import { keepView } from './app/kept-view';
import { followLanguage, speakPreferred } from './app/language';
import { loadAfter } from './app/lazy-view';
import { createPanel, type Panel, PanelContext } from './app/panel';
import { forTab } from './app/remembered';
import { isGlance } from './app/routes';
import { Shut } from './app/Shut';
import { applyStoredTheme, followTheme } from './app/theme';
import { showNotices } from './pages/inbox/browser-notices';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/controls.css';
import './styles/dialog.css';
import './styles/parts.css';
import './styles/home.css';
import './styles/now.css';
import './styles/chains.css';
import './styles/models.css';
import './styles/sessions.css';
import './styles/gantt.css';
import './styles/usage.css';
import './styles/headroom.css';
import './styles/ranking.css';
import './styles/council.css';
import './styles/fleet.css';
import './styles/events.css';
import './styles/setup.css';
import './styles/settings.css';
import './styles/glance.css';
import './styles/inbox.css';
import './styles/stale.css';

applyStoredTheme();
const element = document.getElementById('root');
if (!element) throw new TypeError('The page has no element with the id "root".');
const root = createRoot(element);
let isShut = false;
void begin();

async function begin(): Promise<void> {
  if (window.understudy) return show(createPanel(checkedApi(window.understudy)), true);
  const entry = await enter({
    location: window.location,
    history: window.history,
    fetch: window.fetch.bind(window),
    crypto: window.crypto,
    storage: () => window.sessionStorage,
    shut,
  });
  if (entry.isIn) {
    loadAfter(entry.prove);
    return show(createPanel(checkedApi(httpTransport(entry.parts))), false);
  }
  await speakPreferred();
  shut(entry.why);
}

function shut(why: Shutting): void {
  isShut = true;
  root.render(<Shut why={why} />);
}

async function show(panel: Panel, isWindow: boolean): Promise<void> {
  if (!isWindow) {
    showNotices(panel.api);
    keepView(panel, forTab);
  } else {
    // silent: only the frame of the window keeps its colours and language
    followTheme((theme) => void panel.api.ask('shell.theme', { theme }).catch(() => undefined));
    followLanguage((language) => void panel.api.ask('shell.language', { language }).catch(() => undefined)); // silent: as above
    // The stored view belongs to the window.
    if (isGlance()) followWindow();
    else keepView(panel);
  }
  await speakPreferred();
  if (isShut) return;
  root.render(
    <PanelContext value={panel}>
      <App />
    </PanelContext>,
  );
}

/** The app's window may have changed them meanwhile. */
function followWindow(): void {
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return;
    applyStoredTheme();
    void speakPreferred();
  });
}
