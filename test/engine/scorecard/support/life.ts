import type { EngineEvent, Fact } from '../../../../src/engine';

/** What the engine would tell of an event to which it has nothing to say but that it was taken. */
export function lifeOf(event: EngineEvent): readonly Fact[] {
  if (event.type !== 'attempt.started') return [];
  const { attempt, turn, session, directory, agent, model, purpose } = event;
  const about = { attempt, turn, session, root: session, directory, agent, lead: null, model, position: null, purpose };
  return [{ type: 'attempt.began', parent: null, ...about }];
}
