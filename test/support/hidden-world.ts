import type { LogRecord } from '../../src/core/base/record';
import { type EngineEvent, initialState, type ScopeConfig, SWIFT, step } from '../../src/engine';
import type { CompanionEvent } from '../../src/protocol';
import { scopeOf } from '../core/virtual-core';
import { seeded } from '../engine/naive';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DIRECTORY = '/home/u/project';
/** Monday, 21 September 2026, 00:00 UTC. */
const BEGIN = 1_789_948_800_000;
/** People work on working days, for eight hours from nine o'clock. */
const WORK = { daysAWeek: 5, fromHour: 9, hours: 8, turnsAnHour: 6 } as const;
const PAUSE_MS = 60_000;
const TURNS_A_SESSION = 20;

/** True quality of a model. Its outages are random and hidden from the engine. */
export type Nature = Readonly<{
  /** Mean time between outages and mean duration, in hours. */
  upHours: number;
  downHours: number;
  /** Shares of failing requests outside and within an outage. */
  strayShare: number;
  outageShare: number;
}>;

export type Natures = Readonly<Record<string, Nature>>;
export type Chains = Readonly<Record<string, readonly string[]>>;

type Message = Readonly<{ at: number; agent: string }>;

/** Messages, and the models that would answer them; queries change nothing. */
export type HiddenWorld = Readonly<{
  messages: readonly Message[];
  halfAt: number;
  answers(model: string, message: number): boolean;
}>;

/** `planShare` of the messages go to the agent `plan`, all others to `build`. */
export function hiddenWorld(
  seed: number,
  natures: Natures,
  { days = 28, planShare = 0 }: Readonly<{ days?: number; planShare?: number }> = {},
): HiddenWorld {
  const random = seeded(seed);
  const messages = messagesOf(random, days, planShare);
  const luck = new Map(Object.entries(natures).map(([model, nature]) => [model, luckOf(random, nature, messages)]));
  return {
    messages,
    halfAt: BEGIN + (days / 2) * DAY_MS,
    answers: (model, message) => luck.get(model)?.[message] ?? false,
  };
}

/** Exponentially distributed time, with this mean. */
const waited = (random: () => number, mean: number): number => -Math.log(1 - random()) * mean;

function messagesOf(random: () => number, days: number, planShare: number): Message[] {
  const messages: Message[] = [];
  for (let day = 0; day < days; day++) {
    if (day % 7 >= WORK.daysAWeek) continue;
    const from = BEGIN + day * DAY_MS + WORK.fromHour * HOUR_MS;
    const pause = (): number => PAUSE_MS + waited(random, HOUR_MS / WORK.turnsAnHour);
    for (let at = from + pause(); at < from + WORK.hours * HOUR_MS; at += pause())
      messages.push({ at: Math.round(at), agent: random() < planShare ? 'plan' : 'build' });
  }
  return messages;
}

function luckOf(random: () => number, nature: Nature, messages: readonly Message[]): boolean[] {
  const { upHours, downHours, strayShare, outageShare } = nature;
  const lasting = (isDown: boolean): number => waited(random, HOUR_MS * (isDown ? downHours : upHours));
  let isDown = random() < downHours / (upHours + downHours);
  let until = BEGIN + lasting(isDown);
  return messages.map(({ at }) => {
    while (until <= at) {
      isDown = !isDown;
      until += lasting(isDown);
    }
    return random() >= (isDown ? outageShare : strayShare);
  });
}

export type Life = Readonly<{
  records: readonly LogRecord[];
  ends: readonly (Message & Readonly<{ isAnswered: boolean }>)[];
}>;

/** Simulates the engine's decisions, with different chains in the two halves. */
export function liveIn(world: HiddenWorld, first: Chains, second: Chains = first): Life {
  const records: LogRecord[] = [];
  let state = initialState;
  const tell: Tell = (at, event) => {
    records.push({ v: 1, at, from: { instance: 'i1', seq: records.length + 1 }, event: event as CompanionEvent });
    const result = step(state, event, at, 0.5);
    state = result.state;
    return result.decisions[0]?.action;
  };
  const configure = (at: number, chains: Chains) =>
    tell(at, { type: 'scope.configured', directory: DIRECTORY, config: configOf(chains) });
  configure(BEGIN, first);
  const isSecond = ({ at }: Message): boolean => at >= world.halfAt;
  const turning = world.messages.findIndex(isSecond);
  const ends = world.messages.map((message, number) => {
    if (number === turning) configure(world.halfAt, second);
    const chain = (isSecond(message) ? second : first)[message.agent] ?? [];
    const isAnswered = playTurn(tell, { ...message, number, lead: chain[0] ?? '' }, (model) =>
      world.answers(model, number),
    );
    return { ...message, isAnswered };
  });
  return { records, ends };
}

type Tell = (at: number, event: EngineEvent) => Action | undefined;
type Action = NonNullable<ReturnType<typeof step>['decisions'][number]>['action'];

const configOf = (chains: Chains): ScopeConfig => ({
  ...scopeOf(),
  agents: Object.fromEntries(Object.entries(chains).map(([agent, chain]) => [agent, { chain, policy: SWIFT }])),
});

/** @returns true if the turn was answered. */
function playTurn(
  tell: Tell,
  { at, agent, number, lead }: Message & Readonly<{ number: number; lead: string }>,
  answers: (model: string) => boolean,
): boolean {
  const session = `s${Math.floor(number / TURNS_A_SESSION)}`;
  const about = { turn: `t${number}`, session, directory: DIRECTORY, agent };
  const evidence = { phase: 'body', status: 503, message: 'Service unavailable' } as const;
  let now = at;
  let action = tell(now, { type: 'prompt.submitted', ...about, model: lead, hostLead: lead, isExplicit: false });
  for (let n = 0; action && 'to' in action; n++) {
    const model: string = action.to;
    const attempt = `t${number}.${n}`;
    const refused = tell(now, { type: 'attempt.started', ...about, attempt, model, purpose: 'turn' });
    const isAnswered = !refused && answers(model);
    const durationMs = isAnswered ? 8_000 : 2_000;
    if (!refused) now += durationMs;
    if (isAnswered) {
      tell(now, { type: 'attempt.succeeded', attempt, durationMs, firstTokenMs: 600, outputChars: 900 });
      return true;
    }
    action = refused ?? tell(now, { type: 'attempt.failed', attempt, evidence, durationMs });
  }
  return false;
}
