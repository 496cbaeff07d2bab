import type { Core } from '../../../src/core/core';
import { COMPANION, virtualClock } from '../virtual-core';
import { type Asked, choosing, LIMITED, type Outcome, openToldCore, REJECTED } from './told-core';

const MINUTE = 60_000;
const [SHOP, SITE, API] = ['/home/u/shop', '/home/u/site', '/home/u/api'] as const;
const [SONNET, GPT, GEMINI, DEVSTRAL, OPUS] = [
  'anthropic/claude-sonnet',
  'openai/gpt-5',
  'google/gemini',
  'mistral/devstral',
  'anthropic/claude-opus',
] as const;

const CHAINS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  [SHOP]: {
    build: [SONNET, GPT, GEMINI],
    plan: [SONNET, GPT, GEMINI],
    review: [SONNET, DEVSTRAL],
    docs: [SONNET, GEMINI],
  },
  [SITE]: { build: [GPT, GEMINI], style: [DEVSTRAL, GEMINI] },
  [API]: { test: [DEVSTRAL, OPUS], solo: [GEMINI] },
};
const FACTS = { [DEVSTRAL]: { priceIn: 0.4, priceOut: 2 }, [OPUS]: { priceIn: 15, priceOut: 75 } };

export type Day = ReturnType<typeof openToldCore>;
type Deed = Readonly<{ at: string; play(day: Day): void }>;

const USABLE: readonly string[] = ['ready', 'degraded', 'unseen', 'resting'];

/** One message of an agent, answered by the first of its chain that is usable: what most of a day is made of. */
function speak(day: Day, where: string, agent: string): void {
  const { chains } = day.core.host.handlers['snapshot.get'](null) as Extract<
    ReturnType<Core['host']['handlers']['snapshot.get']>,
    { chains: unknown }
  >;
  const row = chains.find((each) => each.directory === where && each.agent === agent);
  const model = row?.chain.find(({ state }) => USABLE.includes(state))?.model;
  if (model !== undefined) day.turn(where, agent, [[model, 'answers']]);
}

const falls = (at: string, where: string, agent: string, ...outcomes: readonly Outcome[]): Deed => ({
  at,
  play: (day) => {
    const chain = CHAINS[where]?.[agent] ?? [];
    day.turn(
      where,
      agent,
      outcomes.map((outcome, index): Asked => [chain[index] as string, outcome]),
    );
  },
});

/** What goes wrong, in order. All times are of the machine's own zone. */
const DEEDS: readonly Deed[] = [
  // At night: everything but an exhausted chain waits for the morning.
  falls('02:10', SHOP, 'plan', LIMITED, 'answers'),
  falls('02:15', API, 'test', LIMITED, LIMITED),
  { at: '06:30', play: (day) => day.core.updateReady('2.0.0') },
  // An agent falls back; the same happens again an hour later, after it was home.
  falls('09:30', SHOP, 'plan', LIMITED, 'answers'),
  falls('10:45', SHOP, 'plan', LIMITED, 'answers'),
  // A provider limits everybody at once.
  falls('12:00', SHOP, 'build', LIMITED, 'answers'),
  falls('12:00', SHOP, 'review', LIMITED, 'answers'),
  falls('12:00', SHOP, 'docs', LIMITED, 'answers'),
  // A key is withdrawn, and somebody looks at it.
  falls('13:05', SITE, 'build', REJECTED, 'answers'),
  falls('13:06', SITE, 'build', 'answers'),
  { at: '13:40', play: (day) => day.tell({ type: 'health.reset', target: { provider: 'openai' }, actor: 'panel' }) },
  // The understudy is far dearer.
  falls('14:10', API, 'test', LIMITED, 'answers'),
  // The machine sleeps while something waits to be told.
  falls('15:00', SITE, 'style', LIMITED, 'answers'),
  {
    at: '15:00',
    play: (day) => {
      day.clock.sleep(40 * MINUTE);
      day.core.woken();
    },
  },
  // OpenCode is killed at work, and started again.
  { at: '17:00', play: (day) => day.core.lost('i1') },
  { at: '17:05', play: (day) => void day.connect() },
  // Nobody is left, until the first limit is over.
  falls('18:00', SHOP, 'build', LIMITED, LIMITED, LIMITED),
  { at: '19:00', play: (day) => day.core.incompatible({ ...COMPANION, instance: 'i9', plugin: '9.0.0' }) },
  ...storm(),
];

/** An hour in which every agent falls back and comes home all the time. */
function storm(): Deed[] {
  return Array.from({ length: 40 }, (_, index): Deed => {
    const [where, agent] = (
      [
        [SHOP, 'build'],
        [SITE, 'style'],
        [API, 'test'],
        [SHOP, 'docs'],
      ] as const
    )[index % 4] as [string, string];
    const minute = 5 + index;
    return {
      at: `20:${String(minute).padStart(2, '0')}`,
      play: (day) => {
        day.tell({ type: 'health.reset', target: { all: true }, actor: 'panel' });
        falls('', where, agent, LIMITED, 'answers').play(day);
        day.tell({ type: 'health.reset', target: { all: true }, actor: 'panel' });
        speak(day, where, agent);
        falls('', where, agent, LIMITED, 'answers').play(day);
      },
    };
  });
}

const SPEAKERS = Object.entries(CHAINS).flatMap(([where, agents]) =>
  Object.keys(agents).map((agent) => [where, agent] as const),
);

/** Plays the day from midnight to midnight: each agent speaks every 20 min from 8 to 22, and what goes wrong goes wrong. */
export async function playDay(): Promise<Day> {
  const midnight = new Date(2026, 3, 14).getTime();
  const of = (time: string): number => new Date(2026, 3, 14, Number(time.slice(0, 2)), Number(time.slice(3))).getTime();
  const day = openToldCore({
    clock: virtualClock(midnight),
    preferences: choosing({ quietHours: { enabled: true, from: '22:00', until: '07:00' } }),
  });
  day.connect();
  for (const [where, chains] of Object.entries(CHAINS)) day.arm(where, chains, { models: FACTS });
  const talk = SPEAKERS.flatMap(([where, agent], index): Readonly<{ wall: number; play(day: Day): void }>[] =>
    Array.from({ length: 42 }, (_, turn) => ({
      wall: of('08:00') + (turn * 20 + index) * MINUTE + 20_000,
      play: (each) => speak(each, where, agent),
    })),
  );
  const deeds = DEEDS.map(({ at, play }) => ({ wall: of(at), play }));
  for (const { wall, play } of [...deeds, ...talk].sort((one, other) => one.wall - other.wall)) {
    await day.pass(Math.max(0, wall - day.clock.wall()));
    play(day);
  }
  await day.pass(of('24:00') - day.clock.wall());
  return day;
}
