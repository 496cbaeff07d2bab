import { quietly } from '../../base/quietly';
import { type Instance, turnsIn } from './instance';
import { noteNotAwaited, type TurnMemory } from './turn-memory';
import type { AssistantInfo, HistoryMessage } from './types';

/** A request came for the model its turn was moved to: where nothing was proved, that is the proof. */
export function noteTaken({ companion }: Instance, turn: TurnMemory): void {
  noteNotAwaited(turn);
  if (!companion.selfCheck.isKnown() && turn.left.size > 0) void companion.selfCheck.learn([]);
}

/** OpenCode did not carry a turn on with the next model: where nothing was proved, that is what is known from now on. */
export function noteUnmoved({ companion }: Instance): void {
  if (!companion.selfCheck.isKnown()) void companion.selfCheck.learn(['moves']);
}

/** A message that was asked again did not reach the next model. A turn that can be moved in flight does not depend on it. */
export function noteUnasked({ companion }: Instance): void {
  if (companion.selfCheck.actuator() === 'again') void companion.selfCheck.learn(['moves', 'asks']);
}

/** A session rests though its turn was to go on: learned, unless the user has stopped it or it ended in an error. */
export async function learnAtRest(instance: Instance, session: string): Promise<void> {
  const turn = turnsIn(instance, session).at(-1);
  if (!turn?.isAwaited) return;
  noteNotAwaited(turn);
  const answer = await quietly(() => instance.client.session.messages({ path: { id: session } }));
  const messages: readonly HistoryMessage[] = answer?.data ?? [];
  const last = messages.map(({ info }) => info).findLast((info) => isAnswerTo(turn, info)) as AssistantInfo | undefined;
  if (last && !last.error) noteUnmoved(instance);
}

const isAnswerTo = (turn: TurnMemory, info: HistoryMessage['info']): boolean =>
  info.role === 'assistant' && info.parentID === turn.message;
