/** The parts of Electron this shell uses; tests pass doubles. */
export type Electron = Pick<
  typeof import('electron'),
  | 'app'
  | 'autoUpdater'
  | 'BrowserWindow'
  | 'ipcMain'
  | 'Menu'
  | 'nativeImage'
  | 'nativeTheme'
  | 'powerMonitor'
  | 'protocol'
  | 'session'
  | 'shell'
  | 'Tray'
>;
