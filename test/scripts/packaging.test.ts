import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

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
    });
  });

  it('when its names are read, then they are those the running app says', () => {
    expect(text('src/main/desktop.ts')).toContain(`'${packaging.appId as string}'`);
    expect(packaging.protocols).toEqual([{ name: 'Understudy', schemes: ['understudy'] }]);
    expect(text('src/main/links.ts')).toContain("LINK_SCHEME = 'understudy'");
  });

  it('when its files are read, then the companion lies beside the archive, and nothing of ours for tests is in it', () => {
    expect([packaging.asar, packaging.files, packaging.extraResources]).toEqual([
      true,
      expect.not.arrayContaining([expect.stringMatching(/^(?:test|src|\.cache)/)]),
      [{ from: 'out/plugin/opencode-understudy.js', to: 'plugin/opencode-understudy.js' }],
    ]);
  });
});
