import type { Decision, Fact, Step } from '../index';

export type FallbackEvent = Fact | Readonly<{ type: 'decided'; decision: Decision }>;

export const eventsOf = ({ facts, decisions }: Step): readonly FallbackEvent[] => [
  ...facts,
  ...decisions.map((decision) => ({ type: 'decided', decision }) as const),
];
