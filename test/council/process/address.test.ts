import { describe, expect, it } from 'vitest';
import { readAddress } from '../../../src/features/council/rules/process/address';
import { isAddress, readCouncilWords } from '../../../src/features/council/rules/process/route';

describe('an address', () => {
  it.each([
    ['https://example.test/team/shop.git', 'https://example.test/team/shop.git', 'shop'],
    ['HTTPS://Example.test:8443/shop/', 'https://example.test:8443/shop/', 'shop'],
    ['https://[::1]:8443/shop', 'https://[::1]:8443/shop', 'shop'],
    ['ssh://git@example.test:2222/~team/shop.git', 'ssh://git@example.test:2222/~team/shop.git', 'shop'],
    ['ssh://example.test/shop', 'ssh://example.test/shop', 'shop'],
    ['git@example.test:team/shop.git', 'git@example.test:team/shop.git', 'shop'],
    ['git@example.test:shop.git', 'git@example.test:shop.git', 'shop'],
    ['https://example.test/.git', 'https://example.test/.git', '.git'],
  ])('is read: %s', (text, url, name) => {
    expect(isAddress(text)).toBe(true);
    expect(readAddress(text)).toEqual({ address: { url, name, login: null } });
  });

  it.each([
    ['https://me:p%40ss@example.test:8443/shop.git', 'https://example.test:8443', 'me', 'p@ss'],
    ['https://me@example.test/shop.git', 'https://example.test', 'me', null],
    ['https://:secret@example.test/shop.git', 'https://example.test', '', 'secret'],
  ])('gives its login apart: %s', (text, origin, user, password) => {
    expect(readAddress(text)).toEqual({
      address: { url: `${origin}/shop.git`, name: 'shop', login: { origin, user, password } },
    });
  });

  it.each([
    ['http://example.test/shop.git', 'only by https or ssh'],
    ['git://example.test/shop.git', 'only by https or ssh'],
    ['file:///srv/shop.git', 'only by https or ssh'],
    ['ftp://example.test/shop.git', 'only by https or ssh'],
    ['git+ssh://example.test/shop.git', 'only by https or ssh'],
    ['ext::sh', 'only by https or ssh'],
    ['ext::https://example.test/shop.git', 'only by https or ssh'],
    ['ext::sh -c touch% x', 'not an address'],
    ['ssh://-oProxyCommand=touch/y', 'not an address'],
    ['ssh://%2doProxyCommand=touch/y', 'not an address'],
    ['ssh://-oProxyCommand=touch@example.test/y', 'not an address'],
    ['ssh://example.test:-oProxyCommand=touch/y', 'only by https or ssh'],
    ['git@-oProxyCommand=touch:x', 'not an address'],
    ['git@-oProxyCommand:x', 'not an address'],
    ['git@example.test:-x', 'not an address'],
    ['ssh://git:secret@example.test/shop', 'ignores a password'],
    ['https://example.test/shop?token=1', 'Omit ? and #'],
    ['https://example.test/shop#readme', 'Omit ? and #'],
    ['https://example.test/', 'names no repository'],
    ['https://example.test/a%0aurl=https://other.test', 'not an address'],
    ['https://me:a%0ahost=other.test@example.test/shop', 'not an address'],
    ['https://me:%zz@example.test/shop', 'not an address'],
    ['https://example.test/\u202eshop', 'not an address'],
    [`https://example.test/${'a'.repeat(2_000)}`, 'not an address'],
  ])('is refused, and not shown: %s', (text, says) => {
    expect(isAddress(text)).toBe(true);
    const read = readAddress(text);
    expect(read).toEqual({ problem: expect.stringContaining(says) });
    expect(JSON.stringify(read)).not.toMatch(/secret|touch/);
  });

  it.each(['.', './src', 'C:\\shop', 'c:/shop', '/srv/shop', '~/shop', 'shop', '--upload-pack=touch x'])(
    'is not what names a path: %s',
    (text) => {
      expect(isAddress(text)).toBe(false);
    },
  );
});

describe('what stands behind /council', () => {
  it.each([
    ['https://example.test/shop.git why?', 'https://example.test/shop.git', 'why?'],
    ['http://example.test/shop.git', 'http://example.test/shop.git', null],
    ['std::vector is slow', null, 'std::vector is slow'],
    ['git: or hg?', null, 'git: or hg?'],
  ])('names a repository only as its first word: %s', (words, repo, problem) => {
    expect(readCouncilWords(words, () => false)).toEqual({ repo, problem });
  });
});
