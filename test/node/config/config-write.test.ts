import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, link, mkdir, open, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { addCompanion, removeCompanion } from '../../../src/core/edits';
import { renameHeld, writeFileAtomic } from '../../../src/node/base/atomic-file';
import { journalFolder, listReceipts } from '../../../src/node/config/config-journal';
import {
  applyWrite,
  editFile,
  planUndo,
  planWrite,
  type WritePlan,
  type WriteRequest,
} from '../../../src/node/config/config-write';
import { isNightly } from '../../support/nightly';
import { chainRequest, contentsOf, userFile, write } from '../config-write-support';
import { tempFolder } from '../temp-folder';
import { killAmongWrites, writerProgram } from '../writer-program';

const BEFORE = '{\n  // mine\n  "agents": { "build": { "fallbackModels": ["a/1"] } },\n}\n';
const AFTER = '{\n  // mine\n  "agents": { "build": { "fallbackModels": ["b/2", "a/1"] } },\n}\n';
const MODELS = ['b/2', 'a/1'];

async function plan(request: WriteRequest): Promise<WritePlan> {
  const planned = await planWrite(request);
  if (!planned.ok) throw new Error(planned.reason);
  return planned.plan;
}

const backups = async (home: string) =>
  (await readdir(journalFolder(home)).catch(() => [])).filter((name) => name.endsWith('.backup'));

