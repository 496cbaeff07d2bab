import { join } from 'node:path';
import type { NativeImage } from 'electron';
import type { Electron } from './electron';
import type { TrayIcon } from './tray-view';

/** macOS colours a template itself; elsewhere the icon must differ from the bar, which is dark on most desktops. */
export function trayImage(
  electron: Pick<Electron, 'nativeImage' | 'nativeTheme'>,
  platform: NodeJS.Platform,
  assets: string,
  shape: TrayIcon,
): NativeImage {
  const isLightBar = platform === 'win32' && !electron.nativeTheme.shouldUseDarkColorsForSystemIntegratedUI;
  const tone = platform === 'darwin' || isLightBar ? 'black' : 'white';
  const path = (size: number): string => join(assets, tone, `${shape}-${size}.png`);
  // Linux takes one picture and scales it down.
  if (platform === 'linux') return electron.nativeImage.createFromPath(path(48));
  const image = electron.nativeImage.createFromPath(path(16));
  image.addRepresentation({
    scaleFactor: 2,
    buffer: electron.nativeImage.createFromPath(path(32)).toPNG(),
  });
  if (platform === 'darwin') image.setTemplateImage(true);
  return image;
}
