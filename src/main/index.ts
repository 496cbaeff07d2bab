import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  Notification,
  nativeImage,
  nativeTheme,
  powerMonitor,
  protocol,
  screen,
  session,
  shell,
  Tray,
} from 'electron';
import { openCore } from '../node/open-core';
import { stateHome } from '../node/state-home';
import { createAutostart } from './autostart';
import { startDesktop } from './desktop';
import { hasTrayHost } from './tray-host';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());

void startDesktop({
  electron: {
    ...{
      app,
      BrowserWindow,
      dialog,
      ipcMain,
      Menu,
      nativeImage,
      nativeTheme,
      Notification,
      powerMonitor,
      protocol,
      screen,
      session,
      shell,
      Tray,
    },
  },
  userData: join(stateHome(process.env), 'desktop'),
  args: process.argv.slice(1),
  autostart: createAutostart({
    ...{ app, platform: process.platform, env: process.env, home: homedir(), program: process.execPath },
  }),
  platform: process.platform,
  builtRoot: join(import.meta.dirname, '..'),
  openCore: () =>
    openCore({
      version: __UNDERSTUDY_VERSION__,
      runtime: `electron ${process.versions.electron}`,
      env: process.env,
    }),
  hasTrayHost: () => hasTrayHost(process.platform),
});
