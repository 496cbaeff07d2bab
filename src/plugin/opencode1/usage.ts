import { INTERNAL_AGENTS } from '../../core/opencode-agents';
import { remember } from '../../core/remember';
import { costOf, tokensOf } from '../used';
import type { Instance } from './instance';
import { refOf } from './model-ref';
import type { AssistantInfo, StepFinishPart } from './types';

/**
 * A message that is being written, with the steps of it that have been counted. Only such a message is counted: OpenCode
 * tells of finished ones again when a session is forked, under new ids.
 */
export type Writing = Readonly<{ info: AssistantInfo; counted: Set<string> }>;

/** Remembers who writes a message, from its first word until it is whole. */
export function noteWriter(instance: Instance, info: AssistantInfo): void {
  if (info.time?.completed !== undefined) instance.writing.delete(info.id);
  else if (info.finish === undefined && !instance.writing.has(info.id))
    remember(instance.writing, info.id, { info, counted: new Set() });
}

/** Tells what a finished step used, once, of the model that took it. A step that was moved away has used nothing. */
export function countStep(instance: Instance, part: StepFinishPart): void {
  const writing = instance.writing.get(part.messageID);
  const tokens = tokensOf(part.tokens);
  if (!writing || writing.counted.has(part.id)) return;
  writing.counted.add(part.id);
  if (Object.values(tokens).every((count) => count === 0)) return;
  const { info } = writing;
  const agent = info.agent ?? '';
  const isAside = instance.asides.has(info.sessionID);
  instance.companion.brain.note({
    type: 'usage.recorded',
    // What a stand-in answers beside a session belongs to that session.
    session: (isAside ? instance.parents.get(info.sessionID) : undefined) ?? info.sessionID,
    turn: info.parentID,
    directory: instance.directory,
    agent,
    model: refOf(info),
    purpose: isAside || INTERNAL_AGENTS.has(agent) ? 'internal' : 'turn',
    tokens,
    cost: costOf(part.cost),
  });
}
