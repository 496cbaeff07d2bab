import { randomBytes } from 'node:crypto';
import type { ModelId } from '../../engine';
import { remember } from '../../engine/tools';
import { quietly } from '../base/quietly';
import { placesIn } from '../runtime/places';
import { unblockListed, whyUnstartable } from '../user/unasked';
import type { Instance } from './memory/instance';
import { pairOf } from './memory/model-ref';
import { inOwnSession } from './proof';

/** Ends each request in `chat.params`, before it is sent. Never rejects. */
export async function tryStart(instance: Instance, models: readonly ModelId[]): Promise<ReadonlyMap<ModelId, string>> {
  const failed = new Map<ModelId, string>();
  await inOneSession(instance, models, async (id, model) => {
    const why = await promptFor(instance, id, model);
    if (why !== null) failed.set(model, why);
  });
  return failed;
}

/** Tests `chat.params` alone: a compaction needs half the processor time of a message. Never rejects. */
export function lookAt(instance: Instance, models: readonly ModelId[]): Promise<void> {
  const { session } = instance.client;
  return inOneSession(instance, models, async (id, model) => {
    const look = watch(instance, id);
    // Compactions may use another model.
    if (!instance.leads.compaction)
      await quietly(async () => session.summarize?.({ path: { id }, body: pairOf(model) }));
    if (!look.hasStarted) await promptFor(instance, id, model);
  });
}

async function inOneSession(
  instance: Instance,
  models: readonly ModelId[],
  run: (id: string, model: ModelId) => Promise<void>,
): Promise<void> {
  if (models.length === 0 || instance.isGone) return;
  const name = `${process.pid}-${randomBytes(8).toString('hex')}`;
  await quietly(() =>
    inOwnSession(instance, name, async ({ id }) => {
      for (const model of models) if (!instance.isGone) await quietly(() => run(id, model));
    }),
  );
}

function watch({ asides }: Instance, id: string): { hasStarted: boolean } {
  const look = { hasStarted: false };
  remember(asides, id, { system: '', isAsked: true, evidence: null, look });
  return look;
}

async function promptFor(instance: Instance, id: string, model: ModelId): Promise<string | null> {
  const look = watch(instance, id);
  const body = { model: pairOf(model), tools: { '*': false }, parts: [{ type: 'text', text: 'Understudy' }] };
  const { data } = await instance.client.session.prompt({ path: { id }, body });
  const error = data?.info?.role === 'assistant' ? data.info.error : undefined;
  if (look.hasStarted || !error || instance.isGone) return null;
  return whyUnstartable(error.data?.message || error.name || 'unknown error');
}

/**
 * A package may be missing or reject a model. Never rejects.
 * @returns true if any was found.
 */
export async function findUnstartable(instance: Instance): Promise<boolean> {
  const { companion, listed, unstartable } = instance;
  const models = [...placesIn(instance).keys()].filter(
    (model) => listed.uncertain.has(model) && !unstartable.has(model),
  );
  for (const [model, why] of await tryStart(instance, models)) unstartable.set(model, why);
  instance.listed = { ...listed, models: listed.models.filter((model) => !unstartable.has(model)) };
  unblockListed(companion, instance.listed.models, companion.brain.now());
  return unstartable.size > 0;
}
