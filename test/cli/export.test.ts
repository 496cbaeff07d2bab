import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseWhen } from '../../src/cli/when';
import { drivers } from '../../src/node/store/driver';
import { storePath } from '../../src/node/store/open-store';
import { COMPANION, configured, openTestCore, START, SWITCHED_TURN, virtualClock } from '../core/virtual-core';
import { look, open } from '../node/store/store-support';
import { besideStore } from './beside-store';

const { said, run } = besideStore('export');

/** A store with one turn that an understudy answered. */
async function recorded(): Promise<void> {
  const store = await open(storePath(said.home));
  const { core, tell } = openTestCore(virtualClock(), store);
  core.connected(COMPANION);
  for (const event of [configured(), ...SWITCHED_TURN]) tell(event);
  core.dispose();
  await store.close();
}

describe('given a recorded turn, and no app that runs', () => {
  it('when it is exported without a word, then the scorecard is printed as JSON', async () => {
    await recorded();
    expect([await run(), said.errors]).toEqual([0, []]);
    expect(JSON.parse(said.printed.join(''))).toMatchObject({
      schema: 'scorecard/1',
      session: null,
      totals: { totalCalls: 2, turns: { saved: 0, total: 1 } },
    });
  });

  it.runIf(drivers()[0]?.name === 'libsql')(
    'when a text of its history is not UTF-8, then the export is refused with the remedy',
    async () => {
      await recorded();
      look(storePath(said.home), "UPDATE cells SET cell = CAST(x'7bff7d' AS TEXT)");
      expect(await run()).toBe(1);
      expect(said.errors).toEqual([
        'The history is damaged. Start Understudy: it moves the file aside and creates a new one.',
      ]);
    },
  );

  it('when its session is exported as Markdown to a file, then it is there, readable by nobody else', async () => {
    await recorded();
    const out = join(said.home, 'card.md');
    expect([await run('--session', 's1', '--format', 'md', '--out', out), said.printed]).toEqual([0, []]);
    expect(await readFile(out, 'utf8')).toMatch(/^# Understudy scorecard\n\nSession s1, all stored data\./);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
  });

  it('when it is exported as a picture, then it is an SVG', async () => {
    await recorded();
    expect([await run('--format', 'svg'), said.printed.join('')]).toEqual([
      0,
      expect.stringMatching(/^<svg .*<\/svg>$/s),
    ]);
  });

  it('when a time after it is exported as CSV, then there is only the line of names; up to then, both attempts', async () => {
    await recorded();
    const after = new Date(START + 86_400_000).toISOString();
    await run('--since', after, '--format', 'csv');
    await run('--until', after, '--format', 'csv');
    expect(said.printed.map((text) => text.split('\r\n').length)).toEqual([1, 3]);
  });
});

describe('given nothing that was recorded', () => {
  it('when it is exported, then it says so and fails', async () => {
    expect([await run(), said.errors]).toEqual([1, ['Nothing has been recorded yet.']]);
  });
});

describe('given a time on the command line', () => {
  it.each([
    ['24h', START - 86_400_000],
    ['7d', START - 7 * 86_400_000],
    ['30m', START - 1_800_000],
    ['2026-11-01', Date.parse('2026-11-01')],
    ['2026-11-01T10:00:00Z', Date.parse('2026-11-01T10:00:00Z')],
  ])('when it is %s, then it is that moment', (text, at) => {
    expect(parseWhen(text, undefined, START)).toBe(at);
  });

  it.each(['yesterday', '7', '7w', '2026', ''])('when it is %j, then it is refused with exit code 2', async (text) => {
    expect(await run('--since', text)).toBe(2);
    expect(said.errors.join('\n')).toContain('Expected 30m, 24h, 7d, or a date');
  });
});
