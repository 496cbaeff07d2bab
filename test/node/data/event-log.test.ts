import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import fs, {
  appendFile,
  chmod,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { EventLogOptions } from '../../../src/node/data/event-log';
import { openEventLog } from '../../../src/node/data/event-log';
import { tempFolder } from '../temp-folder';

/** Lets the system refuse each of these once, at whatever file is open: a module put in another's place may be loaded already. */
async function refuseOnce(...names: readonly ('appendFile' | 'chmod' | 'stat')[]): Promise<void> {
  const probe = await fs.open(process.execPath);
  const anyFile = Object.getPrototypeOf(probe) as typeof probe;
  await probe.close();
  for (const name of names) {
    const spy = vi.spyOn(anyFile, name).mockRejectedValueOnce(Object.assign(new Error('EIO'), { code: 'EIO' }));
    onTestFinished(() => spy.mockRestore());
  }
}

/** Root may write whatever the mode says: here nobody may. */
function obeyModes(): void {
  const { open } = fs;
  const put = (next: typeof open): void => {
    fs.open = next;
    syncBuiltinESMExports();
  };
  put(async (path, flags, mode) => {
    const info = flags === 'a+' ? await stat(path).catch(() => null) : null;
    if (info?.isFile() && (info.mode & 0o200) === 0) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    return await open(path, flags, mode);
  });
  onTestFinished(() => put(open));
}

type Entry = Readonly<{ n: number; text?: string }>;

const parse = (value: unknown): Entry | null => {
  const isEntry = typeof value === 'object' && value !== null && 'n' in value && typeof value.n === 'number';
  return isEntry ? (value as Entry) : null;
};

async function openLog(options: Partial<EventLogOptions<Entry>> = {}) {
  const path = options.path ?? join(await tempFolder(), 'events.jsonl');
  const log = openEventLog<Entry>({ parse, path, ...options });
  onTestFinished(() => log.close());
  return { log, path };
}

const numbers = (count: number, from = 0): Entry[] =>
  Array.from({ length: count }, (_, index) => ({ n: from + index }));

describe('given a log', () => {
  it('when nothing was ever written, then it is empty and there is no file', async () => {
    const { log, path } = await openLog();
    expect(await log.readAll()).toEqual({ records: [], skippedLines: 0, quarantined: [] });
    await expect(stat(path)).rejects.toThrow('ENOENT');
  });

  it('when 1,000 records are appended and read at once, then all are there in order, in a 0600 file', async () => {
    const { log, path } = await openLog();
    for (const record of numbers(1_000)) log.append(record);
    expect((await log.readAll()).records).toEqual(numbers(1_000));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('when nobody flushes, then records reach the file by themselves', async () => {
    const { log, path } = await openLog({ flushMs: 1 });
    log.append({ n: 7 });
    await expect.poll(() => readFile(path, 'utf8').catch(() => '')).toBe('{"n":7}\n');
  });

  it('when it can only half be opened and then not be written, then nothing that stood there is lost', async () => {
    const path = join(await tempFolder(), 'events.jsonl');
    await writeFile(path, '{"n":0}\n{"n":1}\n');
    const { log } = await openLog({ path, flushMs: 1, retryMs: 1 });
    await refuseOnce('stat', 'appendFile');
    log.append({ n: 2 });
    await expect.poll(() => readFile(path, 'utf8')).toBe('{"n":0}\n{"n":1}\n{"n":2}\n');
  });

  it('when its folder keeps no modes, then it is written all the same', async () => {
    const faults: unknown[] = [];
    const { log, path } = await openLog({ flushMs: 1, onFault: (error) => faults.push(error) });
    await refuseOnce('chmod');
    log.append({ n: 7 });
    await expect.poll(() => readFile(path, 'utf8').catch(() => '')).toBe('{"n":7}\n');
    expect(faults).toEqual([]);
  });

  it('when it is closed and opened again, then it goes on', async () => {
    const { log, path } = await openLog();
    log.append({ n: 1 });
    await log.close();
    log.append({ n: 99 });
    const again = await openLog({ path });
    again.log.append({ n: 2 });
    expect((await again.log.readAll()).records).toEqual([{ n: 1 }, { n: 2 }]);
  });
});

describe('given a log of 1,000 bytes a file', () => {
  it('when 100 records of 100 bytes come at once, then no file is longer, and the newest are there', async () => {
    const { log, path } = await openLog({ maxBytes: 1_000 });
    const text = 'x'.repeat(80);
    for (const { n } of numbers(100, 100)) log.append({ n, text });
    expect((await log.readAll()).records.at(-1)).toEqual({ n: 199, text });
    const sizes = await Promise.all([path, `${path}.1`].map(async (each) => (await stat(each)).size));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000);
  });
});

describe('given a file that a crash left behind', () => {
  it('when its last line is torn, then that line alone is lost, and the next record begins a new one', async () => {
    const { log, path } = await openLog();
    await writeFile(path, '{"n":1}\n{"n":2}\n{"n":3,"te');
    log.append({ n: 4 });
    expect(await log.readAll()).toEqual({ records: [{ n: 1 }, { n: 2 }, { n: 4 }], skippedLines: 1, quarantined: [] });
    expect(await readFile(path, 'utf8')).toBe('{"n":1}\n{"n":2}\n{"n":3,"te\n{"n":4}\n');
  });

  it('when only the newline is missing, then nothing is lost', async () => {
    const { log, path } = await openLog();
    await writeFile(path, '{"n":1}');
    log.append({ n: 2 });
    expect(await log.readAll()).toEqual({ records: [{ n: 1 }, { n: 2 }], skippedLines: 0, quarantined: [] });
  });

  it('when some lines are of a version we do not know, then they are skipped and kept', async () => {
    const { log, path } = await openLog();
    await writeFile(path, '{"n":1}\n{"v":9}\n{"n":2}\n');
    expect(await log.readAll()).toEqual({ records: [{ n: 1 }, { n: 2 }], skippedLines: 1, quarantined: [] });
    expect(await readFile(path, 'utf8')).toContain('{"v":9}');
  });

  it('when no line of it can be read, then it is moved aside whole and the log starts anew', async () => {
    const { log, path } = await openLog();
    await writeFile(path, 'PK\u0003\u0004\nrubbish\n');
    const content = await log.readAll();
    const [aside] = content.quarantined;
    expect([content.records, content.skippedLines]).toEqual([[], 2]);
    expect(await readFile(aside ?? '', 'utf8')).toBe('PK\u0003\u0004\nrubbish\n');
    log.append({ n: 1 });
    expect((await log.readAll()).records).toEqual([{ n: 1 }]);
  });

  it('when a good file is read many times, then nothing is ever put aside', async () => {
    const { log, path } = await openLog();
    log.append({ n: 1 });
    await log.flush();
    await appendFile(path, '{"n":');
    for (let round = 0; round < 3; round += 1) expect((await log.readAll()).quarantined).toEqual([]);
    expect(await readdir(dirname(path))).toEqual([basename(path)]);
  });
});

describe('given a cap of 200 bytes', () => {
  it('when 60 records of 20 bytes are written one by one, then the newest and one older file remain, each within the cap', async () => {
    const { log, path } = await openLog({ maxBytes: 200 });
    for (let n = 100; n < 160; n += 1) {
      log.append({ n, text: 'xxx' });
      await log.flush();
    }
    const { records } = await log.readAll();
    const sizes = await Promise.all([path, `${path}.1`].map(async (file) => (await stat(file)).size));
    expect((await readdir(dirname(path))).sort()).toEqual(['events.jsonl', 'events.jsonl.1']);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(200);
    expect(records.at(-1)).toEqual({ n: 159, text: 'xxx' });
    expect(records.map(({ n }) => n)).toEqual(numbers(records.length, 160 - records.length).map(({ n }) => n));
  });
});

describe('given a log that is no log', () => {
  it('when it is a folder, then that is moved aside with what is in it, and the log starts anew', async () => {
    const { log, path } = await openLog();
    await mkdir(path);
    await writeFile(join(path, 'inside'), 'kept');
    const { records, quarantined } = await log.readAll();
    expect([records, await readFile(join(quarantined[0] ?? '', 'inside'), 'utf8')]).toEqual([[], 'kept']);
    log.append({ n: 1 });
    expect((await log.readAll()).records).toEqual([{ n: 1 }]);
  });

  it('when it is a link to a device without an end, then the link is moved aside', async () => {
    const { log, path } = await openLog();
    await symlink('/dev/zero', path);
    expect((await log.readAll()).quarantined).toHaveLength(1);
  });

  it('when it is a link to a folder that is gone, then the link is moved aside; to one that is there, it is followed', async () => {
    const gone = await openLog();
    await symlink(join(await tempFolder(), 'gone', 'log'), gone.path);
    const { quarantined } = await gone.log.readAll();
    gone.log.append({ n: 1 });
    expect([quarantined.length, (await gone.log.readAll()).records]).toEqual([1, [{ n: 1 }]]);

    const led = await openLog();
    const target = join(await tempFolder(), 'log');
    await symlink(target, led.path);
    expect((await led.log.readAll()).quarantined).toEqual([]);
    led.log.append({ n: 2 });
    await led.log.flush();
    expect(await readFile(target, 'utf8')).toBe('{"n":2}\n');
  });

  it('when it is 1 GiB long, then the app reads its end, goes on with that, and sets the old file aside', async () => {
    const { log, path } = await openLog();
    await writeFile(path, '{"n":0}\n');
    await truncate(path, 1_073_741_824);
    await appendFile(path, '\n{"n":1}\n{"n":2}\n');
    const { records, quarantined } = await log.readAll();
    expect([records, quarantined.length]).toEqual([[{ n: 1 }, { n: 2 }], 1]);
    log.append({ n: 3 });
    expect(await log.readAll()).toMatchObject({ records: [{ n: 1 }, { n: 2 }, { n: 3 }], quarantined: [] });
    expect((await stat(quarantined[0] ?? '')).size).toBe(1_073_741_824 + 17);
    expect(await readFile(path, 'utf8')).toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
  });

  it('when it is one line of 300 MiB, then the log starts anew, and the old file is set aside', async () => {
    const { log, path } = await openLog();
    await writeFile(path, '{"n":0,"text":"');
    await truncate(path, 314_572_800);
    const { records, quarantined } = await log.readAll();
    expect([records, quarantined.length]).toEqual([[], 1]);
    log.append({ n: 1 });
    expect((await log.readAll()).records).toEqual([{ n: 1 }]);
  });

  it('when the disk has no room for the end of a log of 300 MiB, then the end is read and the file stays', async () => {
    const { log, path } = await openLog();
    await truncate(await writeFile(path, '{"n":0}\n').then(() => path), 314_572_800);
    await appendFile(path, '\n{"n":1}\n');
    const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    const probe = await fs.open(process.execPath);
    const spy = vi.spyOn(Object.getPrototypeOf(probe) as typeof probe, 'writeFile').mockRejectedValue(full);
    await probe.close();
    onTestFinished(() => spy.mockRestore());
    expect(await log.readAll()).toMatchObject({ records: [{ n: 1 }], quarantined: [] });
    expect(await readdir(dirname(path))).toEqual([basename(path)]);
  });

  it('when it has 700,000 short lines, then all are read', async () => {
    const { log, path } = await openLog();
    await writeFile(path, '{"n":7}\n'.repeat(700_000));
    expect((await log.readAll()).records).toHaveLength(700_000);
  });
});

describe('given somebody who waits for what stands in the file', () => {
  it('when the disk takes nothing, then nothing is said to stand there; when it does, all of it, in order', async () => {
    const written: unknown[] = [];
    const folder = join(await tempFolder(), 'gone');
    const { log, path } = await openLog({
      ...{ path: join(folder, 'events.jsonl'), retryMs: 5 },
      onWritten: (records) => written.push(...records, (readFileSync(path, 'utf8').match(/\n/g) ?? []).length),
    });
    for (const entry of numbers(3)) log.append(entry);
    await log.flush();
    expect(written).toEqual([]);
    await mkdir(folder);
    await expect.poll(() => written).toEqual([...numbers(3), 3]);
  });
});

describe('given a disk that takes nothing for a while', () => {
  it('when it does again, then all is there once and in order, and both are told once', async () => {
    const told: string[] = [];
    const folder = join(await tempFolder(), 'gone');
    const { log, path } = await openLog({
      path: join(folder, 'events.jsonl'),
      retryMs: 5,
      onFault: () => told.push('fault'),
      onRecovered: (lost) => told.push(`again, ${lost} lost`),
    });
    for (const entry of numbers(300)) {
      log.append(entry);
      await log.flush();
    }
    await mkdir(folder);
    await expect.poll(() => told).toEqual(['fault', 'again, 0 lost']);
    expect((await log.readAll()).records).toEqual(numbers(300));
    expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(301);
  });
});

describe('given a disk that takes nothing while more comes than may wait', () => {
  it('when it does again, then the oldest are lost, and each of them was told', async () => {
    const lost: Entry[] = [];
    const told: string[] = [];
    const folder = join(await tempFolder(), 'gone');
    const { log } = await openLog({
      ...{ path: join(folder, 'events.jsonl'), retryMs: 5, maxWaiting: 5 },
      onFault: () => told.push('fault'),
      onLost: (records) => lost.push(...records),
      onRecovered: (count) => told.push(`again, ${count} lost`),
    });
    for (const entry of numbers(3)) log.append(entry);
    await log.flush();
    for (const entry of numbers(9).slice(3)) log.append(entry);
    expect(lost).toEqual(numbers(4));
    await mkdir(folder);
    await expect.poll(() => told).toEqual(['fault', 'again, 4 lost']);
    expect((await log.readAll()).records).toEqual(numbers(9).slice(4));
  });
});

describe('given a log that is deleted while a batch is refused', () => {
  it('when the disk takes something again, then nothing of what was deleted comes back', async () => {
    const folder = join(await tempFolder(), 'gone');
    const { log } = await openLog({ path: join(folder, 'events.jsonl'), retryMs: 5 });
    log.append({ n: 1, text: 'deleted' });
    const refused = log.flush();
    // The batch is on its way.
    for (let tick = 0; tick < 3; tick++) await Promise.resolve();
    const begun = log.restart({ n: 2 });
    await Promise.all([refused, begun]);
    await mkdir(folder);
    await expect.poll(async () => (await log.readAll()).records).toEqual([{ n: 2 }]);
  });
});

describe('given a disk of 64 KiB, most of which something else fills', () => {
  /** A disk of its own, where this user may make one. */
  async function smallDisk(): Promise<string | null> {
    const folder = await tempFolder();
    const run = promisify(execFile);
    const isMade = await run('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).then(
      () => true,
      () => false,
    );
    if (!isMade) return null;
    onTestFinished(async () => void (await run('umount', ['-l', folder])));
    return folder;
  }

  it('when room is made, then every record is there once and in order, and no line is torn', async ({ skip }) => {
    const folder = await smallDisk();
    if (folder === null) return skip('no disk can be made here');
    const filler = join(folder, 'filler');
    await writeFile(filler, Buffer.alloc(45_000));
    const told: string[] = [];
    const { log } = await openLog({
      path: join(folder, 'events.jsonl'),
      retryMs: 5,
      onFault: () => told.push('fault'),
      onRecovered: () => told.push('again'),
    });
    const entries = numbers(420).map((entry) => ({ ...entry, text: 'x'.repeat(60) }));
    for (const entry of entries) {
      log.append(entry);
      if (entry.n % 7 === 0) await log.flush();
    }
    expect(told).toEqual(['fault']);
    await rm(filler);
    await expect.poll(() => told).toEqual(['fault', 'again']);
    const { records, skippedLines } = await log.readAll();
    expect([records, skippedLines]).toEqual([entries, 0]);
  });
});

describe.skipIf(process.platform === 'win32')('given a log that nobody may write', () => {
  it('when its owner appends, then it is opened to them again, and nothing is told', async () => {
    const path = join(await tempFolder(), 'events.jsonl');
    await writeFile(path, '');
    await chmod(path, 0o400);
    obeyModes();
    const faults: unknown[] = [];
    const { log } = await openLog({ path, onFault: (error) => faults.push(error) });
    for (const entry of numbers(3)) log.append(entry);
    await log.flush();
    expect([faults, (await log.readAll()).records]).toEqual([[], numbers(3)]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });
});

describe('given a folder that is missing', () => {
  it('when records are appended, then the fault is told, nothing is thrown and reading still works', async () => {
    const faults: unknown[] = [];
    const path = join(await tempFolder(), 'gone', 'events.jsonl');
    const { log } = await openLog({ path, onFault: (error) => faults.push(error) });
    log.append({ n: 1 });
    await log.flush();
    expect(faults).toHaveLength(1);
    expect((await log.readAll()).records).toEqual([]);
  });
});
