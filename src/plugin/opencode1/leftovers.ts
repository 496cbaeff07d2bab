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

/**
 * Lets a turn whose model stopped too early say to it that it shall go on: a message that is sent once and stored nowhere,
 * in the very array.
 */
export function sayContinue(instance: Instance, messages: HistoryMessage[]): void {
  const user = messages.map((message) => message.info).findLast(isUser);
  const turn = user && instance.turns.get(turnKey(user.sessionID, user.id));
  if (!user || !turn?.continueWith) return;
  messages.push({ info: user, parts: [{ type: 'text', text: turn.continueWith, synthetic: true }] });
  turn.continueWith = null;
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
  const drops = instance.turns.get(turnKey(session, message))?.drops.splice(0) ?? [];
  const { data = [] } = await instance.client.session.messages({
    path: { id: session },
    query: { limit: RECENT_MESSAGES },
  });
  for (const drop of drops) {
    // The newest alone: the model may have spoken before in this turn, and what it said then stays.
    const found = data.findLast(
      ({ info }) => !isUser(info) && info.parentID === message && !info.error && refOf(info) === drop.model,
    );
    if (!found || drop.isKept || found.parts.some((part) => part.type === 'tool')) continue;
    remember(instance.leftovers, found.info.id, session);
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