describe('given the write protocol', () => {
  it('when the companion is installed, then one array element is the whole difference (1)', async () => {
    const before = '{\n  "plugin": ["other"],\n  "model": "a/1",\n}\n';
    const { path, home } = await userFile(before, 'opencode.json');
    await write(chainRequest(path, [], { edit: (text) => addCompanion(text, 'file:///opencode-understudy.js') }), home);
    const after = await readFile(path, 'utf8');
    expect(after.replace(', "file:///opencode-understudy.js"', '')).toBe(before);
  });

  it('when a file has an error, then line and column are told and nothing is written, not even a backup (2)', async () => {
    const { path, home, folder } = await userFile('{\n  "agents": nope\n}');
    const before = await contentsOf(folder);
    expect(await write(chainRequest(path, MODELS), home)).toBe(`${path}:2:13: this is not JSON. Nothing was changed.`);
    expect([await contentsOf(folder), await contentsOf(home)]).toEqual([before, {}]);
  });

  it('when a file is reached through a link and has a mode of its own, then both stay (3)', async () => {
    const { path, home, folder } = await userFile(BEFORE, 'dotfiles.json');
    await chmod(path, 0o640);
    const named = join(folder, 'model-fallback.json');
    await symlink('dotfiles.json', named);
    expect(await write(chainRequest(named, MODELS), home)).toBeNull();
    expect([await readlink(named), (await stat(path)).mode & 0o777, await readFile(path, 'utf8')]).toEqual([
      'dotfiles.json',
      0o640,
      AFTER,
    ]);
  });

  it('when the file changes after the plan, then the plan is refused and the change stays (4)', async () => {
    const { path, home } = await userFile(BEFORE);
    const planned = await plan(chainRequest(path, MODELS));
    await writeFile(path, '{ "enabled": false }');
    expect(await applyWrite(planned, home)).toMatchObject({ ok: false, code: 'changed' });
    expect([await readFile(path, 'utf8'), await listReceipts(home)]).toEqual(['{ "enabled": false }', []]);
  });

  it('when a file is written 12 times, then each old content was kept under a name of its own, 0600, the last 10 stay (5)', async () => {
    const { path, home } = await userFile(BEFORE);
    const seen = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      expect(await write(chainRequest(path, [`m/${round}`]), home)).toBeNull();
      for (const name of await backups(home)) seen.add(name);
    }
    const kept = await backups(home);
    const modes = await Promise.all(
      kept.map(async (name) => (await stat(join(journalFolder(home), name))).mode & 0o777),
    );
    expect([seen.size, kept.length, new Set(modes)]).toEqual([12, 10, new Set([0o600])]);
  });

  it('when another program holds the file on Windows, then it is tried again; elsewhere it fails at once (6)', async () => {
    let left = 3;
    const held = async () => {
      left -= 1;
      if (left > 0) throw Object.assign(new Error('held'), { code: 'EBUSY' });
    };
    await renameHeld(held, 'win32');
    left = 3;
    await expect(renameHeld(held, 'linux')).rejects.toThrow('held');
  });

  it('when it is written, then a sibling is renamed over it, and nothing is left beside it (6)', async () => {
    const { path, home, folder } = await userFile(BEFORE);
    const { ino } = await stat(path);
    await writeFile(join(folder, '.model-fallback.json.999999999.0123456789ab.tmp'), 'of a writer that was killed');
    await write(chainRequest(path, MODELS), home);
    expect([(await stat(path)).ino === ino, await contentsOf(folder)]).toEqual([
      false,
      { 'model-fallback.json': AFTER },
    ]);
  });

  it('when the disk does not hold what was written, then the file is again as it was and what was found is kept (7)', async () => {
    const { path, home } = await userFile(BEFORE);
    const lying = (place: string, bytes: Uint8Array, mode: number) =>
      writeFileAtomic(place, bytes.subarray(0, 7), mode);
    const written = await applyWrite(await plan(chainRequest(path, MODELS)), home, lying);
    expect(written).toMatchObject({ ok: false, code: 'failed' });
    expect(written.ok ? '' : written.reason).toMatch(
      /the disk stored something else, so the file was restored; its content was saved as /,
    );
    const kept = await Promise.all(
      (await backups(home)).map((name) => readFile(join(journalFolder(home), name), 'utf8')),
    );
    expect([await readFile(path, 'utf8'), kept.sort(), await listReceipts(home)]).toEqual([
      BEFORE,
      [BEFORE, AFTER.slice(0, 7)].sort(),
      [],
    ]);
  });

  it('when the same is asked twice, then the second time nothing is written: no backup, no receipt, the same file (8)', async () => {
    const { path, home } = await userFile(BEFORE);
    await write(chainRequest(path, MODELS), home);
    const first = await stat(path);
    expect(await editFile(chainRequest(path, MODELS), home)).toEqual({ ok: true, receipt: null, diff: '' });
    const second = await stat(path);
    expect([second.ino, second.mtimeMs, (await backups(home)).length]).toEqual([first.ino, first.mtimeMs, 1]);
  });

  it('when the companion is taken out, then its element goes; one a person has changed is refused, unless it is asked for (9)', async () => {
    const url = 'file:///opencode-understudy.js';
    expect(removeCompanion(`{"plugin":["x","${url}"]}`, [url])).toEqual({ ok: true, text: '{"plugin":["x"]}' });
    const edited = `{"plugin":["x",["${url}",{"a":1}]]}`;
    expect(removeCompanion(edited, [url]).ok).toBe(false);
    expect(removeCompanion(edited, [url], true)).toEqual({ ok: true, text: '{"plugin":["x"]}' });
  });

  it('when there is no file, then none is made unless it is asked for; then its folder is made too (10)', async () => {
    const [folder, home] = [await tempFolder(), await tempFolder()];
    const path = join(folder, '.opencode', 'model-fallback.json');
    expect(await write(chainRequest(path, MODELS), home)).toBe(`${path}: there is no such file. Nothing was changed.`);
    expect(await readdir(folder)).toEqual([]);
    expect(await write(chainRequest(path, MODELS, { create: '{}\n' }), home)).toBeNull();
    expect(await readFile(path, 'utf8')).toBe(
      '{\n  "agents": {\n    "build": { "fallbackModels": ["b/2", "a/1"] }\n  }\n}\n',
    );
  });

  it('when it is written, then the journal says what, by whom, and the hashes before and after (11)', async () => {
    const { path, home } = await userFile(BEFORE);
    const written = await editFile(chainRequest(path, MODELS), home);
    const [receipt] = await listReceipts(home);
    expect(written).toMatchObject({ ok: true, receipt });
    expect(receipt).toMatchObject({
      path,
      target: path,
      actor: 'test',
      deed: 'chains set build b/2 a/1',
      backup: (await backups(home))[0],
    });
    expect(receipt?.before).toMatch(/^[0-9a-f]{64}$/);
    expect(receipt?.after).not.toBe(receipt?.before);
  });
});

