import { INTERNAL_AGENTS } from '../../core/opencode-agents';
import { remember } from '../../core/remember';
import { costOf, tokensOf } from '../used';
import { type Instance, sessionOf, turnOf } from './instance';
import { nameOf } from './model-ref';
import type { SessionEvent } from './types';

type StepOf<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>['data'];

/** Remembers who writes a message. */
export function noteWriter(
  instance: Instance,
  { assistantMessageID, agent, model }: StepOf<'session.step.started'>,
): void {
  remember(instance.writers, assistantMessageID, { agent, model: nameOf(model) });
}

/** Tells what a step used, once, of the model that took it. */
export function countStep(
  instance: Instance,
  { sessionID, assistantMessageID, cost, tokens: used }: Omit<StepOf<'session.step.ended'>, 'finish'>,
): void {
  const writer = instance.writers.get(assistantMessageID);
  const tokens = tokensOf(used);
  instance.writers.delete(assistantMessageID);
  if (!writer || Object.values(tokens).every((count) => count === 0)) return;
  const { agent, model } = writer;
  instance.companion.brain.note({
    type: 'usage.recorded',
    session: sessionID,
    turn: turnOf(sessionOf(instance, sessionID)).id,
    directory: instance.directory,
    agent,
    model,
    purpose: INTERNAL_AGENTS.has(agent) ? 'internal' : 'turn',
    tokens,
    cost: costOf(cost),
  });
}
