import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TRAY_LEVELS, type TrayLevel } from '../../src/main/tray-headroom';
import { trayImage } from '../../src/main/tray-image';
import { TRAY_ICONS, type TrayIcon } from '../../src/main/tray-view';
import { electronDouble } from '../support/electron-double';

const ASSETS = join(import.meta.dirname, '../../resources/tray');

const bars = [
  { platform: 'darwin', isDark: false, asset: 'mac/healthyTemplate.png' },
  { platform: 'darwin', isDark: true, asset: 'mac/healthyTemplate.png' },
  { platform: 'win32', isDark: false, asset: 'windows/light/healthy.ico' },
  { platform: 'win32', isDark: true, asset: 'windows/dark/healthy.ico' },
  { platform: 'linux', isDark: false, asset: 'linux/healthy.png' },
  { platform: 'linux', isDark: true, asset: 'linux/healthy.png' },
] as const;

describe('given the icon of the bar', () => {
  it.each(bars)(
    'when it is asked for on $platform with dark $isDark, then it is $asset, and every state and level has its own',
    ({ platform, isDark, asset }) => {
      const { electron } = electronDouble();
      Object.assign(electron.nativeTheme, { shouldUseDarkColorsForSystemIntegratedUI: isDark });
      const pathOf = (shape: TrayIcon, level: TrayLevel | null): string =>
        (trayImage(electron, platform, ASSETS, shape, level) as unknown as { path: string }).path;
      expect(pathOf('healthy', null)).toBe(join(ASSETS, asset));
      expect(pathOf('healthy', 'near')).toBe(join(ASSETS, asset.replace('healthy', 'healthy-near')));
      const paths = TRAY_ICONS.flatMap((shape) => [null, ...TRAY_LEVELS].map((level) => pathOf(shape, level)));
      expect(paths.filter((path) => !existsSync(path))).toEqual([]);
      expect(new Set(paths).size).toBe(TRAY_ICONS.length * 3);
    },
  );
});
