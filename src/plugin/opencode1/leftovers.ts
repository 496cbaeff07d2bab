import { type Instance, remember, turnKey } from './instance';
import { refOf } from './model-ref';
import type { AssistantInfo, HistoryMessage, UserMessage } from './types';

/** How long `dispose` may wait for deletions: `opencode run` exits right after, in ms. */
const TIDY_LIMIT_MS = 500;
/** Messages of a session looked at when a turn ended before its next step began. */
const RECENT_MESSAGES = 6;

const isUser = (info: UserMessage | AssistantInfo): info is UserMessage => info.role === 'user';

/**
 * Takes the empty messages of failed steps out of what the next model is sent, and notes them for deletion. The array
 * is changed in place: OpenCode reads the one it handed over.
 */
export function hideLeftovers(instance: Instance, messages: HistoryMessage[]): void {
  const user = messages.map((message) => message.info).findLast(isUser);
  const turn = user && instance.turns.get(turnKey(user.sessionID, user.id));
  for (const drop of turn?.drops.splice(0) ?? []) {
    const found = messages.findLast(
      ({ info }) => !isUser(info) && info.parentID === user?.id && refOf(info) === drop.model,
    );
    if (!found || drop.isKept || holdsToolWork(found)) continue;
    remember(instance.leftovers, found.info.id, found.info.sessionID);
  }
  if (instance.leftovers.size === 0) return;
  for (let at = messages.length - 1; at >= 0; at--) {
    if (instance.leftovers.has(messages[at]?.info.id ?? '')) messages.splice(at, 1);
  }
}

/** Work of a tool is never thrown away; a call with unreadable arguments did nothing. */
function holdsToolWork(message: HistoryMessage): boolean {
  return message.parts.some((part) => part.type === 'tool' && part.tool !== 'invalid');
}

/** At idle: deletes the empty messages, which OpenCode refuses while a session is busy. */
export async function tidyAtIdle(instance: Instance, session: string): Promise<void> {
  const message = instance.latest.get(session)?.id;
  const turn = message ? instance.turns.get(turnKey(session, message)) : undefined;
  if (turn) turn.expected = null;
  if (turn && message && turn.drops.length > 0) await findUndropped(instance, session, message);
  await deleteLeftovers(instance, session);
}

/** A turn stopped between the failed step and the next one: its leftover was never listed, so look for it. */
async function findUndropped(instance: Instance, session: string, message: string): Promise<void> {
  const turn = instance.turns.get(turnKey(session, message));
  const models = new Set(turn?.drops.splice(0).flatMap((drop) => (drop.isKept ? [] : [drop.model])));
  const { data = [] } = await instance.client.session.messages({
    path: { id: session },
    query: { limit: RECENT_MESSAGES },
  });
  for (const { info, parts } of data) {
    if (isUser(info) || info.parentID !== message || info.error || !models.has(refOf(info))) continue;
    if (!parts.some((part) => part.type === 'tool')) remember(instance.leftovers, info.id, session);
  }
}

/** Deletes what is noted, of one session or of all. A refusal leaves the note for the next idle. */
async function deleteLeftovers(instance: Instance, session?: string): Promise<void> {
  const noted = [...instance.leftovers].filter(([, owner]) => session === undefined || owner === session);
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

/** Before the instance goes: deletes what is noted, within a limit. */
export async function tidyAtEnd(instance: Instance): Promise<void> {
  if (instance.leftovers.size === 0) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, TIDY_LIMIT_MS);
  });
  await Promise.race([deleteLeftovers(instance), limit]);
  clearTimeout(timer);
}
