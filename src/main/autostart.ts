import { dirname, join } from 'node:path';
import { writeFileAtomic } from '../node/base/atomic-file';
import { mkdir, rm } from '../node/base/disk';
import { failureCode, failureText, type Outcome } from '../node/base/failure';
import { readText } from '../node/base/read-text';
import type { Electron } from './electron';

/** Users also change it in the system. */
export type Autostart = Readonly<{ isOn(): Promise<boolean>; turn(isOn: boolean): Promise<Outcome> }>;

export type AutostartParts = Readonly<{
  app: Pick<Electron['app'], 'getLoginItemSettings' | 'setLoginItemSettings' | 'getAppPath' | 'isPackaged'>;
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  home: string;
  program: string;
}>;

export const HIDDEN_FLAG = '--hidden';
const FILE_MODE = 0o644;
const ENTRY_BYTES = 65_536;

export function createAutostart(parts: AutostartParts): Autostart {
  return parts.platform === 'linux' ? desktopEntry(parts) : loginItem(parts);
}

function loginItem({ app }: AutostartParts): Autostart {
  const args = [HIDDEN_FLAG];
  const isOn = async (): Promise<boolean> => app.getLoginItemSettings({ args }).openAtLogin;
  return {
    isOn,
    async turn(wanted) {
      app.setLoginItemSettings({ openAtLogin: wanted, args });
      // The system may silently ignore an unsigned app.
      const reason = 'the system rejected it; change it in the system’s settings';
      return (await isOn()) === wanted ? { ok: true } : { ok: false, reason };
    },
  };
}

function desktopEntry(parts: AutostartParts): Autostart {
  const configured = parts.env.XDG_CONFIG_HOME;
  const folder = configured?.startsWith('/') ? configured : join(parts.home, '.config');
  const path = join(folder, 'autostart', 'understudy.desktop');
  return {
    async isOn() {
      const read = await readText(path, ENTRY_BYTES);
      const text = read.kind === 'text' ? read.text : '';
      // Desktops add such a line to disable an entry.
      return text !== '' && !/^(?:Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/m.test(text);
    },
    async turn(wanted) {
      try {
        if (!wanted) {
          await rm(path, { force: true });
          return { ok: true };
        }
        await mkdir(dirname(path), { recursive: true });
        return await writeFileAtomic(path, Buffer.from(entryOf(parts)), FILE_MODE);
      } catch (error) {
        return { ok: false, reason: `${path}: ${failureCode(error) ?? failureText(error)}` };
      }
    },
  };
}

function entryOf({ app, env, program }: AutostartParts): string {
  // An AppImage's mount is gone at the next login.
  const command = env.APPIMAGE ? [env.APPIMAGE] : app.isPackaged ? [program] : [program, app.getAppPath()];
  return `[Desktop Entry]
Type=Application
Name=Understudy
Comment=Watches the models of OpenCode
Exec=${[...command, HIDDEN_FLAG].map(quoted).join(' ')}
X-GNOME-Autostart-enabled=true
`;
}

/** Quoted for the launcher, then for the file, where `%` begins a field. */
function quoted(argument: string): string {
  if (/^[\w@./+:,-]+$/.test(argument)) return argument;
  return `"${argument.replaceAll(/["`$\\]/g, String.raw`\$&`)}"`.replaceAll('\\', '\\\\').replaceAll('%', '%%');
}
