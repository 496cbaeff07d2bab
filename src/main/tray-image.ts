import { join } from 'node:path';
import type { NativeImage } from 'electron';
import type { Electron } from './electron';
import type { TrayLevel } from './tray-headroom';
import type { TrayIcon } from './tray-view';

/** Call again when the theme changes, for Windows. */
export function trayImage(
  electron: Pick<Electron, 'nativeImage' | 'nativeTheme'>,
  platform: NodeJS.Platform,
  assets: string,
  shape: TrayIcon,
  level: TrayLevel | null,
): NativeImage {
  const name = level === null ? shape : `${shape}-${level}`;
  return electron.nativeImage.createFromPath(join(assets, ...assetOf(electron, platform, name)));
}

function assetOf({ nativeTheme }: Pick<Electron, 'nativeTheme'>, platform: NodeJS.Platform, name: string): string[] {
  switch (platform) {
    case 'darwin':
      // macOS colours templates and finds the image for dense screens.
      return ['mac', `${name}Template.png`];
    case 'win32':
      return ['windows', nativeTheme.shouldUseDarkColorsForSystemIntegratedUI ? 'dark' : 'light', `${name}.ico`];
    default:
      return ['linux', `${name}.png`];
  }
}
