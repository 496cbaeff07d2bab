import { expect } from 'vitest';
import type { NoticeRow } from '../../../src/contract/notices';
import type { Shown } from './told-core';

const URGENT = ['N3', 'N6', 'N8'];

type Show = Readonly<{ row: NoticeRow; now: number }>;

const showsIn = (shown: readonly Shown[]): Show[] =>
  shown.flatMap(({ push, now }) => (push.type === 'show' ? [{ row: push.notice, now }] : []));

/** What holds of everything that is ever shown. */
export function expectNoStorm(shown: readonly Shown[]): void {
  const shows = showsIn(shown);
  const within = (from: Show, ms: number, fits: (show: Show) => boolean): Show[] =>
    shows.slice(shows.indexOf(from)).filter((show) => show.now - from.now < ms && fits(show));
  for (const show of shows) {
    const { notice, agents } = show.row;
    if (URGENT.includes(notice)) {
      expect(within(show, 300_000, ({ row }) => row.notice === notice)).toEqual([show]);
      continue;
    }
    expect(within(show, 3_600_000, ({ row }) => !URGENT.includes(row.notice)).length).toBeLessThanOrEqual(6);
    const again = within(
      show,
      60_000,
      (other) =>
        other !== show &&
        !['N2', ...URGENT].includes(other.row.notice) &&
        other.row.agents.some((agent) => agents.includes(agent)),
    );
    expect(again.map(({ row }) => row)).toEqual([]);
  }
}

/** Each episode is shown once, each end after its beginning, and what is taken away was there. */
export function expectEpisodes(shown: readonly Shown[]): void {
  const there = new Set<string>();
  const ever = new Set<string>();
  for (const { push } of shown) {
    if (push.type === 'withdraw') {
      expect(there.delete(push.key)).toBe(true);
      continue;
    }
    const { key, notice } = push.notice;
    // Only what gathers agents may grow.
    if (notice !== 'N2') expect(ever.has(key)).toBe(false);
    if (notice === 'N4') expect(ever.has(`N3${key.slice(2)}`)).toBe(true);
    there.add(key);
    ever.add(key);
  }
}

/** At any time there is at most one notice that goes on about the same thing. */
export function expectOneAtATime(rows: readonly NoticeRow[]): void {
  const going = rows.filter(({ isOver, notice }) => !isOver && notice !== 'N2');
  const about = going.map(({ notice, project, agents, model, version }) =>
    [notice, project, agents.join(), agents.length > 0 ? '' : model, version].join('|'),
  );
  expect(new Set(about).size).toBe(about.length);
}
