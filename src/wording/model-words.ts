import type { ModelAbilities, ModelHistory, ModelRow, Snapshot } from '../contract/snapshot';
import type { ModelUse } from '../contract/usage';
import { type ModelState, unbooked } from '../engine/names';
import { modelTexts, wordTexts } from '../texts';
import { type LiveAgent, liveRows } from './agent-record';
import { isReadIn } from './model-rows';
import { agentLabel, elapsed, shortName, stateWithin } from './wording';

/** A time a model spent in one state, wall-clock ms. */
export type Stretch = Readonly<{ state: ModelState; from: number; to: number }>;

/** The states of a model as stretches up to `at`; what was before the first is not known. */
export function stretchesOf({ states }: Pick<ModelHistory, 'states'>, at: number): readonly Stretch[] {
  return states.map(({ state, at: from }, index) => ({ state, from, to: states[index + 1]?.at ?? at }));
}

/** How long each state lasted in all, the longest first; ms. */
export function totalsOf(stretches: readonly Stretch[]): readonly Readonly<{ state: ModelState; ms: number }>[] {
  const totals = new Map<ModelState, number>();
  for (const { state, from, to } of stretches) totals.set(state, (totals.get(state) ?? 0) + to - from);
  return [...totals].map(([state, ms]) => ({ state, ms })).sort((a, b) => b.ms - a.ms);
}

/** "Ready 19 h, cooling 90 min": what the 24 hours were, in one sentence. */
export function timelinePhrase(stretches: readonly Stretch[]): string {
  const parts = totalsOf(stretches).map(({ state, ms }) => `${stateWithin(state)} ${elapsed(ms)}`);
  const { none, some } = modelTexts().timeline;
  return parts.length === 0 ? none : some(parts.join(', '));
}

/** Who speaks for an agent of one project in its live sessions. */
export const speakersOf = (
  snapshot: Snapshot,
  { directory, agent }: Readonly<{ directory: string; agent: string }>,
): readonly LiveAgent[] => liveRows(snapshot).filter((of) => of.directory === directory && of.row.agent === agent);

/** One agent that has a model in its chain. */
export type Dependant = Readonly<{ directory: string; agent: string; label: string; phrase: string }>;

/** Whose work a model carries, and from which place of the chain. */
export function dependantsOf(snapshot: Snapshot, model: string): readonly Dependant[] {
  return snapshot.chains.flatMap(({ directory, agent, chain }) => {
    const position = chain.findIndex((member) => isReadIn(snapshot.models, model, directory, member.model));
    if (position < 0) return [];
    const models = speakersOf(snapshot, { directory, agent }).map(({ record }) => record.model);
    const active = models.find((each) => each === unbooked(model)) ?? models[0];
    const said = modelTexts().speaks;
    const place = said.place(position + 1, chain.length);
    const phrase =
      active === undefined
        ? place
        : active === unbooked(model)
          ? said.now(place)
          : said.other(place, shortName(active));
    return [{ directory, agent, label: agentLabel(agent), phrase }];
  });
}

/** "4 calls in 15 min, 1 failed"; what the little line shows. */
export function recentPhrase(recent: ModelRow['recent']): string {
  const calls = recent.reduce((sum, minute) => sum + minute.calls, 0);
  const failed = recent.reduce((sum, minute) => sum + minute.failed, 0);
  const said = modelTexts().recent;
  if (calls + failed === 0) return said.none;
  return failed > 0 ? said.failed(calls, failed) : said.calls(calls);
}

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
/** A time shorter than this is told in seconds. */
const IN_SECONDS_MS = 2 * MINUTE_MS;
/** States that a clock ends: how much of them is over can be told. */
const TIMED: readonly ModelState[] = ['open', 'cooling', 'resting', 'held'];

/** "37 of 60 min", "12 of 30 s": how much of the time that a model is out is over at `at`; null where no clock ends it. */
export function gonePhrase({ state, since, until }: ModelRow, at: number): string | null {
  if (since === null || until === null || until <= since || !TIMED.includes(state)) return null;
  const said = modelTexts().breaker;
  const isShort = until - since < IN_SECONDS_MS;
  const unitMs = isShort ? SECOND_MS : MINUTE_MS;
  const all = Math.round((until - since) / unitMs);
  // What is left is rounded as in the countdown beside it, so that both add up.
  const leftSeconds = Math.max(0, Math.ceil((until - at) / SECOND_MS));
  const left = isShort ? leftSeconds : Math.round((leftSeconds * SECOND_MS) / MINUTE_MS);
  const gone = Math.min(all, Math.max(0, all - left));
  return isShort ? said.seconds(gone, all) : said.minutes(gone, all);
}

/** "2 of 3 failures counted, 37 of 60 min": what a model's breaker stands at; an open one counts nothing. */
export function breakerPhrase(row: ModelRow, at: number): string {
  const counted = row.state === 'open' ? '' : modelTexts().breaker.counted(row.failures, row.failureThreshold);
  return [counted, gonePhrase(row, at) ?? ''].filter(Boolean).join(', ') || modelTexts().breaker.open;
}

export const countedOf = (row: Pick<ModelRow, 'model'>, uses: readonly ModelUse[]): ModelUse | undefined =>
  uses.find(({ model }) => model === unbooked(row.model));

/** The outcomes of a model, in the order in which they are always drawn. */
export const OUTCOMES = [
  'answered',
  'slow',
  'failed',
  'skipped',
] as const satisfies readonly (keyof ModelUse['outcomes'])[];

/** "41 answered, 2 slow, 3 failed, 1 skipped": all of them, also those there are none of. */
export const outcomesPhrase = (outcomes: ModelUse['outcomes']): string =>
  OUTCOMES.map((outcome) => modelTexts().outcomes[outcome](outcomes[outcome])).join(', ');

/** "400k", "1M": a context window in tokens. */
export function contextPhrase(tokens: number): string {
  return tokens >= 1e6
    ? `${wordTexts().decimal(String(Math.floor(tokens / 1e5) / 10))}M`
    : `${Math.floor(tokens / 1e3)}k`;
}

/** "$1.25 / $10": prices of a million tokens, in and out; null when none is known. */
export function pricePhrase({ priceIn, priceOut }: ModelAbilities): string | null {
  if (priceIn === null && priceOut === null) return null;
  const money = (price: number | null) =>
    price === null ? '?' : wordTexts().dollars(String(Number(price.toFixed(2))));
  return `${money(priceIn)} / ${money(priceOut)}`;
}
