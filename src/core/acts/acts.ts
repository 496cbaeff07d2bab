import type { PersonAct } from '../../contract/acts';
import { type EngineEvent, type EngineState, isNamed, planOf, type Step, unbooked } from '../../engine';
import { get, pinKey, pinOf, viewOf } from '../../engine/tools';
import type { RelayedAct } from '../../protocol';
import { refusalPhrase } from '../../wording/reason-words';

export type ActBy = Readonly<{ act: PersonAct; actor: string }>;

export type Subject = Readonly<{ key: string; name: string }>;

/** Fits on one terminal line with the rest of the sentence. */
const NAMED_AT_MOST = 4;

export function unknownModel(name: string, models: readonly string[]): string {
  const names = [...new Set(models.map(unbooked))].sort();
  if (names.length === 0) return `No model ${name}: OpenCode has not reported any models yet.`;
  const more = names.length - NAMED_AT_MOST;
  return `No model ${name}. Known: ${names.slice(0, NAMED_AT_MOST).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

export const staleReason = (name: string): string =>
  `${name} has changed since you last viewed it. Review it, then decide.`;

/** Null for acts on closed questions or returned speakers, which are rejected by id. */
export function subjectOf(act: PersonAct): Subject | null {
  switch (act.type) {
    case 'health.isolated':
    case 'health.released':
    case 'health.held':
      return { key: act.model, name: act.model };
    case 'agent.pinned':
      return { key: `pin ${pinKey(act.directory, act.agent)}`, name: `The pin of ${act.agent}` };
    case 'switching.paused':
    case 'switching.resumed':
      return { key: 'pause', name: 'The pause' };
    case 'question.answered':
    case 'speaker.retried':
      return null;
  }
}

export function objectionTo({ act, actor }: ActBy, state: EngineState, now: number): string | null {
  const named = 'model' in act ? act.model : null;
  const models = viewOf(state, now).models.map(({ key }) => key);
  if (named !== null && !models.some((key) => isNamed(key, named))) return unknownModel(named, models);
  if (act.type === 'health.isolated' && get(state.manual, unbooked(act.model))?.isolatedBy.includes(actor))
    return refusalPhrase('manual.idle');
  if (act.type !== 'agent.pinned') return null;
  const { directory, agent, model } = act;
  if (model === null) return pinOf(state.pins, directory, agent, now) ? null : `${agent} is not pinned.`;
  return planOf(state, directory, agent) ? null : `${agent} has no chain there.`;
}

export const eventOf = ({ act, actor }: ActBy): EngineEvent => ({ ...act, actor });

export function refusalIn({ facts }: Step): string | null {
  const ignored = facts.find((fact) => fact.type === 'event.ignored');
  return ignored
    ? (refusalPhrase(ignored.code) ?? 'The action had no effect. Check the current state, then try again.')
    : null;
}

/** Returns the act for the companion of its turn; null if the health update carries all it needs. */
export function relayOf({ act, actor }: ActBy): RelayedAct | null {
  return act.type === 'question.answered' || act.type === 'speaker.retried' ? { ...act, actor } : null;
}
