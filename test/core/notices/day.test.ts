import { describe, expect, it } from 'vitest';
import { clock } from '../../../src/wording/wording';
import { playDay } from './day';
import { expectEpisodes, expectNoStorm } from './rules';
import { lineOf } from './told-core';

describe('given a day with outages, limits, a rejected key, a sleep, a lost OpenCode and an hour of chaos', () => {
  it('when it is over, then exactly this was shown, within all limits', { timeout: 120_000 }, async () => {
    const day = await playDay();
    const asleepMs = day.clock.wall() - day.clock.now();
    const told = day.shown.map(({ push, now }) => {
      const wall = push.type === 'show' ? push.notice.at : now + asleepMs;
      return push.type === 'show' ? `${clock(wall)} ${lineOf(push)}` : lineOf(push);
    });
    expect(told).toEqual([
      '02:15 N3 test has no model left',
      '07:00 digest 2 notices during quiet hours',
      '08:05 N4 test is working again',
      '- N3',
      '09:30 N1 plan now uses gpt-5',
      '- N1',
      '10:45 N1 plan now uses gpt-5',
      '- N1',
      '12:00 N2 3 agents switched models',
      '12:01 N1 plan now uses gpt-5',
      '- N1',
      '- N2',
      '13:05 N6 openai needs attention',
      '13:05 N1 build now uses gemini',
      '- N6',
      '- N1',
      '14:10 N11 test uses a costlier model',
      '- N11',
      '17:00 N8 Lost contact with OpenCode',
      '- N8',
      '18:00 N3 build has no model left',
      '18:02 N1 review now uses devstral',
      '18:20 N4 build is working again',
      '- N3',
      '- N1',
      '19:00 N9 Companion and app versions differ',
      '20:05 N1 build now uses gpt-5',
      '20:06 N1 style now uses gemini',
      '20:06 N11 test uses a costlier model',
      '- N11',
      '20:08 N1 docs now uses gemini',
      '- N1',
      '20:09 N18 Many requests fail',
      '20:09 N1 build now uses gpt-5',
      '- N1',
      '- N1',
      '- N1',
    ]);
    // Everything is listed, also what nobody was disturbed with.
    const { rows, total } = await day.list();
    const count = (id: string): number => rows.filter(({ notice }) => notice === id).length;
    expect([total, count('N1'), count('N3'), count('N4'), count('N5'), count('N6')]).toEqual([142, 49, 2, 2, 52, 1]);
    expectNoStorm(day.shown);
    expectEpisodes(day.shown);
  });
});
