import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Triage } from '../../../src/core/config';
import { writeSessionReports } from '../../../src/node/data/session-reports';
import { COMPANION, configured, openTestCore, SWITCHED_TURN, virtualClock } from '../../core/virtual-core';
import { patiently } from '../../support/eventually';
import { newPath, open } from '../store/store-support';
import { tempFolder } from '../temp-folder';

/** A core whose ended sessions are reported as the configuration says. */
async function reporting(triage: Partial<Triage>, { storeFails = 0 } = {}) {
  let fails = storeFails;
  const root = await tempFolder();
  const store = await open(await newPath());
  const test = openTestCore(virtualClock(), store);
  const settle = async () => {
    if (fails-- > 0) throw new Error('no room');
    test.core.flush();
    await store.flush();
  };
  const wanted = {
    isEnabled: true,
    isOff: false,
    formats: ['json'] as const,
    metrics: null,
    path: null,
    isConfined: false,
    ...triage,
  };
  const settled = writeSessionReports(test.core, {
    triageOf: async () => wanted,
    env: { XDG_DATA_HOME: root },
    home: join(root, 'u'),
    wall: test.clock.wall,
    settle,
  });
  test.core.connected(COMPANION);
  const play = () => {
    for (const event of [configured(), ...SWITCHED_TURN]) test.tell(event);
    test.tell({ type: 'session.closed', session: 's1' });
  };
  const notices = async () =>
    (await test.core.host.handlers['snapshot.get'](null)).events
      .filter(({ code }) => code === 'history.notice')
      .map(({ detail }) => detail);
  return { ...test, root, play, notices, settled };
}

describe('given a configuration that asks for a report', () => {
  it('when a session ends, then its scorecard lies in the default place, readable by nobody else', async () => {
    const { root, play } = await reporting({});
    play();
    const path = join(root, 'opencode', 'oracle-triage-scorecard.json');
    const text = await patiently(() => readFile(path, 'utf8'));
    expect(JSON.parse(text)).toMatchObject({ schema: 'scorecard/1', session: 's1', totals: { totalCalls: 2 } });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('when a session ends, then its scorecard is kept in the state home as well, also where no report is asked for, and not where somebody said no', async () => {
    for (const [triage, kept] of [
      [{}, 3],
      [{ isEnabled: false }, 3],
      [{ isEnabled: false, isOff: true }, 0],
    ] as const) {
      const { root, play, core, settled } = await reporting(triage);
      play();
      await settled();
      const names = await readdir(join(root, 'u', 'scorecards')).catch(() => []);
      expect([triage, names.length]).toEqual([triage, kept]);
      core.dispose();
    }
  });

  it('when what happened cannot be stored, then that is said, and sessions after it are written all the same', async () => {
    const { root, play, settled, notices } = await reporting({}, { storeFails: 1 });
    play();
    play();
    await settled();
    expect(await notices()).toEqual(['The scorecard of a session could not be written: no room']);
    expect(await readdir(join(root, 'u', 'scorecards'))).toContain('latest.json');
  });

  it.each([
    ['a pipe that nobody writes into', (path: string) => promisify(execFile)('mkfifo', [path])],
    ['a link to a device without an end', (path: string) => symlink('/dev/zero', path)],
    ['a folder', (path: string) => mkdir(path)],
  ])('when %s lies in its place, then that is said, and sessions after it are written', async (_, put) => {
    const place = join(await tempFolder(), 'r.json');
    await put(place);
    const { play, root, settled, notices } = await reporting({ path: place });
    play();
    await settled();
    expect(await notices()).toEqual([
      `The scorecard of a session could not be written: ${place} exists and is not a scorecard.`,
    ]);
    await rm(place, { recursive: true });
    play();
    await settled();
    expect([JSON.parse(await readFile(place, 'utf8')).session, await readdir(join(root, 'u', 'scorecards'))]).toEqual([
      's1',
      expect.arrayContaining(['latest.json']),
    ]);
  });

  it('when it asks for three formats in a place of its own, then they lie beside each other', async () => {
    const place = join(await tempFolder(), 'deep', 'card.json');
    const { play } = await reporting({ path: place, formats: ['json', 'csv', 'html'] });
    play();
    const html = await patiently(() => readFile(place.replace('.json', '.html'), 'utf8'));
    const csv = await readFile(place.replace('.json', '.csv'), 'utf8');
    expect(html).toMatch(/^<!doctype html>/);
    expect(csv.split('\r\n').map((line) => line.split(',')[7])).toEqual(['outcome', 'limited', 'success', undefined]);
    expect(JSON.parse(await readFile(place, 'utf8')).schema).toBe('scorecard/1');
  });

  it('when it asks for two figures, then the report has these alone', async () => {
    const place = join(await tempFolder(), 'card.json');
    const { play } = await reporting({ path: place, metrics: ['totalCalls', 'retries'] });
    play();
    const { totals, models } = JSON.parse(await patiently(() => readFile(place, 'utf8')));
    expect(totals).toEqual({ totalCalls: 2, retries: 0 });
    expect(Object.keys(models[0])).toEqual(['rank', 'model', 'provider', 'totalCalls', 'retries']);
  });

  it('when the place cannot be written, then a notice says so', async () => {
    const root = await tempFolder();
    await writeFile(join(root, 'file'), '');
    const { play, notices } = await reporting({ path: join(root, 'file', 'card.json') });
    play();
    await patiently(async () =>
      expect(await notices()).toEqual([
        expect.stringMatching(/^The scorecard of a session could not be written: .*(ENOTDIR|EEXIST)/),
      ]),
    );
  });
});

describe('given a file that is no scorecard where one is wanted', () => {
  it('when a session ends, then the file stays as it is, and a notice says so; an older scorecard is replaced', async () => {
    const place = join(await tempFolder(), 'card.json');
    await writeFile(place, '{"mine": true}');
    const { play, notices } = await reporting({ path: place });
    play();
    await patiently(async () =>
      expect(await notices()).toEqual([
        `The scorecard of a session could not be written: ${place} exists and is not a scorecard.`,
      ]),
    );
    expect(await readFile(place, 'utf8')).toBe('{"mine": true}');
    await writeFile(place, '{\n  "schema": "scorecard/1"}');
    play();
    await patiently(async () => expect(JSON.parse(await readFile(place, 'utf8'))).toMatchObject({ session: 's1' }));
  });

  it.each(['json', 'md', 'csv', 'html'] as const)(
    'when a report as %s was written before, then it is replaced',
    async (format) => {
      const folder = await tempFolder();
      const { play, notices } = await reporting({ path: join(folder, 'card.json'), formats: [format] });
      const stamp = async () => (await stat(join(folder, `card.${format}`))).ino;
      play();
      const first = await patiently(stamp);
      play();
      await patiently(async () => expect(await stamp()).not.toBe(first));
      expect(await notices()).toEqual([]);
    },
  );
});

describe('given a configuration that asks for none', () => {
  it('when a session ends, then nothing is written', async () => {
    const { root, play, core } = await reporting({ isEnabled: false });
    const marker = join(root, 'opencode', 'oracle-triage-scorecard.json');
    await mkdir(join(root, 'opencode'));
    const ended: string[] = [];
    core.onSessionEnd((session) => ended.push(session));
    play();
    expect(ended).toEqual(['s1']);
    await expect(stat(marker)).rejects.toThrow('ENOENT');
  });
});
