import { type Instance, type SessionMemory, sessionOf } from '../session/instance';
import { nameOf } from '../session/model-ref';
import type { ContextEvent, ContextMessage } from '../session/types';
import { needsOf } from './needs';

/** Removes our messages from the history and stores the call's needs. */
export function onContext(instance: Instance, event: ContextEvent): void {
  const session = sessionOf(instance, event.sessionID);
  if (session.said.size > 0 && event.messages.some((message) => isOurs(session, message)))
    event.messages = event.messages.filter((message) => !isOurs(session, message));
  if (!instance.companion.isArmed()) return;
  const lead = nameOf(session.home ?? event.model);
  session.needs = needsOf(event, instance.listed.catalogue[lead]);
}

const isOurs = ({ said: ownTexts }: SessionMemory, { content }: ContextMessage): boolean => {
  const texts = typeof content === 'string' ? [content] : content.map(textOf);
  return texts.length > 0 && texts.every((text) => text !== null && ownTexts.has(text));
};

const textOf = (part: unknown): string | null =>
  typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' ? part.text : null;
