import { describe, expect, it } from 'vitest';
import type { SessionsQuery, StoreRow } from '../../../src/core/base/store-rows';
import { emptyScorecard, openPartOf } from '../../../src/engine/scorecard';
import { drivers, openDatabase } from '../../../src/node/store/driver';
import { keepSteps } from '../../../src/node/store/keep';
import { readAgents, readSessions, readTurns, readUsed } from '../../../src/node/store/read-sessions';
import { migrate } from '../../../src/node/store/schema';
import { writeBatch } from '../../../src/node/store/write';
import { START } from '../../core/virtual-core';
import { newPath } from './store-support';

const DAY = 86_400_000;

const seen = (session: string, project: string, at: number, parent: string | null = null): StoreRow => ({
  type: 'session.seen',
  session,
  parent,
  project,
  at,
});
type Started = Extract<StoreRow, { type: 'attempt.started' }>;
const speaker = { agent: 'build', model: 'acme/one', position: 0, purpose: 'turn' } as const;
const started = (attempt: string, session: string, at: number, over: Partial<Started> = {}): StoreRow => ({
  ...{ type: 'attempt.started', attempt, turn: attempt, session, at },
  ...speaker,
  ...over,
});
type Ended = Extract<StoreRow, { type: 'attempt.ended' }>;
const ended = (attempt: string, outcome: Ended['outcome'], kind: Ended['kind'] = null): StoreRow => ({
  ...{ type: 'attempt.ended', attempt, outcome, kind },
  ...{ status: null, message: null, durationMs: 40, firstTokenMs: null },
});

/** Three conversations, one of them with a sub-agent, on a file of its own. */
const ROWS: readonly StoreRow[] = [
  seen('ses_a', 'shop', START),
  started('a1', 'ses_a', START),
  ended('a1', 'success'),
  started('a2', 'ses_a', START + 10, { position: 1, model: 'spare/GPT-5' }),
  ended('a2', 'success'),
  started('title', 'ses_a', START + 11, { agent: 'title', purpose: 'internal' }),
  seen('ses_b', 'Checkout', START + DAY),
  started('b1', 'ses_b', START + DAY),
  ended('b1', 'limited', 'rate_limit'),
  started('b2', 'ses_b', START + DAY + 1, { turn: 'b1', position: 1, model: 'spare/two' }),
  ended('b2', 'success'),
  seen('ses_sub', 'Checkout', START + DAY + 2, 'ses_b'),
  started('s1', 'ses_sub', START + DAY + 2, { agent: 'explore' }),
  ended('s1', 'neutral', 'aborted'),
  seen('ses_c', '100%_sure', START + 2 * DAY),
  started('c1', 'ses_c', START + 2 * DAY),
];

const ALL: SessionsQuery = { search: '', before: null, except: [], limit: 50 };

describe.each(drivers().map((driver) => [driver.name, driver] as const))(
  'given three conversations in %s',
  (_, driver) => {
    const filled = async () => {
      const database = openDatabase(await newPath(), driver);
      if (!database) throw new Error('no SQLite here');
      migrate(database);
      writeBatch(database, { cursor: 1, rows: ROWS, cells: [], open: openPartOf(emptyScorecard()) });
      const names = (query: Partial<SessionsQuery>) => {
        const { sessions, total } = readSessions(database, { ...ALL, ...query });
        return [sessions.map(({ session }) => session), total];
      };
      return { database, names };
    };

    it('when they are listed, then the newest is first, and a sub-agent is none of its own', async () => {
      const { database, names } = await filled();
      expect(names({})).toEqual([['ses_c', 'ses_b', 'ses_a'], 3]);
      expect({ ...readSessions(database, { ...ALL, limit: 1 }).sessions[0] }).toEqual({
        session: 'ses_c',
        project: '100%_sure',
        firstAt: START + 2 * DAY,
        lastAt: START + 2 * DAY,
      });
    });

    it('when one page has two, then the next has the third, and all are counted', async () => {
      const { names } = await filled();
      expect(names({ limit: 2 })).toEqual([['ses_c', 'ses_b'], 3]);
      expect(names({ limit: 2, before: { at: START + DAY, session: 'ses_b' } })).toEqual([['ses_a'], 3]);
      expect(names({ except: ['ses_c'] })).toEqual([['ses_b', 'ses_a'], 2]);
    });

    it.each([
      ['checkout', ['ses_b']],
      ['SES_A', ['ses_a']],
      ['gpt-5', ['ses_a']],
      ['explore', ['ses_b']],
      ['%_', ['ses_c']],
      ['title', []],
      ["' OR 1=1 --", []],
    ])('when %j is searched, then %j fit', async (search, found) => {
      const { names } = await filled();
      expect(names({ search })).toEqual([found, found.length]);
    });

    it('when its turns are asked for, then those with trouble say so, and requests of OpenCode itself are none', async () => {
      const { database } = await filled();
      const turns = readTurns(database, ['ses_a', 'ses_b', 'ses_sub']);
      expect(turns.map(({ turn, agent, isTroubled }) => [turn, agent, isTroubled])).toEqual([
        ['a1', 'build', false],
        ['a2', 'build', true],
        ['b1', 'build', true],
        ['s1', 'explore', false],
      ]);
      expect(turns[2]).toMatchObject({ at: START + DAY, lastAt: START + DAY + 1, session: 'ses_b' });
      expect(readAgents(database, ['ses_a', 'ses_sub'])).toEqual(['build', 'explore']);
    });

    it('when what was used is asked for, then it is one row a report, of turns alone', async () => {
      const { database } = await filled();
      const used = {
        ...{ session: 'ses_a', turn: 'a1', agent: 'build', model: 'acme/one', position: 0 },
        at: START + 5,
      };
      const figures = { input: 10, output: 5, reasoning: 1, cacheRead: 2, cacheWrite: 3, costNanos: 500 };
      const rows: StoreRow[] = [
        { type: 'used', ...used, ...figures, purpose: 'turn' },
        { type: 'used', ...used, ...figures, purpose: 'internal' },
      ];
      writeBatch(database, { cursor: 2, rows, cells: [], open: openPartOf(emptyScorecard()) });
      expect(readUsed(database, ['ses_a'], START).map((row) => ({ ...row }))).toEqual([
        { turn: 'a1', model: 'acme/one', at: START + 5, tokens: 21, costNanos: 500 },
      ]);
      expect(readUsed(database, ['ses_a'], START + 6)).toEqual([]);
    });

    it('when the first two days are given up, then nobody is remembered who spoke in them', async () => {
      const { database, names } = await filled();
      Array.from(keepSteps(database, START + 2 * DAY + 3_600_000, { detailDays: 1, maxBytes: 1e9 }));
      expect(names({})).toEqual([['ses_c'], 1]);
      expect(readAgents(database, ['ses_a', 'ses_b', 'ses_sub'])).toEqual([]);
    });
  },
);
