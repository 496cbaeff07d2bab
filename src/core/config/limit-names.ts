import { type AgentPlan, accountIn, type ModelId, providerOf, unaccounted } from '../../engine';
import { costBy, type Repriced } from './defined-models';
import type { KeyPath } from './problem';
import { pathText } from './problem';
import type { ConfigFile } from './schema';
import type { Complain, HostModels } from './sources';
import { nearest } from './suggest';

type Inputs = Readonly<{ merged: ConfigFile; host: HostModels; complain: Complain }>;

/** An agent is only reported if another name is similar: it may belong to another project. */
export function tellUnknownNames({ merged, host, complain }: Inputs): void {
  const { budget = {}, headroom = {} } = merged;
  const models = host.models ?? [];
  if (models.length === 0) return;
  const providers = [...new Set(models.map((model) => providerOf(unaccounted(model))))];
  const agentNames = [...Object.keys(host.leads), ...(host.others ?? []), ...Object.keys(merged.agents ?? {})];
  const keysAt = (path: KeyPath, of: object = {}): KeyPath[] => Object.keys(of).map((key) => [...path, key]);
  const places = [
    ...keysAt(['budget', 'providers'], budget.providers),
    ...keysAt(['headroom', 'reserve'], headroom.reserve),
    ...keysAt(['headroom', 'limits'], headroom.limits),
  ];
  for (const path of places) {
    const message = unknownProvider(String(path.at(-1)), providers, host);
    if (message !== null) complain('name.unknown', path, `${pathText(path)}: ${message}`);
  }
  const reserved = Object.entries(headroom.reserve ?? {}).flatMap(([provider, agents]) =>
    keysAt(['headroom', 'reserve', provider], agents),
  );
  for (const path of [...keysAt(['budget', 'agents'], budget.agents), ...reserved]) {
    const agent = String(path.at(-1));
    const near = agentNames.includes(agent) ? null : nearest(agent, agentNames);
    if (near !== null)
      complain(
        'name.unknown',
        path,
        `${pathText(path)}: there is no agent ${quoted(agent)}. Did you mean ${quoted(near)}?`,
      );
  }
}

const quoted = (name: string): string => JSON.stringify(name);

function unknownProvider(written: string, providers: readonly string[], { accounts }: HostModels): string | null {
  const provider = providerOf(unaccounted(`${written}/`));
  if (!providers.includes(provider)) {
    const near = nearest(provider, providers);
    const hint = near === null ? '' : ` Did you mean ${quoted(near)}?`;
    return `OpenCode has no provider ${quoted(provider)} (unknown, or no login): nothing is counted for it.${hint}`;
  }
  const account = accountIn(`${written}/`);
  const own = accounts && Object.hasOwn(accounts, provider) ? accounts[provider] : undefined;
  if (account === null || own === undefined || own.includes(account)) return null;
  return `OpenCode has no account ${quoted(account)} of ${provider}: it has ${own.join(', ')}.`;
}

/** Reports models that only the project prices: they are not called while a budget applies. */
export function tellUnpriced(
  { merged: { budget }, complain }: Pick<Inputs, 'merged' | 'complain'>,
  repriced: Repriced | null,
  agents: Readonly<Record<string, AgentPlan>>,
): void {
  if (budget === undefined || repriced === null || !isAnyHeld(budget)) return;
  const models = new Set(Object.values(agents).flatMap(({ chain }): readonly ModelId[] => chain));
  for (const model of models)
    if (costBy(repriced, model) === null)
      complain(
        'model.unpriced',
        ['budget'],
        `Only this project sets a price for ${unaccounted(model)}. While a budget asks or stops, the model is not called, unless your own opencode.json sets its price.`,
      );
}

function isAnyHeld(budget: NonNullable<ConfigFile['budget']>): boolean {
  const { providers = {}, agents = {}, projects = {} } = budget;
  const parts = [budget, ...[providers, agents, projects].flatMap((each) => Object.values(each))];
  return parts.some(({ day, week, session, action = budget.action }) => {
    const hasAmount = [day, week, session].some((amount) => amount !== undefined);
    return hasAmount && (action === 'ask' || action === 'stop');
  });
}
