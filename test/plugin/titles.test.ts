import { describe, expect, it } from 'vitest';
import { createTitles, titledIn } from '../../src/plugin/stores/titles';
import { type SessionTitles, TITLE_MAX_CHARS } from '../../src/protocol';

const SHOP = '/home/ada/shop';

function open() {
  const titles = createTitles();
  const told: SessionTitles[] = [];
  titles.onNote((news) => told.push(news));
  return { titles, told };
}

describe('given what OpenCode calls its sessions', () => {
  it('when nobody allows it, then nothing is kept and nobody is told', () => {
    const { titles, told } = open();
    titles.note(SHOP, [{ session: 's1', title: 'Cart' }]);
    expect([titles.all(), told]).toEqual([[], []]);
  });

  it('when it is allowed, then each title is told, the same again as well, and to an app that comes later', () => {
    const { titles, told } = open();
    expect([titles.allow(SHOP, true), titles.allow(SHOP, true)]).toEqual([true, false]);
    for (const title of ['Cart', 'Cart', 'Cart and till']) titles.note(SHOP, [{ session: 's1', title }]);
    expect(told.map(({ titles: news }) => news)).toEqual([
      [{ session: 's1', title: 'Cart' }],
      [{ session: 's1', title: 'Cart' }],
      [{ session: 's1', title: 'Cart and till' }],
    ]);
    expect(titles.all()).toEqual([
      { type: 'session.titles', directory: SHOP, titles: [{ session: 's1', title: 'Cart and till' }] },
    ]);
  });

  it('when it is forbidden again, then all of that directory is forgotten', () => {
    const { titles } = open();
    titles.allow(SHOP, true);
    titles.note(SHOP, [{ session: 's1', title: 'Cart' }]);
    expect([titles.allow(SHOP, false), titles.all()]).toEqual([true, []]);
    titles.allow(SHOP, true);
    expect(titles.all()).toEqual([]);
  });

  it.each(['New session - 2026-11-26T01:50:34.123Z', 'Child session - 2026-11-26T01:50:34.123Z', ' \n '])(
    'when it has no more than %j, then that is no title',
    (title) => {
      const { titles, told } = open();
      titles.allow(SHOP, true);
      titles.note(SHOP, [{ session: 's1', title }]);
      expect(told).toEqual([]);
    },
  );

  it('when a title is long, then it is cut to what the app takes, and no character in half', () => {
    const { titles, told } = open();
    titles.allow(SHOP, true);
    titles.note(SHOP, [{ session: 's1', title: `${'a'.repeat(TITLE_MAX_CHARS - 2)}😀😀` }]);
    expect(told[0]?.titles[0]?.title).toBe(`${'a'.repeat(TITLE_MAX_CHARS - 2)}…`);
  });
});

describe('given the conversations that a host lists', () => {
  it('when some are of another folder, or of sub-agents, then those are left out; the oldest comes first', () => {
    const listed = [
      { id: 'new', title: 'New', directory: '/p' },
      { id: 'child', title: 'Child', directory: '/p', parentID: 'new' },
      { id: 'inner', title: 'Inner', directory: '/p/inner' },
      { id: 'unsaid', title: 'Unsaid' },
      { id: 7, title: 'Odd' },
      { id: 'old', title: 'Old', directory: '/p', parentID: null },
    ];
    expect(titledIn(listed, '/p').map(({ session }) => session)).toEqual(['old', 'unsaid', 'new']);
  });

  it.each([[null], [undefined], [{}], [[{ id: 1 }]]])('when it is %j, then there is none', (listed) => {
    expect(titledIn(listed, '/p')).toEqual([]);
  });
});
