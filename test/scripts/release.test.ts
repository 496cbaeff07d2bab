import { describe, expect, it } from 'vitest';
import { supportOf } from '../../scripts/electron-support.mjs';
import { notesOf, tagProblem, updateFiles } from '../../scripts/release.mjs';

const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n- soon\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- more\n\n## 0.1.0\n\n- first\n';
const RELEASES = 'https://example.org/u/releases';

describe('given a tag', () => {
  it.each([
    ['v0.2.0', '0.2.0', null],
    ['v0.2.1', '0.2.0', 'The tag is v0.2.1, and package.json says 0.2.0.'],
    ['v0.2.0-beta.1', '0.2.0-beta.1', '0.2.0-beta.1 is no version that can be released.'],
  ])('when it is %s and the version %s, then the problem is %j', (tag, version, problem) => {
    expect(tagProblem(tag, version)).toBe(problem);
  });

  it('when the changelog has its section, then that is what people read; without one nothing is released', () => {
    expect([notesOf(CHANGELOG, '0.2.0'), notesOf(CHANGELOG, '0.1.0')]).toEqual(['### Added\n\n- more', '- first']);
    expect(() => notesOf(CHANGELOG, '0.3.0')).toThrow('CHANGELOG.md says nothing of 0.3.0');
  });
});

describe('given packages for all systems', () => {
  it('when apps ask, then macOS is told what to read for its processor, Windows where to send people, Linux nothing', () => {
    const names = [
      ...['Understudy-0.2.0-mac-arm64.zip', 'Understudy-0.2.0-mac-arm64.dmg', 'Understudy-0.2.0-mac-x64.zip'],
      ...['Understudy-0.2.0-win.exe', 'Understudy-0.2.0-linux-x86_64.AppImage', 'Understudy-0.2.0-linux-amd64.deb'],
    ];
    expect(updateFiles(names, '0.2.0', RELEASES)).toEqual({
      'update-darwin-arm64.json': {
        version: '0.2.0',
        url: `${RELEASES}/download/v0.2.0/Understudy-0.2.0-mac-arm64.zip`,
      },
      'update-darwin-x64.json': { version: '0.2.0', url: `${RELEASES}/download/v0.2.0/Understudy-0.2.0-mac-x64.zip` },
      'update-win32-x64.json': { version: '0.2.0', url: `${RELEASES}/tag/v0.2.0` },
      'update-win32-arm64.json': { version: '0.2.0', url: `${RELEASES}/tag/v0.2.0` },
    });
  });
});

describe('given the Electron that the app is made with', () => {
  it.each([
    ['45.4.1', '45.4.1', true],
    ['45.4.1', '47.0.0', true],
    ['45.4.1', '48.0.0', false],
    // One that is newer than the newest stable is being tried.
    ['46.0.0', '45.4.1', true],
  ])('when it is %s and the newest is %s, then supported is %s', (present, latest, isSupported) => {
    expect(supportOf(present, latest)).toMatchObject({ isSupported, words: expect.stringContaining(latest) });
  });

  it.each([['latest'], ['46.0.0-beta.1'], ['']])(
    'when the newest is said to be %j, then that is an error',
    (latest) => {
      expect(() => supportOf('45.4.1', latest)).toThrow(RangeError);
    },
  );
});
