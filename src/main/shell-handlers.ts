import type { Handlers, QueryOutput } from '../contract/contract';
import { hrefOf, LINKS } from '../contract/shell';
import type { browserShell } from '../core/ports/shell';
import { failureText } from '../node/base/failure';
import type { Autostart } from './autostart';
import type { Electron } from './electron';
import type { Speech } from './language';
import type { DesktopNotices } from './notices';

type Tray = QueryOutput<'shell.get'>['tray'];
type ShellParts = Readonly<{
  electron: Pick<Electron, 'nativeTheme' | 'shell'>;
  autostart: Autostart;
  speech: Speech;
  notices: Pick<DesktopNotices, 'test' | 'latest'>;
  tray(): Tray;
  /** @param hash as in `#/models`; null opens nothing. */
  leaveGlance(hash: string | null): void;
}>;

export function desktopShell({
  electron,
  autostart,
  speech,
  notices,
  tray,
  leaveGlance,
}: ShellParts): Pick<Handlers, keyof ReturnType<typeof browserShell>> {
  return {
    'shell.get': async () => {
      const here = { kind: 'desktop', tray: tray(), notices: await notices.latest() } as const;
      try {
        return { ...here, startsAtLogin: await autostart.isOn(), why: null };
      } catch (error) {
        return { ...here, startsAtLogin: null, why: failureText(error) };
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
    'shell.leaveGlance': ({ view, detail }) => {
      leaveGlance(view && hrefOf(view, detail || undefined));
      return { ok: true };
    },
    'shell.language': async ({ language }) => {
      await speech.choose(language);
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
