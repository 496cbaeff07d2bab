import { useStore } from 'zustand';
import { type Page, VIEW_NAMES, VIEWS, viewOf } from '../../contract/shell';
import type { Snapshot } from '../../contract/snapshot';
import { commandTexts, shellTexts } from '../../texts';
import { folderName } from '../../wording/wording';
import { keyLabel, keysOf, viewKey } from '../app/commands/keys';
import { usePanel, usePanelState } from '../app/panel';
import { hrefOf } from '../app/routes';
import { toggleTheme } from '../app/theme';
import { Bell } from '../pages/inbox/Bell';
import { Brand, Icon, type IconName } from './Icon';
import { LanguageSwitch } from './LanguageSwitch';

export function Navigation({ current }: Readonly<{ current: Page }>) {
  const snapshot = usePanelState((state) => state.snapshot);
  const { side, views } = shellTexts();
  const view = viewOf(current);
  return (
    <nav className="side" aria-label={side.name}>
      <div className="brand">
        <Brand />
        <span>Understudy</span>
        <Bell />
      </div>
      {snapshot && <Instances snapshot={snapshot} />}
      <ul className="nav">
        {VIEW_NAMES.map((name) => (
          <li key={name}>
            <a href={hrefOf(name)} aria-current={name === view ? 'page' : undefined} title={views[name]}>
              <Icon name={name} />
              <span>{views[name]}</span>
              <kbd>{keyLabel(viewKey(name))}</kbd>
            </a>
          </li>
        ))}
      </ul>
      <div className="side-foot">
        {snapshot && (
          <span className="cap" title={`${snapshot.app.version} · ${snapshot.app.runtime}`}>
            {snapshot.app.version}
          </span>
        )}
        <FootButton command="palette" icon="search" label={commandTexts().palette} />
        <FootButton command="sheet" icon="keyboard" label={commandTexts().sheet} />
        <LanguageSwitch />
        <button
          className="btn btn-icon btn-quiet"
          type="button"
          aria-label={side.theme}
          title={side.theme}
          onClick={toggleTheme}
        >
          <Icon name="theme" />
        </button>
      </div>
    </nav>
  );
}

export function ViewTabs({ current }: Readonly<{ current: Page }>) {
  const { views } = shellTexts();
  const view = viewOf(current);
  if (VIEWS[view].length < 2) return null;
  return (
    <nav className="tabs" aria-label={views[view]}>
      {VIEWS[view].map((page) => (
        <a key={page} className="tab" href={hrefOf(page)} aria-current={page === current ? 'page' : undefined}>
          {views[page]}
        </a>
      ))}
    </nav>
  );
}

type FootProps = Readonly<{ command: string; icon: IconName; label: string }>;

function FootButton({ command, icon, label }: FootProps) {
  const { commands, singleKeys } = usePanel();
  const [key = ''] = keysOf(command);
  const isHeard = useStore(singleKeys.store) || key.length > 1;
  return (
    <button
      className="btn btn-icon btn-quiet"
      type="button"
      aria-label={label}
      aria-keyshortcuts={isHeard ? key.replace('Mod', 'Control') : undefined}
      title={`${label} (${keyLabel(key)})`}
      onClick={() => void commands.run(command)}
    >
      <Icon name={icon} />
    </button>
  );
}

function Instances({ snapshot }: Readonly<{ snapshot: Snapshot }>) {
  const { side } = shellTexts();
  const running = snapshot.instances.filter((instance) => instance.status === 'connected');
  const first = running[0];
  const shown = first ? running : snapshot.instances;
  const projects = new Set(shown.flatMap((instance) => instance.directories.map(folderName)));
  return (
    <div className="instance">
      <span title={[...projects].join(', ')}>{projects.size > 0 ? [...projects].join(', ') : side.noProject}</span>
      <span className="cap">{first ? side.running(running.length, first.opencode) : side.notRunning}</span>
    </div>
  );
}
