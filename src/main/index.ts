import { join } from 'node:path';
import process from 'node:process';
import { app, BrowserWindow, ipcMain, Menu, nativeImage, nativeTheme, protocol, session, Tray } from 'electron';
import { openCore } from '../node/open-core';
import { startDesktop } from './desktop';
import { hasTrayHost } from './tray-host';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());

void startDesktop({
  electron: { app, BrowserWindow, ipcMain, Menu, nativeImage, nativeTheme, protocol, session, Tray },
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
