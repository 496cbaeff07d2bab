import type { ModelAbilities, ModelHistory, ModelRow, Snapshot } from '../contract/snapshot';
import type { ModelUse } from '../contract/usage';
import { type ModelState, unbooked } from '../engine/names';
import { modelTexts, wordTexts } from '../texts';
import { type LiveAgent, liveRows } from './agent-record';
import { isReadIn } from './model-rows';
import { agentLabel, elapsed, shortName, stateWithin } from './wording';

/** A time a model spent in one state, wall-clock ms. */
export type Stretch = Readonly<{ state: ModelState; from: number; to: number }>;

/** The states of a model as stretches up to `at`. */
export function stretchesOf({ states }: Pick<ModelHistory, 'states'>, at: number): readonly Stretch[] {
  return states.map(({ state, at: from }, index) => ({ state, from, to: states[index + 1]?.at ?? at }));
}

/** The total time in each state in ms, the longest first. */
export function totalsOf(stretches: readonly Stretch[]): readonly Readonly<{ state: ModelState; ms: number }>[] {
  const totals = new Map<ModelState, number>();
  for (const { state, from, to } of stretches) totals.set(state, (totals.get(state) ?? 0) + to - from);
  return [...totals].map(([state, ms]) => ({ state, ms })).sort((a, b) => b.ms - a.ms);
}

/** The last 24 hours in one sentence: "ready 19 h, cooling 90 min". */
export function timelinePhrase(stretches: readonly Stretch[]): string {
  const parts = totalsOf(stretches).map(({ state, ms }) => `${stateWithin(state)} ${elapsed(ms)}`);
  const { none, some } = modelTexts().timeline;
  return parts.length === 0 ? none : some(parts.join(', '));
}

/** The records of an agent of a project in its live sessions. */
export const speakersOf = (
  snapshot: Snapshot,
  { directory, agent }: Readonly<{ directory: string; agent: string }>,
): readonly LiveAgent[] => liveRows(snapshot).filter((of) => of.directory === directory && of.row.agent === agent);

/** An agent with the model in its chain. */
export type Dependant = Readonly<{ directory: string; agent: string; label: string; phrase: string }>;

/** The agents with a model in their chain, and its position. */
export function dependantsOf(snapshot: Snapshot, model: string): readonly Dependant[] {
  return snapshot.chains.flatMap(({ directory, agent, chain }) => {
    const position = chain.findIndex((member) => isReadIn(snapshot.models, model, directory, member.model));
    if (position < 0) return [];
    const models = speakersOf(snapshot, { directory, agent }).map(({ record }) => record.model);
    const active = models.find((each) => each === unbooked(model)) ?? models[0];
    const t = modelTexts().speaks;
    const place = t.place(position + 1, chain.length);
    const phrase =
      active === undefined ? place : active === unbooked(model) ? t.now(place) : t.other(place, shortName(active));
    return [{ directory, agent, label: agentLabel(agent), phrase }];
  });
}

/** "4 in 2 min, 1 failed": the text of the sparkline. */
export function recentPhrase(recent: ModelRow['recent']): string {
  const calls = recent.reduce((sum, minute) => sum + minute.calls, 0);
  const failed = recent.reduce((sum, minute) => sum + minute.failed, 0);
  const t = modelTexts().recent;
  if (calls + failed === 0) return t.none;
  return failed > 0 ? t.failed(calls, failed) : t.calls(calls);
}

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
/** Shorter times are given in seconds. */
const IN_SECONDS_MS = 2 * MINUTE_MS;
/** States with an end time. */
const TIMED: readonly ModelState[] = ['open', 'cooling', 'resting', 'held'];

/** The elapsed part of a model's timed state: "37 of 60 min", "12 of 30 s"; null without an end time. */
export function gonePhrase({ state, since, until }: ModelRow, at: number): string | null {
  if (since === null || until === null || until <= since || !TIMED.includes(state)) return null;
  const t = modelTexts().breaker;
  const isShort = until - since < IN_SECONDS_MS;
  const unitMs = isShort ? SECOND_MS : MINUTE_MS;
  const all = Math.round((until - since) / unitMs);
  // Rounded like the countdown beside it, so that both add up.
  const leftSeconds = Math.max(0, Math.ceil((until - at) / SECOND_MS));
  const left = isShort ? leftSeconds : Math.round((leftSeconds * SECOND_MS) / MINUTE_MS);
  const gone = Math.min(all, Math.max(0, all - left));
  return isShort ? t.seconds(gone, all) : t.minutes(gone, all);
}

/** The state of a model's breaker: "2 of 3 failures, 37 of 60 min". An open breaker does not count. */
export function breakerPhrase(row: ModelRow, at: number): string {
  const counted = row.state === 'open' ? '' : modelTexts().breaker.counted(row.failures, row.failureThreshold);
  return [counted, gonePhrase(row, at) ?? ''].filter(Boolean).join(', ') || modelTexts().breaker.open;
}

export const countedOf = (row: Pick<ModelRow, 'model'>, uses: readonly ModelUse[]): ModelUse | undefined =>
  uses.find(({ model }) => model === unbooked(row.model));

/** The outcomes of a model, in drawing order. */
export const OUTCOMES = [
  'answered',
  'slow',
  'failed',
  'skipped',
] as const satisfies readonly (keyof ModelUse['outcomes'])[];

/** All outcomes, including zeros: "41 answered, 2 slow, 3 failed, 1 skipped". */
export const outcomesPhrase = (outcomes: ModelUse['outcomes']): string =>
  OUTCOMES.map((outcome) => modelTexts().outcomes[outcome](outcomes[outcome])).join(', ');

/** "400k", "1M": a context window in tokens. */
export function contextPhrase(tokens: number): string {
  return tokens >= 1e6
    ? `${wordTexts().decimal(String(Math.floor(tokens / 1e5) / 10))}M`
    : `${Math.floor(tokens / 1e3)}k`;
}

/** Prices of a million tokens, in and out: "$1.25 / $10"; null without prices. */
export function pricePhrase({ priceIn, priceOut }: ModelAbilities): string | null {
  if (priceIn === null && priceOut === null) return null;
  const money = (price: number | null) =>
    price === null ? '?' : wordTexts().dollars(String(Number(price.toFixed(2))));
  return `${money(priceIn)} / ${money(priceOut)}`;
}
