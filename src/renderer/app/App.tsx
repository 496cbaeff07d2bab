import { lazy, Suspense } from 'react';
import { demoTexts, shellTexts } from '../../texts';
import { Announcer } from '../components/Announcer';
import { Navigation, ViewTabs } from '../components/Navigation';
import { RouteBoundary } from '../components/RouteBoundary';
import { Toast } from '../components/Toast';
import { TrayNotice } from '../components/TrayNotice';
import { ChainsPage } from '../pages/chains/ChainsPage';
import { EventsPage } from '../pages/events/EventsPage';
import { GlancePage } from '../pages/glance/GlancePage';
import { Inbox } from '../pages/inbox/Inbox';
import { NoticeTrouble } from '../pages/inbox/NoticeTrouble';
import { ModelsPage } from '../pages/models/ModelsPage';
import { NowPage } from '../pages/now/NowPage';
import { CommandCentre } from './commands/CommandCentre';
import { useKeptFocus } from './kept-focus';
import { LoadingPage, LoadingView } from './LoadingPage';
import { useLanguage } from './language';
import { persistently } from './lazy-view';
import { usePanelState, useStale } from './panel';
import { type Route, useIsGlance, useRoute } from './routes';
import { useSetupFirst, useTabTitle } from './tab';

const SessionsPage = lazy(async () => ({
  default: (await persistently(() => import('../pages/sessions/SessionsPage'))).SessionsPage,
}));
const UsagePage = lazy(async () => ({
  default: (await persistently(() => import('../pages/usage/UsagePage'))).UsagePage,
}));
const HeadroomPage = lazy(async () => ({
  default: (await persistently(() => import('../pages/headroom/HeadroomPage'))).HeadroomPage,
}));
const RankingPage = lazy(async () => ({
  default: (await persistently(() => import('../../features/ranking/renderer/RankingPage'))).RankingPage,
}));
const CouncilPage = lazy(async () => ({
  default: (await persistently(() => import('../../features/council/renderer/CouncilPage'))).CouncilPage,
}));
const FleetPage = lazy(async () => ({
  default: (await persistently(() => import('../../features/fleet/renderer/FleetPage'))).FleetPage,
}));
const SetupPage = lazy(async () => ({
  default: (await persistently(() => import('../pages/setup/SetupPage'))).SetupPage,
}));
const SettingsPage = lazy(async () => ({
  default: (await persistently(() => import('../pages/settings/SettingsPage'))).SettingsPage,
}));

export function App() {
  useLanguage();
  useKeptFocus();
  return useIsGlance() ? <Glance /> : <Frame />;
}

/** All links of the popover open the window. */
function Glance() {
  const hasSnapshot = usePanelState((state) => state.snapshot !== null);
  return (
    <>
      <div className="page glance">
        {hasSnapshot ? (
          <RouteBoundary view={shellTexts().views.now}>
            <GlancePage />
          </RouteBoundary>
        ) : (
          <main className="main">
            <LoadingPage />
          </main>
        )}
      </div>
      <Announcer />
    </>
  );
}

/** Views that stay current while OpenCode is closed. */
const APART_FROM_OPENCODE: readonly Route['name'][] = ['usage', 'events', 'ranking', 'council', 'fleet'];

function Frame() {
  const route = useRoute();
  useTabTitle(route.name);
  useSetupFirst();
  const hasSnapshot = usePanelState((state) => state.snapshot !== null);
  const { cause } = useStale();
  const isStale = cause === 'link' || (cause === 'opencode' && !APART_FROM_OPENCODE.includes(route.name));
  const isDemo = usePanelState((state) => state.snapshot?.app.isDemo ?? false);
  const isRecorded = usePanelState((state) => state.snapshot?.app.isRecorded ?? false);
  return (
    <>
      <button className="skip btn" type="button" onClick={skipToMain}>
        {shellTexts().skip}
      </button>
      <div className="app">
        <Navigation current={route.name} />
        <div className="page">
          {window.understudy && <TrayNotice />}
          {isDemo && <p className="demo-mark small">{isRecorded ? demoTexts().recorded : demoTexts().mark}</p>}
          <NoticeTrouble />
          <ViewTabs current={route.name} />
          <main className={isStale ? 'main stale' : 'main'} id="main" tabIndex={-1}>
            {hasSnapshot ? (
              <RouteBoundary key={route.name} view={shellTexts().views[route.name]}>
                <Suspense fallback={<LoadingView />}>
                  <View route={route} />
                </Suspense>
              </RouteBoundary>
            ) : (
              <LoadingPage />
            )}
          </main>
        </div>
      </div>
      <Inbox />
      <Toast />
      <CommandCentre />
      <Announcer />
    </>
  );
}

function View({ route }: Readonly<{ route: Route }>) {
  switch (route.name) {
    case 'now':
      return <NowPage />;
    case 'chains':
      return <ChainsPage openChain={route.detail} />;
    case 'models':
      return <ModelsPage openModel={route.detail} />;
    case 'sessions':
      return <SessionsPage openSession={route.detail} />;
    case 'usage':
      return <UsagePage detail={route.detail} />;
    case 'headroom':
      return <HeadroomPage />;
    case 'ranking':
      return <RankingPage agent={route.detail} />;
    case 'council':
      return <CouncilPage run={route.detail} />;
    case 'fleet':
      return <FleetPage />;
    case 'setup':
      return <SetupPage />;
    case 'settings':
      return <SettingsPage section={route.detail} />;
    case 'events':
      return <EventsPage openId={route.detail} />;
  }
}

/** A link to `#main` would replace the address, which names the view. */
function skipToMain(): void {
  document.getElementById('main')?.focus();
}
