import { nameOf } from '../../../engine';
import { remember } from '../../../engine/tools';
import { CONTINUED_FINISHES } from '../../../node/base/opencode-finish';
import { within } from '../../../node/base/within';
import { quietly } from '../../base/quietly';
import { type Instance, turnKey, turnsIn } from '../memory/instance';
import { refOf } from '../memory/model-ref';
import { noteDrop, type TurnMemory, takeContinueWith, takeDrops } from '../memory/turn-memory';
import type { AssistantInfo, HistoryMessage, UserMessage } from '../memory/types';
import { pointHome } from './repoint';

/** `opencode run` exits right after `dispose`. */
const TIDY_LIMIT_MS = 500;
const RECENT_MESSAGES = 20;

const isUser = (info: UserMessage | AssistantInfo): info is UserMessage => info.role === 'user';

/** Changes the array in place: OpenCode reads the one it passed. */
export function hideLeftovers(instance: Instance, messages: HistoryMessage[]): void {
  const session = messages.at(-1)?.info.sessionID;
  if (session === undefined) return;
  for (const turn of turnsIn(instance, session)) noteLeftovers(instance, turn, messages);
  if (instance.leftovers.size === 0) return;
  for (let at = messages.length - 1; at >= 0; at--) {
    if (instance.leftovers.has(messages[at]?.info.id ?? '')) messages.splice(at, 1);
  }
}

/** Takes the newest: an earlier response of the model in this turn stays. */
function noteLeftovers(instance: Instance, turn: TurnMemory, messages: readonly HistoryMessage[]): void {
  const found = new Set<string>();
  const missing = takeDrops(turn)
    .reverse()
    .filter(({ model, isKept }) => {
      const message = messages.findLast(
        ({ info }) =>
          !isUser(info) &&
          info.parentID === turn.message &&
          refOf(info) === model &&
          !info.error &&
          !instance.leftovers.has(info.id) &&
          !found.has(info.id),
      );
      if (!message) return true;
      found.add(message.info.id);
      if (!isKept && isEmptied(message)) remember(instance.leftovers, message.info.id, turn.session);
      return false;
    });
  for (const drop of missing.reverse()) noteDrop(turn, drop);
}

/** Tool results and complete responses stay. */
function isEmptied({ info, parts }: HistoryMessage): boolean {
  if (!isUser(info) && info.finish !== undefined && !CONTINUED_FINISHES.has(info.finish)) return false;
  // A call with unreadable arguments did nothing.
  return !parts.some((part) => part.type === 'tool' && part.tool !== 'invalid');
}

/** Adds the message in place; it is sent once and never stored. */
export function sayContinue(instance: Instance, messages: HistoryMessage[]): void {
  const user = messages.map((message) => message.info).findLast(isUser);
  const turn = user && instance.turns.get(turnKey(user.sessionID, user.id));
  const text = turn && takeContinueWith(turn);
  if (!user || !text) return;
  messages.push({ info: user, parts: [{ type: 'text', text, synthetic: true }] });
}

/** Marks a partial response: a cut text completes between the switch and the next request. */
export function markPartial(instance: Instance, session: string, output: { text: string }): void {
  const cut = turnsIn(instance, session)
    .flatMap(({ drops, left }) => drops.filter(({ model }) => left.has(model)))
    .find((drop) => drop.isKept);
  if (cut) output.text += `\n\n[${nameOf(cut.model)} broke off here.]`;
}

/** OpenCode refuses deletions while a session is busy. */
export async function tidyAtIdle(instance: Instance, session: string): Promise<void> {
  const stopped = turnsIn(instance, session).filter((turn) => turn.drops.length > 0);
  if (stopped.length > 0) {
    // Stopped before the next step: the history was not read since.
    const query = { limit: RECENT_MESSAGES };
    const answer = await quietly(() => instance.client.session.messages({ path: { id: session }, query }));
    const data: readonly HistoryMessage[] = answer?.data ?? [];
    for (const turn of stopped) {
      noteLeftovers(instance, turn, data);
      takeDrops(turn);
    }
  }
  await deleteLeftovers(instance, session);
}

/**
 * Deletes only complete messages: a stopped session is idle before OpenCode writes the end of its response, which
 * would then fail.
 */
export async function deleteLeftovers(instance: Instance, session?: string): Promise<void> {
  const noted = [...instance.leftovers].filter(
    ([id, owner]) => (session === undefined || owner === session) && !instance.writing.has(id),
  );
  await Promise.all(
    noted.map(async ([id, owner]) => {
      const url = '/session/{id}/message/{message}';
      const result = await instance.client._client
        .delete({ url, path: { id: owner, message: id } })
        .catch((error: unknown) => ({ error }));
      if (!result.error) instance.leftovers.delete(id);
    }),
  );
}

export async function tidyAtEnd(instance: Instance): Promise<void> {
  const sessions = new Set([...instance.turns.values()].map((turn) => turn.session));
  const work = Promise.all([
    deleteLeftovers(instance),
    ...[...sessions].map((session) => pointHome(instance, session)),
  ]);
  await within(work, TIDY_LIMIT_MS);
}
