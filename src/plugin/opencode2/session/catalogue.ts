import { offeredFacts } from '../../../core/base/offers';
import type { Ability } from '../../../engine';
import { counting } from '../../base/counting';
import { placesIn } from '../../runtime/places';
import { ACTOR } from '../../user/commands';
import { unblockListed, whyUnstartable } from '../../user/unasked';
import type { Accounts } from './account';
import { accountsIn, isOtherThanBefore, readAccounts } from './accounts';
import { agentsIn, modelIn, modelsIn } from './border';
import { councils } from './councils';
import { called } from './host-calls';
import type { Instance } from './instance';
import { nameOf } from './model-ref';
import type { ListedModel } from './types';

/** The engine omits steps that need other abilities. */
const ABILITIES: readonly Ability[] = ['hold.other', 'hold.start', 'retry.output', 'ask'];

/**
 * Reads agents and models, again if they change meanwhile. Never rejects; resolves with lists at least as new as this
 * call.
 */
export function listAnew(instance: Instance): Promise<void> {
  instance.isListOld = true;
  instance.listing ??= readWhileOld(instance);
  return instance.listing;
}

async function readWhileOld(instance: Instance): Promise<void> {
  while (instance.isListOld && !instance.isGone) {
    instance.isListOld = false;
    await counting('models.read', () => readModels(instance));
  }
  // Cleared synchronously, so that a change arriving now starts another read.
  instance.listing = null;
}

async function readList(list: (() => Promise<unknown>) | undefined): Promise<unknown> {
  return called(list ? async () => list() : null);
}

async function readModels(instance: Instance): Promise<void> {
  const { model } = instance.context;
  const [models, accounts] = await Promise.all([
    readList(model?.list?.bind(model)),
    readAccounts(instance),
    readLeads(instance),
  ]);
  // Newer lists are read next.
  if (instance.isGone || instance.isListOld) return;
  const usable = modelsIn(models).filter(({ enabled }) => enabled !== false);
  instance.files = new Map(usable.filter((entry) => !instance.unstartable.has(nameOf(entry))).flatMap(fileOf));
  instance.listed = {
    models: withoutUnstartable(instance, usable.map(nameOf)),
    catalogue: Object.fromEntries(usable.map((entry) => [nameOf(entry), factsOf(entry)])),
  };
  takeAccounts(instance, accounts);
  configure(instance);
  if (instance.isListWhole) void councils.playAppointed(instance);
}

/**
 * Imports file packages of the chains' models. OpenCode would do so for the first request, and a failure would end the
 * turn before any hook, so such a model counts as unlisted. [observed: 2.0.15]
 */
export async function findUnstartable(instance: Instance): Promise<void> {
  const { companion, files, unstartable } = instance;
  const before = unstartable.size;
  for (const model of placesIn(instance).keys()) {
    const url = files.get(model);
    if (url === undefined) continue;
    // Runs with each message, but imports once per list.
    files.delete(model);
    await import(url).catch((error: unknown) => unstartable.set(model, whyUnstartable(String(error))));
  }
  if (unstartable.size > before) {
    instance.listed = { ...instance.listed, models: withoutUnstartable(instance, instance.listed.models) };
    configure(instance);
  }
  unblockListed(companion, instance.listed.models, instance.openedAt);
}

const withoutUnstartable = ({ unstartable }: Instance, models: readonly string[]): string[] =>
  models.filter((model) => !unstartable.has(model));

const fileOf = (entry: ListedModel): [model: string, url: string][] => {
  const [, url] = /^aisdk:(file:.*)$/.exec(entry.package ?? '') ?? [];
  return url === undefined ? [] : [[nameOf(entry), url]];
};

/** Health found with the previous account does not apply to a new one. */
function takeAccounts(instance: Instance, accounts: Accounts | null): void {
  const { brain } = instance.companion;
  for (const [provider, [inUse]] of accounts ?? [])
    if (inUse && isOtherThanBefore(brain, provider, inUse))
      brain.tell({ type: 'health.reset', target: { provider }, actor: ACTOR });
  instance.accounts = accounts;
}

/** Never rejects. */
export async function readLeads(instance: Instance): Promise<void> {
  const { model, agent } = instance.context;
  const [agents, chosen] = await Promise.all([
    readList(agent?.list?.bind(agent)),
    readList(model?.default?.bind(model)),
  ]);
  if (instance.isGone) return;
  instance.leads = Object.fromEntries(agentsIn(agents).map(({ id, model: own }) => [id, own ? nameOf(own) : null]));
  const preferred = chosenIn(chosen);
  instance.defaultModel = preferred && nameOf(preferred);
}

/** An incomplete list would report valid chains as unknown models. */
export function configure(instance: Instance): void {
  const { companion, leads, defaultModel, listed, isListWhole } = instance;
  const common = { leads, defaultModel, abilities: ABILITIES, isUnattended: instance.exitsAtRest };
  const isWhole = isListWhole && listed.models.length > 0;
  companion.configure(isWhole ? { ...common, ...listed, ...accountsIn(instance) } : common);
}

/** Some versions put the default's reference into `selection`. */
const chosenIn = (value: unknown): ReturnType<typeof modelIn> =>
  modelIn(typeof value === 'object' && value !== null && 'selection' in value ? value.selection : value);

function factsOf({
  id,
  family,
  status,
  capabilities,
  cost,
  limit,
  variants,
}: ListedModel): ReturnType<typeof offeredFacts> {
  const [price] = cost ?? [];
  const { tools, input } = capabilities ?? {};
  return offeredFacts(id, {
    ...(family === undefined ? {} : { family }),
    ...(status === undefined ? {} : { status }),
    // A variant that OpenCode does not list would end the turn.
    variants: (variants ?? []).map((variant) => variant.id),
    ...(limit?.context === undefined ? {} : { limit: { context: limit.context } }),
    ...(price ? { cost: { input: price.input ?? 0, output: price.output ?? 0 } } : {}),
    capabilities: {
      ...(tools === undefined ? {} : { toolcall: tools }),
      ...(input === undefined ? {} : { input: { image: input.some((kind) => kind.startsWith('image')) } }),
    },
  });
}
