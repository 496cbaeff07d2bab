import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Triage } from '../../src/core/config';
import { SESSION_IDLE_MS } from '../../src/core/history/session-ends';
import type { EngineEvent } from '../../src/engine';
import { createBrain } from '../../src/plugin/base/brain';
import { openSessionReports } from '../../src/plugin/stores/session-reports';
import { configured, DIRECTORY, SWITCHED_TURN, virtualClock } from '../core/virtual-core';
import { tempFolder } from '../node/temp-folder';
import { patiently } from '../support/eventually';

const USED = { input: 800, output: 400, reasoning: 0, cacheRead: 0, cacheWrite: 0 };

/** A report as JSON in the usual place. */
const WANTED: Triage = {
  isEnabled: true,
  isOff: false,
  formats: ['json'],
  metrics: null,
  path: null,
  isConfined: false,
};

/** A process in which a lead was limited and an understudy answered, in a project that wants reports. */
async function openProcess(wanted: Partial<Triage> = {}) {
  const root = await tempFolder();
  const clock = virtualClock();
  const brain = createBrain(clock.now, () => 0.5, 'e1', clock.schedule);
  const app = { isThere: false };
  const told: string[] = [];
  const reports = openSessionReports(brain, {
    version: '0.1.0',
    env: { XDG_DATA_HOME: root },
    schedule: clock.schedule,
    hasApp: () => app.isThere,
    warn: (message) => told.push(message),
  });
  reports.follow(DIRECTORY, { ...WANTED, ...wanted });
  const play = (): void => {
    for (const event of [configured(), ...SWITCHED_TURN]) brain.tell(event as EngineEvent);
    const speaker = { session: 's1', turn: 't1', directory: DIRECTORY, agent: 'build', model: 'spare/two' };
    brain.note({ type: 'usage.recorded', ...speaker, purpose: 'turn', tokens: USED, cost: 0.5 });
    const { directory: _, ...caller } = speaker;
    brain.note({ type: 'tool.failed', ...caller, reason: 'timeout', isRepeated: false });
  };
  const close = (): void => void brain.tell({ type: 'session.closed', session: 's1' });
  const place = join(root, 'opencode', 'oracle-triage-scorecard.json');
  const read = async () => JSON.parse(await readFile(place, 'utf8'));
  return { root, clock, app, told, reports, play, close, place, read };
}

describe('given no app, and a project that wants reports', () => {
  it('when a session is closed, then its scorecard lies in the usual place, readable by nobody else', async () => {
    const { play, close, clock, place, read } = await openProcess();
    play();
    clock.advance(900_000);
    close();
    await patiently(async () =>
      expect(await read()).toMatchObject({
        schema: 'scorecard/1',
        session: 's1',
        totals: {
          ...{ totalCalls: 2, turns: { saved: 1 }, tokens: { input: 800 }, cost: { total: '0.5' } },
          errors: { tool: 1, toolReasons: { timeout: 1 } },
        },
        models: [{ model: 'spare/two' }, { model: 'lead/one' }],
        transitions: [
          { model: 'lead/one', state: 'resting' },
          { model: 'lead/one', state: 'ready' },
        ],
      }),
    );
    expect((await stat(place)).mode & 0o777).toBe(0o600);
  });

  it('when nobody speaks for 30 minutes, or OpenCode leaves the folder, then it is written as well', async () => {
    const quiet = await openProcess();
    quiet.play();
    quiet.clock.advance(SESSION_IDLE_MS);
    await patiently(async () => expect((await quiet.read()).session).toBe('s1'));

    const left = await openProcess();
    left.play();
    await left.reports.leave(DIRECTORY);
    expect((await left.read()).totals.totalCalls).toBe(2);
  });

  it('when it wants a table of attempts, then it has both', async () => {
    const place = join(await tempFolder(), 'card.json');
    const { play, reports } = await openProcess({ path: place, formats: ['csv'] });
    play();
    await reports.leave(DIRECTORY);
    const csv = await readFile(place.replace('.json', '.csv'), 'utf8');
    expect(csv.split('\r\n').map((line) => line.split(',')[7])).toEqual(['outcome', 'limited', 'success', undefined]);
  });

  it('when the place holds something else, then that stays, and the user hears of it once', async () => {
    const { play, reports, told, root } = await openProcess({ path: 'card.json', formats: ['json'] });
    const place = join(root, 'card.json');
    await writeFile(place, 'mine');
    reports.follow(DIRECTORY, { ...WANTED, path: place });
    for (const _ of [1, 2]) {
      play();
      await reports.leave(DIRECTORY);
      reports.follow(DIRECTORY, { ...WANTED, path: place });
    }
    expect(told).toEqual([`The scorecard of a session could not be written: ${place} exists and is not a scorecard.`]);
    expect(await readFile(place, 'utf8')).toBe('mine');
  });
});

describe('given an app that hears of this process', () => {
  it('when a session ends, then the app writes and the companion does not; gone again, the companion does', async () => {
    const { play, close, app, reports, place, read } = await openProcess();
    app.isThere = true;
    play();
    close();
    await reports.leave('/elsewhere');
    await expect(stat(place)).rejects.toThrow('ENOENT');
    app.isThere = false;
    play();
    close();
    await patiently(async () => expect((await read()).session).toBe('s1'));
  });
});

describe('given a project that wants no reports', () => {
  it('when a session ends, then nothing is written', async () => {
    const { play, reports, place } = await openProcess({ isEnabled: false });
    play();
    await reports.leave(DIRECTORY);
    await expect(stat(place)).rejects.toThrow('ENOENT');
  });
});
