import { remember } from '../../core/remember';
import type { BrokenFact } from '../self-check';
import type { Instance } from './instance';
import { pairOf, refOf } from './model-ref';
import { repoint } from './repoint';
import type { UserMessage } from './types';

/** Names no provider has: nothing is asked in this test. */
const BEFORE = 'understudy/before';
const AFTER = 'understudy/after';
const SAID = { variant: 'high', system: 'This is a test of the switch.' } as const;
const PARTS = [{ type: 'text', text: 'Nobody is asked this.' }] as const;

/**
 * Tries in a session of its own, beside an existing one, what the switch in flight rests on. No provider is asked; the
 * session is gone afterwards.
 *
 * @returns what does not hold; null when the test could not be made. Never rejects.
 */
export async function selfTest(instance: Instance, parentID: string): Promise<readonly BrokenFact[] | null> {
  const { session } = instance.client;
  try {
    const { data } = await session.create({ body: { parentID, title: 'Understudy' } });
    if (!data) return null;
    const path = { id: data.id };
    remember(instance.asides, data.id, { system: '', isAsked: true, evidence: null });
    try {
      const { data: sent } = await session.prompt({
        path,
        body: { noReply: true, model: pairOf(BEFORE), ...SAID, parts: PARTS },
      });
      return sent?.info?.role === 'user' ? await brokenIn(instance, sent.info) : null;
    } finally {
      await session.delete({ path });
    }
  } catch {
    return null;
  }
}

async function brokenIn(instance: Instance, user: UserMessage): Promise<readonly BrokenFact[] | null> {
  const path = { id: user.sessionID };
  const isMoved = await repoint(instance, user, AFTER);
  const { data: messages } = await instance.client.session.messages({ path });
  if (instance.isGone || !messages) return null;
  const [message] = messages;
  const info = message?.info.role === 'user' ? message.info : null;
  const isKept =
    messages.length === 1 &&
    info?.model.variant === SAID.variant &&
    info.system === SAID.system &&
    info.agent === user.agent &&
    message?.parts.length === PARTS.length &&
    message.parts[0]?.text === PARTS[0].text;
  const url = '/session/{id}/message/{message}';
  const gone = await instance.client._client.delete({ url, path: { ...path, message: user.id } });
  return [
    ...(isMoved && info && refOf(info.model) === AFTER ? [] : (['moves'] as const)),
    ...(isKept ? [] : (['keeps'] as const)),
    ...(gone.error ? (['tidies'] as const) : []),
  ];
}
