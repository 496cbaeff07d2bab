import { describe, expect, it } from 'vitest';
import { guardTool, isRefusal } from '../../../src/features/council/plugin/guard';

/** What the guard says of a call; undefined where it lets it through. */
function saidOf(
  repo: string | null,
  tool: string,
  args: Record<string, unknown>,
  generation: 1 | 2 = 1,
): string | undefined {
  try {
    guardTool(repo, tool, args, generation);
    return undefined;
  } catch (error) {
    return String(error instanceof Error ? error.message : error);
  }
}

describe('given what a tool says that has come to nothing', () => {
  it.each([
    ['there is nothing to read', null, 'read', { filePath: 'a' }],
    ['the tool is none of theirs', '/repo', 'bash', { command: 'id' }],
    ['the place lies elsewhere', '/repo', 'grep', { path: '/etc' }],
    ['the file holds secrets', '/repo', 'read', { filePath: '.env' }],
  ])('when the guard says so because %s, then it is a refusal', (_, repo, tool, args) => {
    const said = saidOf(repo, tool, args);
    expect(said).toEqual(expect.any(String));
    expect(isRefusal(said)).toBe(true);
    // Hosts put words of their own around it.
    expect(isRefusal(`Error: ${said}`)).toBe(true);
  });

  it('when the guard has let it through, then it has failed by itself', () => {
    expect(saidOf('/repo', 'read', { filePath: 'a' })).toBeUndefined();
    expect(isRefusal(undefined)).toBe(false);
    expect(isRefusal('File not found: /repo/a')).toBe(false);
  });

  it.each([
    "Model tried to call unavailable tool 'bash'.",
    'The user has specified a rule which prevents you from using this specific tool call.',
  ])('when OpenCode says "%s", then it is a refusal', (said) => {
    expect(isRefusal(said)).toBe(true);
  });
});

describe('given a hero whose tools mean harm', () => {
  const CALLS: readonly (readonly [string, Record<string, unknown>])[] = [
    ...[
      'bash',
      'write',
      'edit',
      'patch',
      'task',
      'webfetch',
      'websearch',
      'codesearch',
      'todowrite',
      'skill',
      'question',
    ],
    ...['list', 'lsp', 'mcp_files_read', 'READ', 'read ', 'constructor', '__proto__', 'toString', 'hasOwnProperty', ''],
  ].map((tool) => [tool, { filePath: 'a', path: 'a', command: 'id' }] as const);
  const PLACES = [
    ...[
      '..',
      '../',
      '../x',
      'a/../../x',
      './../x',
      '/',
      '/etc/passwd',
      '/repository',
      '/repo/../etc/passwd',
      '/repo-2/a',
    ],
    ...['../repo-2', 'a/b/../../../x', '..//x', '/../etc', '../repo/../x', '//etc/passwd', '/proc/self/environ'],
  ];
  const SECRETS = ['.env', 'a/.ENV', 'a/../.env', './.env.local', '/repo/id_rsa', 'x/.aws/config', '.env~', 'b//.env'];

  it.each([1, 2] as const)('when a call of OpenCode %i leaves what it may read, then it is refused', (generation) => {
    const key = generation === 1 ? 'filePath' : 'path';
    const called = [
      ...CALLS,
      ...PLACES.flatMap((place) => [
        ['read', { [key]: place }] as const,
        ['glob', { path: place }] as const,
        ['grep', { path: place }] as const,
      ]),
      ...SECRETS.map((place) => ['read', { [key]: place }] as const),
    ];
    expect(called).toHaveLength(80);
    expect(called.filter(([tool, args]) => saidOf('/repo', tool, args, generation) === undefined)).toEqual([]);
  });

  it.each([
    ['a name in another argument', { filePath: 'a', path: '/etc/passwd' }, '/repo/a'],
    ['no text', { filePath: { name: '/etc/passwd' } }, '/repo'],
    ['a list', { filePath: ['/etc/passwd'] }, '/repo'],
    ['a home', { filePath: '~/x' }, '/repo/~/x'],
    ['an address', { filePath: 'file:///x' }, '/repo/file:/x'],
    ['dots in a name', { filePath: '..a/...' }, '/repo/..a/...'],
  ])('when its place is %s, then only the repository is read', (_, args, place) => {
    expect([saidOf('/repo', 'read', args), args.filePath]).toEqual([undefined, place]);
  });
});
