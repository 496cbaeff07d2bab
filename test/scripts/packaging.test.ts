import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { commandLineFlags } from '../../src/main/command-line';

const root = join(import.meta.dirname, '..', '..');
const text = (path: string): string => readFileSync(join(root, path), 'utf8');
const packaging = parse(text('electron-builder.yml')) as Record<string, unknown>;

describe('given how the desktop app is packaged', () => {
  it('when its fuses are read, then nothing can run it as Node, inspect it, or swap what it loads', () => {
    expect(packaging.electronFuses).toEqual({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
      enableCookieEncryption: true,
      resetAdHocDarwinSignature: true,
    });
  });

  it('when its names are read, then they are those the running app says', () => {
    expect(text('src/main/desktop.ts')).toContain(`'${packaging.appId as string}'`);
    expect(packaging.protocols).toEqual([{ name: 'Understudy', schemes: ['understudy'] }]);
    expect(text('src/main/links.ts')).toContain("LINK_SCHEME = 'understudy'");
  });

  it('when its systems are read, then each has the kinds that are promised, for 64 bits alone, and macOS 13 at least', () => {
    const targets = ['linux', 'mac', 'win'].map((system) =>
      (packaging[system] as { target: { target: string; arch: string[] }[] }).target.map(({ target }) => target),
    );
    expect(targets).toEqual([['AppImage', 'deb'], ['dmg', 'zip'], ['nsis']]);
    expect(text('electron-builder.yml')).not.toMatch(/ia32|armv7/);
    expect(packaging.mac).toMatchObject({ minimumSystemVersion: '13.0', hardenedRuntime: true });
  });

  it('when the files of the companion are read, then its parts are among them', () => {
    const [companion] = packaging.extraResources as { from: string; filter: string[] }[];
    expect([companion?.from, companion?.filter]).toEqual(['out/plugin', expect.arrayContaining(['understudy-*/*.js'])]);
  });

  it('when its pictures are named, then they are there', () => {
    const icons = ['linux', 'mac', 'win'].map((system) => (packaging[system] as { icon: string }).icon);
    expect(icons.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('when what people start is read, then "understudy" is the command line, and the app has another name', () => {
    const { executableName, extraResources } = packaging.linux as Record<string, unknown>;
    expect([executableName, extraResources]).toEqual([
      'understudy-desktop',
      [{ from: 'resources/bin/understudy', to: 'bin/understudy' }],
    ]);
    expect(packaging.extraMetadata).toMatchObject({ desktopName: 'understudy-desktop.desktop' });
    expect(packaging.deb).toMatchObject({ fpm: ['resources/bin/understudy=/usr/bin/understudy'] });
    for (const file of ['understudy', 'understudy.cmd'])
      expect(text(`resources/bin/${file}`)).toContain(`${commandLineFlags([]).join(' ')} `);
    expect(text('resources/bin/understudy')).toContain(`/opt/${packaging.productName as string}/understudy-desktop`);
  });

  it('when the AppImage is made, then by what leaves Chromium its sandbox', () => {
    expect(packaging.toolsets).toEqual({ appimage: '1.0.3' });
    expect(text('electron-builder.yml')).not.toContain('--no-sandbox');
  });

  it('when a release is made, then nothing is uploaded by the packager', () => {
    expect(packaging.publish).toBeNull();
  });
});
