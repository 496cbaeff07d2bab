import type { Decision, Fact, Step } from '../index';

/** A fact or a decision of the engine. */
export type FallbackEvent = Fact | Readonly<{ type: 'decided'; decision: Decision }>;

/** Facts first, then decisions. */
export const eventsOf = ({ facts, decisions }: Step): readonly FallbackEvent[] => [
  ...facts,
  ...decisions.map((decision) => ({ type: 'decided', decision }) as const),
];
