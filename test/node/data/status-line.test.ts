import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../src/contract/snapshot';
import { keepStatusLine } from '../../../src/node/data/status-line';
import { eightAgents } from '../../support/eight-agents';
import { patiently } from '../../support/eventually';
import { type FakeHost, fakeHost } from '../../support/panel-host';

const NOW = Date.UTC(2026, 0, 15, 14, 18);

describe('given a core that keeps its line in a file', () => {
  let home: string;
  let host: FakeHost;
  let present: Snapshot;
  let now: number;
  let timers: { at: number; run: () => void }[];
  let kept: ReturnType<typeof keepStatusLine>;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'us-'));
    now = NOW;
    timers = [];
  });
  afterEach(async () => {
    await kept.close();
    await rm(home, { recursive: true, force: true });
  });

  const clock = {
    wall: () => now,
    schedule(delayMs: number, run: () => void) {
      const timer = { at: now + delayMs, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
  };
  const keep = (snapshot: Snapshot): void => {
    present = snapshot;
    host = fakeHost(snapshot, { 'snapshot.get': () => present });
    kept = keepStatusLine(host, { home, clock });
  };
  const tell = (snapshot: Snapshot): void => {
    present = snapshot;
    host.publish(snapshot);
  };
  /** Lets time go on by so much, with all that was set for it. */
  const pass = (ms: number): void => {
    now += ms;
    const due = timers.filter(({ at }) => at <= now);
    timers = timers.filter(({ at }) => at > now);
    for (const { run } of due) run();
  };
  const path = () => join(home, 'status-line.txt');
  const lines = async () => (await readFile(path(), 'utf8')).split('\n');
  const first = async () => (await lines())[0];

  it('when all is well, then it says so, who keeps it and since when, for its user alone, and no timer is left', async () => {
    keep(eightAgents(NOW, 'calm'));
    await patiently(async () =>
      expect(await lines()).toEqual([
        'All 8 agents are protected and on their primary.',
        `pid ${process.pid}`,
        `since ${Math.round(Date.now() / 1_000 - process.uptime())}`,
        'until -',
        '',
      ]),
    );
    if (process.platform !== 'win32') expect((await stat(path())).mode & 0o777).toBe(0o600);
    expect(timers).toEqual([]);
  });

  it('when what is pushed says nothing else, then the file stays as it is, and no timer is left', async () => {
    keep(eightAgents(NOW, 'calm'));
    await patiently(first);
    const { ino } = await stat(path());
    for (let push = 0; push < 50; push++) tell({ ...eightAgents(NOW, 'calm'), rev: push });
    expect(timers.length).toBe(1);
    pass(1_000);
    // A file that is replaced is another one; this takes as many steps as writing one.
    for (let step = 0; step < 10; step++) await stat(path());
    expect([(await stat(path())).ino, timers]).toEqual([ino, []]);
  });

  it('when something happens, then the line says it a second later, and when the first time in it is over', async () => {
    keep(eightAgents(NOW, 'calm'));
    await patiently(first);
    tell(eightAgents(NOW, 'trouble'));
    pass(1_000);
    await patiently(async () => expect(await first()).toBe('sentinel waits for your answer. +3'));
    expect((await lines())[3]).toBe(`until ${(NOW + 42_000) / 1_000}`);
  });

  it('when its time is over and nobody has pushed anything, then it says what is so by then', async () => {
    keep(eightAgents(NOW, 'trouble'));
    await patiently(async () => expect(await first()).toContain('sentinel'));
    present = eightAgents(NOW, 'calm');
    pass(43_000);
    await patiently(async () => expect(await first()).toBe('All 8 agents are protected and on their primary.'));
    expect(timers).toEqual([]);
  });

  it('when the core ends, then the file is gone, and no timer is left', async () => {
    keep(eightAgents(NOW, 'trouble'));
    await patiently(first);
    await kept.close();
    await expect(stat(path())).rejects.toThrow('ENOENT');
    expect(timers).toEqual([]);
  });
});
