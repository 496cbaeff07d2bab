import { type ModelState, unbooked } from '../engine/names';
import { modelTexts, wordTexts } from '../texts';
import { isReadIn } from './model-rows';
import type { AgentRow, ModelAbilities, ModelHistory, ModelRow, Snapshot } from './snapshot';
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
export function speakersOf(
  { sessions }: Snapshot,
  { directory, agent }: Readonly<{ directory: string; agent: string }>,
): readonly AgentRow[] {
  return sessions
    .filter((session) => session.isLive && session.directory === directory)
    .flatMap(({ agents }) => agents)
    .filter((row) => row.agent === agent);
}

/** One agent that has a model in its chain. */
export type Dependant = Readonly<{ directory: string; agent: string; label: string; phrase: string }>;

/** Whose work a model carries, and from which place of the chain. */
export function dependantsOf(snapshot: Snapshot, model: string): readonly Dependant[] {
  return snapshot.chains.flatMap(({ directory, agent, chain }) => {
    const position = chain.findIndex((member) => isReadIn(snapshot.models, model, directory, member.model));
    if (position < 0) return [];
    const speakers = speakersOf(snapshot, { directory, agent });
    const active = speakers.find((row) => row.active === unbooked(model)) ?? speakers[0];
    const said = modelTexts().speaks;
    const place = said.place(position + 1, chain.length);
    const phrase =
      active === undefined
        ? place
        : active.active === unbooked(model)
          ? said.now(place)
          : said.other(place, shortName(active.active));
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
