import type { Decision, Fact, LifeFact, Step } from '../index';

/** Something that happened, in the words of the engine: attempts and turns, states of models, decisions and their reasons. */
export type FallbackEvent =
  | LifeFact
  | Extract<Fact, { type: 'model.changed' }>
  | Readonly<{ type: 'decided'; decision: Decision }>;

/** What a step of the engine has to tell: what ended, then what became of the model, then what is done about it. */
export function eventsOf({ life, facts, decisions }: Step): readonly FallbackEvent[] {
  const changes = facts.filter((fact) => fact.type === 'model.changed');
  return [...life, ...changes, ...decisions.map((decision) => ({ type: 'decided', decision }) as const)];
}
