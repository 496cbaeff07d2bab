import { describe, expect, it } from 'vitest';
import { createJournal } from '../../src/plugin/base/journal';
import { DIRECTORY, scopeOf } from '../core/virtual-core';

/** A journal of one configuration, and of so many other events. */
function journalOf(events: number) {
  const journal = createJournal();
  journal.add({ type: 'scope.configured', directory: DIRECTORY, config: scopeOf() }, 0);
  const add = (count: number): void => {
    for (let n = 0; n < count; n++) journal.add({ type: 'session.idle', session: 's1' }, n);
  };
  add(events);
  return { ...journal, add };
}
const numbers = (journal: Pick<ReturnType<typeof journalOf>, 'since'>): readonly number[] =>
  journal.since(0).map(({ seq }) => seq);

describe('given events that no app has acknowledged', () => {
  it('when there are 2,000 after the configuration, then all are there; beyond, the oldest go first and are counted', () => {
    const journal = journalOf(2_000);
    expect([numbers(journal).length, journal.dropped()]).toEqual([2_001, 0]);
    journal.add(300);
    expect([numbers(journal).slice(0, 2), journal.since(0).length, journal.dropped()]).toEqual([[1, 302], 2_001, 300]);
  });

  it('when the directory was closed long before an app appears, then it hears of it neither open nor closed', () => {
    const journal = createJournal();
    journal.add({ type: 'scope.configured', directory: DIRECTORY, config: scopeOf() }, 0);
    journal.add({ type: 'scope.closed', directory: DIRECTORY }, 0);
    for (let n = 0; n < 2_000; n++) journal.add({ type: 'session.idle', session: 's1' }, n);
    expect(journal.since(0).filter(({ event }) => event.type !== 'session.idle')).toEqual([]);
  });

  it('when an app is met that has heard nothing, then they stay lost, whatever it acknowledges of the rest', () => {
    const journal = journalOf(2_300);
    journal.met(0);
    journal.acknowledged(2_301);
    expect(journal.dropped()).toBe(300);
  });

  it('when the app that had heard them writes them after all, then nothing was lost', () => {
    const journal = journalOf(1);
    journal.met(0);
    journal.add(2_299);
    expect(journal.dropped()).toBe(300);
    journal.acknowledged(101);
    expect(journal.dropped()).toBe(200);
    journal.acknowledged(2_301);
    expect(journal.dropped()).toBe(0);
  });

  it('when that app dies and the next one has 101 of them on its disk, then 200 are lost', () => {
    const journal = journalOf(2_300);
    journal.met(101);
    journal.acknowledged(2_301);
    expect(journal.dropped()).toBe(200);
  });
});

describe('given an event that no app can be told', () => {
  const withOne = () => {
    const journal = journalOf(2);
    journal.unsendable(3);
    return journal;
  };

  it('when it is given up, then it is counted once, and nobody waits for an app to hear of it', () => {
    const journal = withOne();
    journal.unsendable(3);
    expect([journal.dropped(), numbers(journal), journal.lastSeq()]).toEqual([1, [1, 2], 2]);
    journal.acknowledged(2);
    expect(journal.dropped()).toBe(1);
    journal.add(1);
    expect([numbers(journal), journal.lastSeq()]).toEqual([[1, 2, 4], 4]);
  });

  it('when it is a configuration, then the next one of that directory is told', () => {
    const journal = withOne();
    journal.unsendable(1);
    journal.add(2_001);
    expect(journal.since(0)[0]?.event.type).toBe('session.idle');
    journal.acknowledged(2_004);
    expect(journal.dropped()).toBe(2);
  });
});

describe('given events that are acknowledged', () => {
  it('when more than 2,000 come after them, then forgetting them loses nothing', () => {
    const journal = journalOf(1_000);
    journal.acknowledged(1_001);
    journal.add(2_000);
    expect([numbers(journal)[1], journal.dropped()]).toEqual([1_002, 0]);
    journal.add(1);
    expect(journal.dropped()).toBe(1);
  });
});

describe('given what was counted of budgets and limits', () => {
  it('when it was forgotten long before an app appears, then the last of each is told, in order', () => {
    const journal = createJournal();
    const accounts = [['kimi', []]] as const;
    journal.add({ type: 'headroom.counted', accounts }, 0);
    journal.add({ type: 'money.counted', levels: [] }, 0);
    journal.add({ type: 'headroom.counted', accounts: [] }, 0);
    for (let n = 0; n < 2_000; n++) journal.add({ type: 'session.idle', session: 's1' }, n);
    expect(numbers(journal).slice(0, 3)).toEqual([2, 3, 4]);
    // The one that a later word has replaced is no loss of anything but itself.
    expect(journal.dropped()).toBe(1);
  });
});
