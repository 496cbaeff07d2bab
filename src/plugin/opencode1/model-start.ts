import { randomBytes } from 'node:crypto';
import type { ModelId } from '../../engine';
import { remember } from '../../engine/tools';
import { placesIn } from '../places';
import { quietly } from '../quietly';
import { unblockListed, whyUnstartable } from '../unasked';
import type { Instance } from './memory/instance';
import { pairOf } from './memory/model-ref';
import { inOwnSession } from './proof';

/**
 * Begins a request to a model and ends it in `chat.params`, before it is sent. Never rejects.
 *
 * @returns why OpenCode could not begin it, or null if it could or nothing is known.
 */
export async function tryStart(instance: Instance, model: ModelId): Promise<string | null> {
  if (instance.isGone) return null;
  const name = `${process.pid}-${randomBytes(8).toString('hex')}`;
  return quietly(() =>
    inOwnSession(instance, name, async ({ id }) => {
      const look = { hasStarted: false };
      remember(instance.asides, id, { system: '', isAsked: true, evidence: null, look });
      const body = { model: pairOf(model), tools: { '*': false }, parts: [{ type: 'text', text: 'Understudy' }] };
      const { data } = await instance.client.session.prompt({ path: { id }, body });
      const error = data?.info?.role === 'assistant' ? data.info.error : undefined;
      if (look.hasStarted || !error || instance.isGone) return null;
      return whyUnstartable(error.data?.message || error.name || 'unknown error');
    }),
  );
}

/**
 * Looks for models of the chains that OpenCode cannot start, because their package is missing or rejects them. They count as not
 * listed. Never rejects.
 *
 * @returns whether any was found.
 */
export async function findUnstartable(instance: Instance): Promise<boolean> {
  const { companion, listed, unstartable } = instance;
  for (const model of placesIn(instance).keys()) {
    if (!listed.uncertain.has(model) || unstartable.has(model)) continue;
    const why = await tryStart(instance, model);
    if (why !== null) unstartable.set(model, why);
  }
  instance.listed = { ...listed, models: listed.models.filter((model) => !unstartable.has(model)) };
  unblockListed(companion, instance.listed.models, companion.brain.now());
  return unstartable.size > 0;
}
