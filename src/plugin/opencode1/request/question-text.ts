import type { Decision } from '../../../engine';
import { questionText } from '../../runtime/question';
import type { GuardedRequest } from '../memory/guarded-request';

/** A text that was put into a conversation. */
export type Placed = Readonly<{ id: string; messageID: string }>;

/**
 * Puts a question as a text of its own into the message that is being written, for those who read no toasts.
 *
 * @returns null when there is no such message, or OpenCode did not take it. Never rejects.
 */
export async function showQuestion(request: GuardedRequest, asking: Decision): Promise<Placed | null> {
  const { instance, session } = request;
  const { client, companion } = instance;
  const messageID = request.turn.answering;
  const text = questionText(companion.brain, asking);
  if (text === null || messageID === null) return null;
  const at = Date.now();
  const part = { id: partId(at), sessionID: session, messageID, type: 'text', time: { start: at, end: at } };
  const body = { ...part, text };
  const path = { session, message: messageID, part: part.id };
  const result = await client._client.patch({ url: URL, path, body }).catch((error: unknown) => ({ error }));
  return result.error ? null : { id: part.id, messageID };
}

/** Takes the question out again: it has been answered. Never throws. */
export function hideQuestion({ instance, session }: GuardedRequest, placed: Placed | null): void {
  if (placed === null) return;
  const path = { session, message: placed.messageID, part: placed.id };
  // silent: the question stays visible, and its answer has been given
  void instance.client._client.delete({ url: URL, path }).catch(() => undefined);
}

const URL = '/session/{session}/message/{message}/part/{part}';

/** As OpenCode makes them: 48 bits of time, so that parts sort by age, and 14 letters that tell them apart. */
function partId(at: number): string {
  const time = (BigInt(at) * 0x1000n).toString(16).padStart(12, '0').slice(-12);
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const rest = Array.from({ length: 14 }, () => letters[Math.floor(Math.random() * letters.length)]);
  return `prt_${time}${rest.join('')}`;
}
