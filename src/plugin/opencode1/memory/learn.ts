import { quietly } from '../../base/quietly';
import { type Instance, turnsIn } from './instance';
import { noteNotAwaited, type TurnMemory } from './turn-memory';
import type { AssistantInfo, HistoryMessage } from './types';

/** Proves switching if nothing did before. */
export function noteTaken({ companion }: Instance, turn: TurnMemory): void {
  noteNotAwaited(turn);
  if (!companion.selfCheck.isKnown() && turn.left.size > 0) void companion.selfCheck.learn([]);
}

export function noteUnmoved({ companion }: Instance): void {
  if (!companion.selfCheck.isKnown()) void companion.selfCheck.learn(['moves']);
}

/** Records a failed repetition, which in-flight switching does not depend on. */
export function noteUnasked({ companion }: Instance): void {
  if (companion.selfCheck.actuator() === 'again') void companion.selfCheck.learn(['moves', 'asks']);
}

/** An idle session whose turn should continue is a failure, unless the user stopped it or it ended in an error. */
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
