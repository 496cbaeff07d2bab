import type { ModelId } from '../../../engine';
import { remember } from '../../../engine/tools';
import type { AskedText } from '../../answer/asked-text';
import type { Aside, Instance } from './instance';
import { pairOf } from './model-ref';
import { isStopped } from './stop';

export type AsideFor = Readonly<{
  instance: Instance;
  session: string;
  agent: string;
  signal: AbortSignal | null;
}>;

/**
 * Never throws.
 * @returns null without a text, undefined without a request.
 */
export async function askAside(
  { instance, session, agent, signal }: AsideFor,
  { model, asked: prompt, aside }: Readonly<{ model: ModelId; asked: AskedText; aside: Aside }>,
): Promise<string | null | undefined> {
  const { client } = instance;
  const id = await openAside(instance, session, aside);
  if (id === null) return undefined;
  const path = { id };
  const stop = (): void => {
    // silent: a session that cannot be stopped ends by itself
    if (isStopped(signal)) client.session.abort({ path }).catch(() => undefined);
  };
  signal?.addEventListener('abort', stop, { once: true });
  try {
    // The signal may have been raised while the session opened.
    if (isStopped(signal)) return undefined;
    const parts = [{ type: 'text', text: prompt.text }];
    const body = { model: pairOf(model), agent, tools: { '*': false }, parts };
    const { data } = await client.session.prompt({ path, body });
    if (data?.info?.role !== 'assistant' || data.info.error) return null;
    return data.parts?.flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('') || null;
  } catch {
    // silent: callers read null as no answer of the model
    return null;
  } finally {
    signal?.removeEventListener('abort', stop);
    // silent: leftovers are swept at the next start
    await client.session.delete({ path }).catch(() => undefined);
  }
}

async function openAside(instance: Instance, parentID: string, aside: Aside): Promise<string | null> {
  try {
    const { data } = await instance.client.session.create({ body: { parentID, title: 'Understudy' } });
    if (!data) return null;
    remember(instance.asides, data.id, aside);
    return data.id;
  } catch {
    // silent: without a session OpenCode's own request goes out unchanged
    return null;
  }
}