describe('given a file that must not be replaced', () => {
  it.each([
    ['is read-only', (path: string) => chmod(path, 0o444), 'it is read-only'],
    [
      'has a second name',
      (path: string) => link(path, `${path}.twin`),
      'it has a second name (a hard link), which would keep the old content',
    ],
    ['is a folder', (path: string) => rm(path).then(() => mkdir(path)), 'it is not a file'],
    [
      'is a link that leads nowhere',
      (path: string) => rm(path).then(() => symlink('gone', path)),
      'it is a link that leads nowhere',
    ],
  ])('when it %s, then it is refused and stays', async (_, prepare, why) => {
    const { path, home } = await userFile(BEFORE);
    await prepare(path);
    expect(await write(chainRequest(path, MODELS, { create: '{}' }), home)).toBe(
      `${path}: ${why}. Nothing was changed.`,
    );
    expect(await contentsOf(home)).toEqual({});
  });
});

describe('given a disk that refuses one step of a write, as network drives do', () => {
  /** Fails the call of a method of any open file that has this number. */
  async function refuse(
    method: 'writeFile' | 'sync' | 'appendFile',
    number: number,
  ): Promise<{ calls(): number; end(): void }> {
    const file = await open(import.meta.filename);
    const anyFile = Object.getPrototypeOf(file) as typeof file;
    await file.close();
    const original = anyFile[method] as (data: unknown) => Promise<void>;
    let calls = 0;
    const spy = vi.spyOn(anyFile, method).mockImplementation(async function (this: typeof file, data?: unknown) {
      if (calls++ === number) throw Object.assign(new Error('ESTALE: stale file handle'), { code: 'ESTALE' });
      await original.call(this, data);
    });
    onTestFinished(() => void spy.mockRestore());
    return { calls: () => calls, end: () => void spy.mockRestore() };
  }

  it.each(['writeFile', 'sync', 'appendFile'] as const)(
    'when it is any call of %s, then the file is the old or the new one, as the outcome says',
    async (method) => {
      let number = 0;
      for (let isReached = true; isReached; number++) {
        const { path, home } = await userFile(BEFORE);
        const planned = await plan(chainRequest(path, MODELS));
        const refusal = await refuse(method, number);
        const { ok } = await applyWrite(planned, home).catch(() => ({ ok: false }));
        isReached = refusal.calls() > number;
        refusal.end();
        expect([
          [false, BEFORE],
          [true, AFTER],
        ]).toContainEqual([ok, await readFile(path, 'utf8')]);
      }
      expect(number).toBeGreaterThan(1);
    },
  );
});

describe('given a receipt', () => {
  it('when it is undone, then every byte is back; and the undoing can be undone', async () => {
    const before = Buffer.from(`\ufeff${BEFORE.replaceAll('\n', '\r\n')}`);
    const { path, home } = await userFile(before);
    await write(chainRequest(path, MODELS), home);
    const after = await readFile(path);
    for (const expected of [before, after]) {
      const [latest] = await listReceipts(home);
      const undo = await planUndo(latest?.id ?? '', home, 'test');
      if (!undo.ok) throw new Error(undo.reason);
      expect(await applyWrite(undo.plan, home)).toMatchObject({ ok: true, receipt: { deed: `undo ${latest?.id}` } });
      expect((await readFile(path)).equals(expected)).toBe(true);
    }
  });

  it('when the file was made by the write, then undoing removes it', async () => {
    const [folder, home] = [await tempFolder(), await tempFolder()];
    await write(chainRequest(join(folder, 'model-fallback.json'), MODELS, { create: '{}' }), home);
    const undo = await planUndo((await listReceipts(home))[0]?.id ?? '', home, 'test');
    if (!undo.ok) throw new Error(undo.reason);
    expect([await applyWrite(undo.plan, home), await readdir(folder)]).toMatchObject([{ ok: true }, []]);
  });

  it('when the file has changed since, or the receipt is unknown, then it is refused', async () => {
    const { path, home } = await userFile(BEFORE);
    await write(chainRequest(path, MODELS), home);
    await writeFile(path, `${AFTER} `);
    const [receipt] = await listReceipts(home);
    expect(await planUndo(receipt?.id ?? '', home, 'test')).toEqual({
      ok: false,
      reason: `${path} has changed since ${receipt?.id}; undoing would lose those changes. Nothing was changed.`,
    });
    expect(await planUndo('x', home, 'test')).toEqual({ ok: false, reason: 'There is no receipt x.' });
  });
});

