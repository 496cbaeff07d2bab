import type { Decision, Fact, Step } from '../index';

/** Something that happened, in the words of the engine: its facts, and its decisions with their reasons. */
export type FallbackEvent = Fact | Readonly<{ type: 'decided'; decision: Decision }>;

/** What a step of the engine has to tell: what ended, then what became of the model, then what is done about it. */
export const eventsOf = ({ facts, decisions }: Step): readonly FallbackEvent[] => [
  ...facts,
  ...decisions.map((decision) => ({ type: 'decided', decision }) as const),
];
