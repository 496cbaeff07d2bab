import type { Decision } from '../../../engine';
import { questionText } from '../../runtime/question';
import type { GuardedRequest } from '../memory/guarded-request';

export type Placed = Readonly<{ id: string; messageID: string }>;

/**
 * Shows the question to users without toasts.
 * @returns null without a message, or if OpenCode refuses. Never rejects.
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

/** Never throws. */
export function hideQuestion({ instance, session }: GuardedRequest, placed: Placed | null): void {
  if (placed === null) return;
  const path = { session, message: placed.messageID, part: placed.id };
  // silent: the question stays visible, and its answer has been given
  void instance.client._client.delete({ url: URL, path }).catch(() => undefined);
}

const URL = '/session/{session}/message/{message}/part/{part}';

/** OpenCode's format: 48 bits of time, so that parts sort by age, and 14 letters. */
function partId(at: number): string {
  const time = (BigInt(at) * 0x1000n).toString(16).padStart(12, '0').slice(-12);
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const rest = Array.from({ length: 14 }, () => letters[Math.floor(Math.random() * letters.length)]);
  return `prt_${time}${rest.join('')}`;
}
