import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EventLogOptions } from '../../src/node/event-log';
import { openEventLog } from '../../src/node/event-log';
import { tempFolder } from './temp-folder';

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