describe.skipIf(process.platform === 'win32')(
  'given a project’s file whose folder becomes a link out between look and write',
  () => {
    async function project(text: string | null) {
      const [within, home, outside] = [await tempFolder(), await tempFolder(), await tempFolder()];
      const path = join(within, '.opencode', 'model-fallback.json');
      if (text !== null) {
        await mkdir(join(within, '.opencode'));
        await writeFile(path, text);
      }
      const lead = async () => {
        await rm(join(within, '.opencode'), { recursive: true, force: true });
        await symlink(outside, join(within, '.opencode'));
      };
      return { path, home, outside, lead, request: chainRequest(path, MODELS, { create: '{}', within }) };
    }

    it('when the file is new, then nothing is written out there, and that is the reason', async () => {
      const { home, outside, lead, request, path } = await project(null);
      const planned = await plan(request);
      await lead();
      expect([await applyWrite(planned, home), await readdir(outside), await listReceipts(home)]).toEqual([
        {
          ok: false,
          code: 'refused',
          reason: `${path}: it is a link that leads out of the project. Nothing was changed.`,
        },
        [],
        [],
      ]);
    });

    it('when the very same file lies out there, then it stays as it is', async () => {
      const { home, outside, lead, request } = await project(BEFORE);
      const planned = await plan(request);
      await writeFile(join(outside, 'model-fallback.json'), BEFORE);
      await lead();
      expect(await applyWrite(planned, home)).toMatchObject({ ok: false, code: 'refused' });
      expect(await readFile(join(outside, 'model-fallback.json'), 'utf8')).toBe(BEFORE);
    });

    it.each([BEFORE, null])('when a write to %j is then undone, then what lies out there is not', async (text) => {
      const { home, outside, lead, request, path } = await project(text);
      expect(await applyWrite(await plan(request), home)).toMatchObject({ ok: true });
      const after = await readFile(path, 'utf8');
      await writeFile(join(outside, 'model-fallback.json'), after);
      await lead();
      const undo = await planUndo((await listReceipts(home))[0]?.id ?? '', home, 'test');
      expect(undo).toMatchObject({ ok: false, reason: expect.stringContaining('now leads elsewhere') });
      expect(await readFile(join(outside, 'model-fallback.json'), 'utf8')).toBe(after);
    });
  },
);

describe('given writers of the same file', () => {
  it('when four processes set chains of different agents at once, then nobody’s change is lost', async () => {
    const [program, { path, home }] = [await writerProgram(), await userFile('{}')];
    const agents = ['build', 'plan', 'review', 'docs'];
    const codes = await Promise.all(
      agents.map(
        async (agent) => (await once(spawn(process.execPath, [program, path, home, agent, '10']), 'exit'))[0] as number,
      ),
    );
    const { agents: written } = JSON.parse(await readFile(path, 'utf8')) as {
      agents: Record<string, { fallbackModels: string[] }>;
    };
    expect([
      codes,
      agents.map((agent) => written[agent]?.fallbackModels[0]),
      (await listReceipts(home)).length,
    ]).toEqual([[0, 0, 0, 0], agents.map((agent) => `${agent}/9`), 40]);
  });

  it('when a writer is killed again and again, then the file is always whole, the old or the new one', async () => {
    await killAmongWrites(isNightly ? 40 : 10);
  });
});
