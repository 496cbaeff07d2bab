import { offeredFacts } from '../../core/offers';
import type { Ability } from '../../engine';
import { agentsIn, modelIn, modelsIn } from './border';
import { called } from './host-calls';
import type { Instance } from './instance';
import { nameOf } from './model-ref';
import type { ListedModel } from './types';

/** What this adapter can do beyond the plain decisions; the engine leaves out steps that need more. */
const ABILITIES: readonly Ability[] = ['hold.other', 'retry.output'];

/** Tells the companion which agents and models there are, as far as OpenCode says. Never rejects. */
export async function readModels(instance: Instance): Promise<void> {
  const { model, agent } = instance.context;
  const ask = (list: (() => Promise<unknown>) | undefined): Promise<unknown> =>
    called(list ? async () => list() : null);
  const [models, agents, chosen] = await Promise.all([
    ask(model?.list?.bind(model)),
    ask(agent?.list?.bind(agent)),
    ask(model?.default?.bind(model)),
  ]);
  if (instance.isGone) return;
  const usable = modelsIn(models).filter(({ enabled }) => enabled !== false);
  instance.listed = {
    models: usable.map(nameOf),
    catalogue: Object.fromEntries(usable.map((entry) => [nameOf(entry), factsOf(entry)])),
  };
  instance.leads = Object.fromEntries(agentsIn(agents).map(({ id, model: own }) => [id, own ? nameOf(own) : null]));
  const preferred = chosenIn(chosen);
  instance.defaultModel = preferred && nameOf(preferred);
  configure(instance);
}

/** The same with what is known already; before OpenCode has listed anything, nothing is. */
export function configure({ companion, leads, defaultModel, listed }: Instance): void {
  const known = { leads, defaultModel, abilities: ABILITIES };
  companion.configure(listed.models.length > 0 ? { ...known, ...listed } : known);
}

/** A default comes as the model itself, or with the reference in `selection`. */
const chosenIn = (value: unknown): ReturnType<typeof modelIn> =>
  modelIn(typeof value === 'object' && value !== null && 'selection' in value ? value.selection : value);

function factsOf({ id, family, status, capabilities, cost, limit }: ListedModel): ReturnType<typeof offeredFacts> {
  const [price] = cost ?? [];
  const { tools, input } = capabilities ?? {};
  return offeredFacts(id, {
    ...(family === undefined ? {} : { family }),
    ...(status === undefined ? {} : { status }),
    ...(limit?.context === undefined ? {} : { limit: { context: limit.context } }),
    ...(price ? { cost: { input: price.input ?? 0, output: price.output ?? 0 } } : {}),
    capabilities: {
      ...(tools === undefined ? {} : { toolcall: tools }),
      ...(input === undefined ? {} : { input: { image: input.some((kind) => kind.startsWith('image')) } }),
    },
  });
}
