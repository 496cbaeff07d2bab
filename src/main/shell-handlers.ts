import { type Handlers, LINKS } from '../contract';
import type { browserShell } from '../core/shell';
import { failureText } from '../node/failure';
import type { Autostart } from './autostart';
import type { Electron } from './electron';
import type { DesktopNotices } from './notices';

type ShellParts = Readonly<{
  electron: Pick<Electron, 'nativeTheme' | 'shell'>;
  autostart: Autostart;
  notices: Pick<DesktopNotices, 'test' | 'latest'>;
}>;

/** What the desktop shell does for its window. */
export function desktopShell({
  electron,
  autostart,
  notices,
}: ShellParts): Pick<Handlers, keyof ReturnType<typeof browserShell>> {
  return {
    'shell.get': async () => {
      const known = { kind: 'desktop' as const, notices: await notices.latest() };
      try {
        return { ...known, startsAtLogin: await autostart.isOn(), why: null };
      } catch (error) {
        return { ...known, startsAtLogin: null, why: failureText(error) };
      }
    },
    'shell.startAtLogin': async ({ isOn }) => {
      const turned = await autostart.turn(isOn);
      return turned.ok ? { ok: true } : turned;
    },
    'shell.theme': ({ theme }) => {
      electron.nativeTheme.themeSource = theme ?? 'system';
      return { ok: true };
    },
    'shell.openLink': async ({ link }) => {
      // By name: no address that a page gives is ever opened.
      await electron.shell.openExternal(LINKS[link]);
      return { ok: true };
    },
    'notices.test': notices.test,
  };
}
