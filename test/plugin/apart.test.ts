import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { keyIn } from '../../src/engine';
import { openAccountBooks } from '../../src/node/data/account-books';
import { openCompanion } from '../../src/plugin/runtime/companion';
import type { Companion } from '../../src/plugin/runtime/host';
import { tempFolder } from '../node/temp-folder';
import { patiently } from '../support/eventually';

const QUIET = { warn: () => undefined, notify: async () => undefined, version: async () => '1.18.33' };
const AGENTS = { agents: { '*': { fallbackModels: ['acme/b'] } } };

/** Companions of projects on one machine, by what the projects hold. */
async function openProjects(...projects: readonly Readonly<Record<string, unknown>>[]) {
  const root = await tempFolder();
  for (const name of ['UNDERSTUDY_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME']) vi.stubEnv(name, join(root, name));
  vi.stubEnv('OPENCODE_CONFIG_DIR', '');
  const opened: { directory: string; companion: Companion; keyOf: (model: string) => string }[] = [];
  for (const [at, files] of projects.entries()) {
    const directory = join(root, `project${at}`);
    await mkdir(join(directory, '.opencode', 'providers'), { recursive: true });
    for (const [name, content] of Object.entries({ '.opencode/model-fallback.json': AGENTS, ...files }))
      await writeFile(join(directory, name), JSON.stringify(content));
    const companion = await openCompanion({ directory, ...QUIET });
    companion.configure({ leads: {}, defaultModel: 'acme/a' });
    opened.push({ directory, companion, keyOf: (model: string) => keyIn(companion.brain.state(), directory, model) });
  }
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await Promise.all(opened.map(({ companion }) => companion.close()));
  });
  return opened;
}

const APART = /^acme@[\da-f]{12}\/a$/;
const MAP = { version: 1, provider: 'acme', codes: { tea_break: 'quota' } };

describe('given projects of one user', () => {
  it.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ['names a failure', { '.opencode/model-fallback.json': { ...AGENTS, patterns: ['moon'] } }],
    ['has a map of a provider', { '.opencode/providers/acme.json': MAP }],
    [
      'defines the provider',
      { 'opencode.json': { provider: { acme: { options: { baseURL: 'http://127.0.0.1:9' } } } } },
    ],
  ])('when one %s, then what it finds out stays with it', async (_, files) => {
    const [one, other] = await openProjects(files, {});
    expect([one?.keyOf('acme/a'), other?.keyOf('acme/a')]).toEqual([expect.stringMatching(APART), 'acme/a']);
  });

  it('when the file that defines providers cannot be read, then nothing it finds out is believed elsewhere', async () => {
    const [one] = await openProjects({ 'opencode.json': { pad: 'x'.repeat(200_000) } });
    expect(one?.keyOf('acme/a')).toMatch(APART);
  });

  it('when another OpenCode has asked for one by another key, then its next decision goes by the book of that account', async () => {
    const [one, other] = await openProjects({}, {});
    const books = await openAccountBooks(process.env.UNDERSTUDY_HOME ?? '', QUIET.warn);
    books.noteAsked(one?.directory ?? '', 'acme', { account: 'sk-one', apart: null });
    books.noteAsked(other?.directory ?? '', 'acme', { account: 'sk-two', apart: null });
    await patiently(async () => {
      // Whoever looks first takes it in for both.
      await one?.companion.refresh();
      expect(other?.keyOf('acme/a')).toMatch(APART);
    });
    expect(one?.keyOf('acme/a')).toBe('acme/a');
  });

  it('when one asks by another key, then its request is written into the book of that account', async () => {
    const [one, other, third] = await openProjects({}, {}, {});
    const asks = (project: typeof one, key: string) =>
      project?.companion.noteAsked('acme/a', {
        url: 'https://api.acme.example/v1',
        header: (name) => (name === 'authorization' ? `Bearer ${key}` : null),
      });
    asks(one, 'sk-one');
    asks(other, 'sk-one');
    asks(third, 'sk-two');
    expect([one, other, third].map((project) => project?.keyOf('acme/a'))).toEqual([
      'acme/a',
      'acme/a',
      expect.stringMatching(APART),
    ]);
  });
});
