import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../src/contract/snapshot';
import { createEpisodes, type Happening } from '../../src/plugin/runtime/episodes';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const row = (over: Partial<EventRow>): EventRow => ({
  ...{ id: 0, at: 0, code: 'switch.rate_limit', state: 'cooling', agent: 'build', session: 's', model: 'a/lead' },
  ...{ to: 'b/spare', kind: 'rate_limit', status: 429, until: null, detail: null, durationMs: null, trace: [] },
  ...over,
});
const left = (agent = 'build', lead = 'a/lead', to = 'b/spare'): Happening => ({
  ...{ what: 'left', agent, lead },
  row: row({ agent, to }),
});
const onward = (to: string): Happening => left('build', 'a/lead', to);
const answered = (model = 'a/lead', agent = 'build'): Happening => ({ what: 'answered', agent, lead: 'a/lead', model });
const exhausted = (agent = 'build'): Happening => ({
  ...{ what: 'exhausted', agent },
  row: row({ code: 'exhausted.rate_limit', agent, to: null }),
});
const asks: Happening = {
  what: 'told',
  rows: [row({ code: 'question.skipped' }), row({ code: 'session.paused' })],
};

const SWITCHED = 'build switched lead → spare: rate limited (429)';
const BACK = 'build is back on lead';
const OUT = 'build has no available model: lead is rate limited (429)';

/** What is told when these things happen at these times, and when: the timer asked for is kept. */
function told(script: readonly (readonly [number, Happening])[], until = 3 * 3_600_000): (readonly [number, string])[] {
  const episodes = createEpisodes();
  const notices: (readonly [number, string])[] = [];
  const pass = (to: number): void => {
    for (let at = episodes.dueAt(); at !== null && at <= to; at = episodes.dueAt())
      for (const { message } of episodes.due(at)) notices.push([at, message]);
  };
  for (const [at, happening] of script) {
    pass(at);
    for (const { message } of episodes.hear(happening, at)) notices.push([at, message]);
  }
  pass(until);
  return notices;
}

describe('given what happens to agents, and when', () => {
  it.each<[string, readonly (readonly [number, Happening])[], readonly (readonly [number, string])[]]>([
    ['one switch', [[0, left()]], [[2_000, SWITCHED]]],
    [
      'a switch to a model that fails as well',
      [
        [0, left()],
        [500, exhausted()],
      ],
      [[500, OUT]],
    ],
    [
      'the same in 50 turns of an hour',
      Array.from({ length: 50 }, (_, n) => [n * MINUTE, left()]),
      [[2_000, SWITCHED]],
    ],
    [
      'a switch, answers of the understudy, and one of the lead',
      [
        [0, left()],
        [5_000, answered('b/spare')],
        [MINUTE, left()],
        [2 * MINUTE, answered()],
      ],
      [
        [2_000, SWITCHED],
        [2 * MINUTE, BACK],
      ],
    ],
    [
      'two changes of model in one episode, 65 s apart',
      [
        [0, left()],
        [65_000, onward('c/third')],
        [3 * MINUTE, answered()],
      ],
      [
        [2_000, SWITCHED],
        [67_000, SWITCHED.replace('spare', 'third')],
        [3 * MINUTE, BACK],
      ],
    ],
    [
      'a second change within the minute: it is told when the minute ends',
      [
        [0, left()],
        [10_000, onward('c/third')],
        [20_000, onward('d/fourth')],
      ],
      [
        [2_000, SWITCHED],
        [62_000, SWITCHED.replace('spare', 'fourth')],
      ],
    ],
    [
      'a second change within the minute that is over before the minute ends',
      [
        [0, left()],
        [10_000, onward('c/third')],
        [20_000, left()],
      ],
      [[2_000, SWITCHED]],
    ],
    [
      'an episode that begins within the minute, and lasts',
      [
        [0, left()],
        [40_000, answered()],
        [50_000, left()],
      ],
      [
        [2_000, SWITCHED],
        [40_000, BACK],
        [62_000, SWITCHED],
      ],
    ],
    [
      'a lead that fails again 10 s after it came back, and is back before the minute ends',
      [
        [0, left()],
        [40_000, answered()],
        [50_000, left()],
        [60_000, answered()],
      ],
      [
        [2_000, SWITCHED],
        [40_000, BACK],
      ],
    ],
    [
      'a lead that fails again after 10 min',
      [
        [0, left()],
        [MINUTE, answered()],
        [11 * MINUTE, left()],
      ],
      [
        [2_000, SWITCHED],
        [MINUTE, BACK],
        [11 * MINUTE + 2_000, SWITCHED],
      ],
    ],
    [
      'a lead that is back before its switch was told',
      [
        [0, left()],
        [1_000, answered()],
      ],
      [],
    ],
    [
      'two agents within 2 s',
      [
        [0, left()],
        [1_999, left('plan')],
      ],
      [[2_000, `${SWITCHED}\n${SWITCHED.replace('build', 'plan')}`]],
    ],
    [
      'three agents within 2 s',
      [
        [0, left()],
        [10, left('plan')],
        [20, left('review')],
      ],
      [[2_000, '3 agents switched models: build, plan, review. lead is rate limited (429)']],
    ],
    [
      'seven switches in an hour, each after the lead was back: six are told',
      Array.from({ length: 7 }, (_, n) => [
        [n * 5 * MINUTE, left()] as const,
        [n * 5 * MINUTE + MINUTE, answered()] as const,
      ]).flat(),
      Array.from({ length: 7 }, (_, n) => [
        [n * 5 * MINUTE + 2_000, SWITCHED] as const,
        [n * 5 * MINUTE + MINUTE, BACK] as const,
      ])
        .slice(0, 6)
        .flat(),
    ],
    [
      'a chain that is out for three turns, then an understudy',
      [
        [0, exhausted()],
        [5_000, exhausted()],
        [10_000, exhausted()],
        [MINUTE, answered('b/spare')],
        [2 * MINUTE, exhausted()],
        [10 * MINUTE, answered('b/spare')],
      ],
      [
        [0, OUT],
        [MINUTE, 'build is working again: spare answered'],
      ],
    ],
    [
      'a switch, then nobody, then the lead: one word for both',
      [
        [0, left()],
        [3_000, exhausted()],
        [MINUTE, answered()],
      ],
      [
        [2_000, SWITCHED],
        [3_000, OUT],
        [MINUTE, BACK],
      ],
    ],
    [
      'something that happens once by itself',
      [[0, asks]],
      [
        [
          0,
          'build got no answer in time\nThis session is paused because all its agents are paused. Nothing is lost. Check your network, providers and API keys; /fallback-status shows the models, /retry all resumes the agents',
        ],
      ],
    ],
  ])('when it is %s, then exactly this is told', (_, script, notices) => {
    expect(told(script)).toEqual(notices);
  });

  it('when nothing is gathered, then nothing waits', () => {
    const episodes = createEpisodes();
    episodes.hear(exhausted(), 0);
    expect([episodes.dueAt(), episodes.due(10_000)]).toEqual([null, []]);
  });
});
