import type { LastFailure } from './health';
import { type ModelId, nameOf, providerOf } from './ids';
import { preferredAt, type Standing } from './standing';
import { chainOf, type EngineState, numbersFor, pairOf, type Session, type Speaker, standingOf } from './state';
import { entries } from './table';

/** A model with its standing, for surfaces. Times are engine milliseconds. */
export type ModelView = Readonly<{
  model: ModelId;
  provider: string;
  name: string;
  standing: Standing;
  failureThreshold: number;
  calls: number;
  failed: number;
  last: LastFailure | null;
  agents: readonly string[];
}>;

export type ChainLink = Readonly<{ model: ModelId; standing: Standing }>;
export type SpeakerView = Speaker &
  Readonly<{
    chain: readonly ChainLink[];
    position: number;
    /** When the clock makes the lead first choice again; the agent returns with the first message after it. */
    homeAt: number | null;
  }>;
export type ChainView = Readonly<{ directory: string; agent: string; chain: readonly ChainLink[] }>;

/** Everything a surface may show, read from the state at one moment. */
export type EngineView = Readonly<{
  models: readonly ModelView[];
  sessions: readonly Session[];
  speakers: readonly SpeakerView[];
  chains: readonly ChainView[];
}>;

/** How urgently a state wants a person's eye; lists sort by it, then by volume. */
const SEVERITY = {
  blocked: 0,
  open: 1,
  cooling: 2,
  probing: 3,
  resting: 4,
  degraded: 5,
  held: 6,
  ready: 7,
  unseen: 8,
} as const;

/** The state as surfaces see it at `now` (engine ms): worst models first, then busiest. */
export function viewOf(state: EngineState, now: number): EngineView {
  const chains = chainViews(state, now);
  return {
    models: modelViews(state, chains, now),
    sessions: entries(state.sessions).map(([, session]) => session),
    speakers: speakerViews(state, now),
    chains,
  };
}

const links = (state: EngineState, chain: readonly ModelId[], now: number): ChainLink[] =>
  chain.map((model) => ({ model, standing: standingOf(state, model, now) }));

/** When the clock alone makes a model first choice again, in engine ms; null when it is now, or nobody can tell. */
export function preferredAtIn(state: EngineState, model: ModelId, now: number): number | null {
  const pair = pairOf(state, model);
  return preferredAt(pair.model, pair.provider, now);
}

function chainViews(state: EngineState, now: number): ChainView[] {
  return entries(state.scopes).flatMap(([directory, scope]) =>
    scope.enabled
      ? Object.entries(scope.agents).map(([agent, plan]) => ({
          directory,
          agent,
          chain: links(state, plan.chain, now),
        }))
      : [],
  );
}

function speakerViews(state: EngineState, now: number): SpeakerView[] {
  return entries(state.speakers).map(([, speaker]) => {
    const chain = chainOf(state, speaker);
    const models = chain.includes(speaker.active) ? chain : [...chain, speaker.active];
    return {
      ...speaker,
      chain: links(state, models, now),
      position: models.indexOf(speaker.active),
      homeAt: preferredAtIn(state, speaker.lead, now),
    };
  });
}

function modelViews(state: EngineState, chains: readonly ChainView[], now: number): ModelView[] {
  const users = new Map<ModelId, Set<string>>();
  for (const { agent, chain } of chains) {
    for (const { model } of chain) users.set(model, (users.get(model) ?? new Set()).add(agent));
  }
  for (const [model] of entries(state.models)) if (!users.has(model)) users.set(model, new Set());
  const views = [...users].map(([model, agents]) => modelView(state, model, { agents: [...agents].sort(), now }));
  return views.sort(
    (a, b) =>
      SEVERITY[a.standing.state] - SEVERITY[b.standing.state] || b.calls - a.calls || (a.model < b.model ? -1 : 1),
  );
}

function modelView(
  state: EngineState,
  model: ModelId,
  at: Readonly<{ agents: readonly string[]; now: number }>,
): ModelView {
  const pair = pairOf(state, model);
  const { calls, failed, directory } = pair.model;
  return {
    model,
    provider: providerOf(model),
    name: nameOf(model),
    standing: standingOf(state, model, at.now),
    failureThreshold: numbersFor(state, directory).breaker.failureThreshold,
    calls,
    failed,
    last: pair.model.last,
    agents: at.agents,
  };
}
