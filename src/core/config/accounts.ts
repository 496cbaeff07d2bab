import { accountIn, type ModelId, nameOf, providerOf, unaccounted } from '../../engine';
import type { KeyPath } from './problem';
import { pathText } from './problem';
import type { ConfigFile } from './schema';
import type { Complain, HostModels } from './sources';

const byAccount = (model: ModelId, account: string): ModelId => `${providerOf(model)}@${account}/${nameOf(model)}`;

const accountsOf = ({ accounts = {} }: HostModels, provider: string): readonly string[] =>
  (Object.hasOwn(accounts, provider) ? accounts[provider] : undefined) ?? [];

/** Adds each model of a provider under each of its other accounts. */
export function withAccounts(host: HostModels): HostModels {
  const { accounts = {}, models, catalogue } = host;
  const others = Object.entries(accounts).filter(([, labels]) => labels.length > 1);
  if (others.length === 0 || models === undefined) return host;
  const added = others.flatMap(([provider, [, ...labels]]) =>
    models
      .filter((model) => providerOf(model) === provider)
      .flatMap((model) => labels.map((label) => [byAccount(model, label), model] as const)),
  );
  const facts = added.flatMap(([id, model]) => {
    const facts = catalogue && Object.hasOwn(catalogue, model) ? catalogue[model] : undefined;
    return facts === undefined ? [] : [[id, facts] as const];
  });
  return {
    ...host,
    models: [...models, ...added.map(([id]) => id)],
    ...(catalogue === undefined ? {} : { catalogue: { ...catalogue, ...Object.fromEntries(facts) } }),
  };
}

/** The account in use needs no name. */
export function asAsked(host: HostModels, model: ModelId): ModelId {
  const account = accountIn(model);
  if (account === null) return model;
  const plain = unaccounted(model);
  return accountsOf(host, providerOf(plain))[0] === account ? plain : model;
}

export function withSiblings(merged: ConfigFile, host: HostModels, chain: readonly ModelId[]): readonly ModelId[] {
  if (merged.accounts !== 'siblings') return chain;
  const siblings = chain.flatMap((model) => {
    const [, ...others] = accountIn(model) === null ? accountsOf(host, providerOf(model)) : [];
    return [model, ...others.map((label) => byAccount(model, label)).filter((id) => !chain.includes(id))];
  });
  return [...new Set(siblings)];
}

export function tellUnknownAccount(
  { host, complain }: Readonly<{ host: HostModels; complain: Complain }>,
  place: KeyPath,
  model: ModelId,
): boolean {
  const account = accountIn(model);
  const plain = unaccounted(model);
  if (account === null || !host.models?.includes(plain)) return false;
  const provider = providerOf(plain);
  const accounts = accountsOf(host, provider);
  if (host.withheld?.includes(provider)) {
    complain('account.withheld', place, `${withheldText(provider)} ${model} is skipped.`);
    return true;
  }
  const has =
    host.accounts === undefined
      ? 'this OpenCode supports one account per provider'
      : accounts.length === 0
        ? 'it has one account of that provider'
        : `it has ${accounts.join(', ')}`;
  complain(
    'account.unknown',
    place,
    `OpenCode has no account ${JSON.stringify(account)} of ${provider}: ${has}. ${model} is skipped.`,
  );
  return true;
}

const withheldText = (provider: string): string =>
  `A file of this project configures ${provider}, so only the account in use is called here: a project’s own address would receive the keys of the others.`;

export function tellNoAccounts(
  merged: ConfigFile,
  { models, accounts, withheld = [] }: HostModels,
  complain: Complain,
): void {
  if (merged.accounts !== 'siblings') return;
  const path = ['accounts'];
  for (const provider of withheld) complain('account.withheld', path, withheldText(provider));
  if (accounts !== undefined || !models?.length) return;
  complain(
    'setting.unavailable',
    path,
    `${pathText(path)}: "siblings" needs an OpenCode with several accounts per provider, such as OpenCode 2. This one supports one.`,
  );
}
