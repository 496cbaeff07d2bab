import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import {
  app,
  autoUpdater,
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
import { runToExit } from '../node/base/output';
import { shippedBeside, shippedInApp } from '../node/base/shipped';
import { stateHome } from '../node/base/state-home';
import { openCore } from '../node/open-core';
import { createAutostart } from './autostart';
import { commandLineFlags, commandLineIn } from './command-line';
import { startDesktop } from './desktop';
import { hasTrayHost } from './tray-host';
import { followUpdates, readJson } from './updates';

const runtime = `electron ${process.versions.electron}`;
const here = import.meta.dirname;
const args = process.argv.slice(app.isPackaged ? 1 : 2);
const shipped = app.isPackaged
  ? shippedInApp(join(here, '..'), process.resourcesPath, commandLineFlags(args))
  : shippedBeside(here);
const commandLine = commandLineIn(args);

if (commandLine === null) startApp();
else {
  // Electron waits for this before it opens a display or takes the lock.
  const { runCommandLineHere } = await import('../cli/here');
  await runToExit(
    () => runCommandLineHere(commandLine, shipped, runtime),
    (code) => app.exit(code),
  );
}

function startApp(): void {
  const { platform, arch } = process;
  const facts = { platform, arch, isPackaged: app.isPackaged, releases: __UNDERSTUDY_RELEASES__ };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
  void startDesktop({
    electron: {
      app,
      autoUpdater,
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
    userData: join(stateHome(process.env), 'desktop'),
    args,
    autostart: createAutostart({
      app,
      platform: process.platform,
      env: process.env,
      home: homedir(),
      program: process.execPath,
    }),
    platform: process.platform,
    builtRoot: shipped.builtRoot,
    followUpdates: (wish) =>
      followUpdates({ ...wish, autoUpdater, facts, version: __UNDERSTUDY_VERSION__, read: readJson }),
    openCore: () => openCore({ ...shipped, version: __UNDERSTUDY_VERSION__, runtime, env: process.env }),
    hasTrayHost: () => hasTrayHost(process.platform),
  });
}
