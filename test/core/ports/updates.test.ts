import { describe, expect, it } from 'vitest';
import { offerOf, type UpdateFacts, updateWay } from '../../../src/core/ports/updates';

const RELEASES = 'https://example.org/u/releases';
const MAC: UpdateFacts = { platform: 'darwin', arch: 'arm64', isPackaged: true, releases: RELEASES };
const offer = (version: string, url = `${RELEASES}/download/v${version}/x.zip`) => ({ version, url });

describe('given where an app runs', () => {
  it('when it is a package of macOS, then it updates itself by the file for its processor; on Windows it only says so', () => {
    expect([updateWay(MAC), updateWay({ ...MAC, platform: 'win32', arch: 'x64' })]).toEqual([
      { way: 'itself', ask: `${RELEASES}/latest/download/update-darwin-arm64.json` },
      { way: 'page', ask: `${RELEASES}/latest/download/update-win32-x64.json` },
    ]);
  });

  it.each<[string, Partial<UpdateFacts>]>([
    ['Linux', { platform: 'linux' }],
    ['its sources', { isPackaged: false }],
    ['a build without releases', { releases: '' }],
    ['a build whose releases are not encrypted', { releases: 'http://example.org/u/releases' }],
    ['another system', { platform: 'freebsd' }],
  ])('when it is %s, then there is no way, with the reason', (_what, change) => {
    expect(updateWay({ ...MAC, ...change })).toEqual({ way: 'none', why: expect.stringMatching(/\w{2}/) });
  });
});

describe('given an app of version 0.9.0', () => {
  const read = (answer: unknown) => offerOf(answer, '0.9.0', RELEASES);

  it.each([['0.9.1'], ['0.10.0'], ['1.0.0']])('when %s is offered, then it is taken', (version) => {
    expect(read({ ...offer(version), more: 'of a newer kind' })).toEqual(offer(version));
  });

  it.each([
    ['the same', offer('0.9.0')],
    ['an older one', offer('0.8.9')],
    ['one that is only being tried', offer('1.0.0-beta.1')],
    ['one that lies elsewhere', offer('1.0.0', 'https://example.org/other/x.zip')],
    ['one beside the page of releases', offer('1.0.0', `${RELEASES}.evil.example/x.zip`)],
    ['one without an address', { version: '1.0.0' }],
    ['a page of HTML', '<html>'],
    ['nothing', null],
  ])('when %s is offered, then nothing is taken', (_what, answer) => {
    expect(read(answer)).toBeNull();
  });
});
