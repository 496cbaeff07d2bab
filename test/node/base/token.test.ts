import { execFile, spawn } from 'node:child_process';
import { chmod, chown, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { describe, expect, it } from 'vitest';
import { ensureToken, readToken, tokenPath, tokensMatch } from '../../../src/node/base/token';
import { tempFolder } from '../temp-folder';

async function run(entry: string): Promise<string> {
  const child = spawn(process.execPath, [entry]);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  return await new Promise((resolve) => child.on('close', () => resolve(output)));
}

describe('given a state home', () => {
  it('when a token is asked for twice, then it is the same 43 characters, in a 0600 file, and nothing else is left', async () => {
    const home = await tempFolder();
    const first = await ensureToken(home);
    const second = await ensureToken(home);
    expect(first.ok && first.token).toMatch(/^[\w-]{43}$/);
    expect([second, await readToken(home)]).toEqual([first, first]);
    expect((await stat(tokenPath(home))).mode & 0o777).toBe(0o600);
    expect(await readdir(home)).toEqual(['token']);
  });

  it('when 20 ask at once, then all have the same one', async () => {
    const home = await tempFolder();
    const results = await Promise.all(Array.from({ length: 20 }, () => ensureToken(home)));
    expect(new Set(results.map((result) => (result.ok ? result.token : result.reason))).size).toBe(1);
  });

  it('when 4 processes ask at once, then all have the same one', async () => {
    const home = await tempFolder();
    const folder = await tempFolder();
    await build({
      configFile: false,
      logLevel: 'silent',
      build: {
        ssr: 'src/node/base/token.ts',
        outDir: folder,
        emptyOutDir: false,
        rollupOptions: { output: { entryFileNames: 'token.mjs' } },
      },
    });
    const entry = join(folder, 'ask.mjs');
    await writeFile(
      entry,
      `import { ensureToken } from './token.mjs';\nconsole.log((await ensureToken(${JSON.stringify(home)})).token);`,
    );
    const answers = await Promise.all(Array.from({ length: 4 }, () => run(entry)));
    expect(new Set(answers)).toEqual(new Set([await readFile(tokenPath(home), 'utf8')]));
  });

  it('when there is none yet, then reading says so and creates none', async () => {
    const home = await tempFolder();
    expect((await readToken(home)).ok).toBe(false);
    expect(await readdir(home)).toEqual([]);
  });

  it.each([
    ['', 'empty'],
    ['short', 'short'],
    ['x'.repeat(500), 'long'],
  ])('when the file holds %j, then it is put aside and replaced', async (text) => {
    const home = await tempFolder();
    await writeFile(tokenPath(home), text, { mode: 0o600 });
    expect((await readToken(home)).ok).toBe(false);
    const made = await ensureToken(home);
    expect([made.ok, await readToken(home)]).toEqual([true, made]);
    expect((await readdir(home)).filter((name) => name.startsWith('token.corrupt-'))).toHaveLength(1);
  });

  it('when others could read it, then it is not used, and a new one is made', async () => {
    const home = await tempFolder();
    const old = await ensureToken(home);
    await chmod(tokenPath(home), 0o644);
    expect(await readToken(home)).toEqual({ ok: false, reason: `${tokenPath(home)} can be read by other users` });
    const made = await ensureToken(home);
    expect(made.ok && old.ok && made.token !== old.token).toBe(true);
  });

  it('when it is a link, then it is not followed', async () => {
    const home = await tempFolder();
    await writeFile(join(home, 'other'), 'A'.repeat(43), { mode: 0o600 });
    await symlink(join(home, 'other'), tokenPath(home));
    expect((await readToken(home)).ok).toBe(false);
  });

  it.skipIf(process.platform === 'win32')(
    'when it is a pipe that nobody writes into, then nobody waits for it, and a new one is made',
    async () => {
      const home = await tempFolder();
      await promisify(execFile)('mkfifo', [tokenPath(home)]);
      expect(await readToken(home)).toEqual({ ok: false, reason: `${tokenPath(home)} is not a file` });
      expect(await ensureToken(home)).toMatchObject({ ok: true });
    },
  );

  it.runIf(process.getuid?.() === 0)(
    'when it belongs to another user, then it is moved aside, and a new one is made',
    async () => {
      const home = await tempFolder();
      await ensureToken(home);
      await chown(tokenPath(home), 65_534, 65_534);
      expect([await ensureToken(home), (await readdir(home)).length]).toMatchObject([{ ok: true }, 2]);
    },
  );

  it('when the folder is missing, then that is a value', async () => {
    expect((await ensureToken(join(await tempFolder(), 'gone'))).ok).toBe(false);
  });
});

describe('given two secrets', () => {
  it.each([
    ['abc', 'abc', true],
    ['abc', 'abd', false],
    ['abc', 'abcd', false],
    ['', '', true],
    ['é', 'e', false],
  ])('when %j meets %j, then equal is %s', (one, other, isEqual) => {
    expect(tokensMatch(one, other)).toBe(isEqual);
  });
});
