import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openJournal, readJournal } from '../../../src/features/council/node/journal';
import { makeRun, planRun } from '../../../src/features/council/node/prepare';
import { isPlayed, runFolder, runsIn, takeRun } from '../../../src/features/council/node/run-folder';
import { writeFileAtomic } from '../../../src/node/base/atomic-file';
import { beginWritten, FIRST_RUN, runsHome } from '../../support/council-home';

const MODELS = { leads: {}, defaultModel: 'alpha/large', models: ['alpha/large'], catalogue: {} };

describe('given a run that somebody has taken', () => {
  it('when the one who was started for it takes it over, then it is theirs, and nobody else gets it', async () => {
    const home = join(await runsHome(), 'u');
    await beginWritten(home, FIRST_RUN);
    const starter = await takeRun(home, FIRST_RUN);
    if (!starter.ok) throw new Error(starter.reason);
    onTestFinished(starter.release);
    expect(await takeRun(home, FIRST_RUN)).toMatchObject({ ok: false });
    expect(await takeRun(home, FIRST_RUN, process.pid + 1)).toMatchObject({ ok: false });
    const player = await takeRun(home, FIRST_RUN, process.pid);
    if (!player.ok) throw new Error(player.reason);
    starter.handOver();
    expect(await isPlayed(home, FIRST_RUN)).toBe(true);
    await player.release();
    expect(await isPlayed(home, FIRST_RUN)).toBe(false);
  });

  it('when it is released during writes of its owner, then nobody has it afterwards', async () => {
    const home = join(await runsHome(), 'u');
    await beginWritten(home, FIRST_RUN);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const taken = await takeRun(home, FIRST_RUN);
    if (!taken.ok) throw new Error(taken.reason);
    vi.advanceTimersByTime(60_000);
    await taken.release();
    // As many writes end after those.
    for (let at = 0; at < 12; at++) await writeFileAtomic(join(home, 'another'), '');
    expect(await isPlayed(home, FIRST_RUN)).toBe(false);
  });
});

describe('given a player that was suspended while another process took its run', () => {
  const event = { type: 'tick' } as const;

  it('when it goes on, then it writes nothing more, keeps the run for nobody, and its late line is not heard', async () => {
    const home = join(await runsHome(), 'u');
    await beginWritten(home, FIRST_RUN);
    const before = (await readJournal(home, FIRST_RUN)).length;
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const first = await takeRun(home, FIRST_RUN);
    if (!first.ok) throw new Error(first.reason);
    const suspended = await openJournal(home, FIRST_RUN, first.number);
    await suspended.append({ v: 1, at: 1, event });
    const player = join(runFolder(home, FIRST_RUN), 'player.json');
    await writeFile(player, JSON.stringify({ v: 1, pid: process.pid, at: 0, number: first.number }));

    const second = await takeRun(home, FIRST_RUN);
    if (!second.ok) throw new Error(second.reason);
    const journal = await openJournal(home, FIRST_RUN, second.number);
    expect(second.number).toBeGreaterThan(first.number);
    await expect(suspended.check()).rejects.toThrow('another process runs it now');
    await expect(suspended.append({ v: 1, at: 2, event })).rejects.toThrow('another process runs it now');
    const late = await openJournal(home, FIRST_RUN, first.number);
    await expect(late.check()).rejects.toThrow('another process runs it now');
    await late.close();
    // A line that was on its way.
    await appendFile(
      join(runFolder(home, FIRST_RUN), 'journal.jsonl'),
      `${JSON.stringify({ v: 1, at: 3, event, player: first.number })}\n`,
    );
    await journal.append({ v: 1, at: 4, event });
    expect((await readJournal(home, FIRST_RUN)).slice(before).map(({ at }) => at)).toEqual([1, 4]);

    vi.advanceTimersByTime(60_000);
    await first.release();
    expect(JSON.parse(await readFile(player, 'utf8'))).toMatchObject({ number: second.number });
    await Promise.all([suspended.close(), journal.close(), second.release()]);
    expect(await isPlayed(home, FIRST_RUN)).toBe(false);
  });
});

describe('given a folder that is being copied for a run', () => {
  it('when it is stopped meanwhile, then nothing is begun, and nothing of it stays; until then somebody has the run', async () => {
    const root = await runsHome();
    const home = join(root, 'u');
    const shop = join(root, 'shop');
    await mkdir(shop);
    await writeFile(join(shop, 'cart.js'), '1;\n');
    const planned = await planRun({
      input: { problem: null, repo: shop, isDeep: false },
      ...{ directory: root, env: { HOME: root, PATH: process.env.PATH }, home, askedIn: null, models: MODELS },
    });
    if (!planned.ok) throw new Error(planned.reason);
    const ending = new AbortController();
    let named = '';
    const making = makeRun(planned.plan, {
      signal: ending.signal,
      onNamed(run) {
        named = run;
        ending.abort();
      },
    });
    expect(await making).toMatchObject({ ok: false, reason: expect.stringContaining('stopped') });
    expect(named).not.toBe('');
    expect([existsSync(runFolder(home, named)), await runsIn(home)]).toEqual([false, []]);
  });
});
