import { accountIn, type Evidence, type ModelId, providerOf, unaccounted } from '../../engine';
import { quietly } from '../quietly';
import type { Account, Accounts } from './account';
import { type Connection, connectionIn, integrationsIn, providersIn, secretIn } from './border';
import { called } from './host-calls';
import type { Instance, SessionMemory } from './instance';
import { nameOf, refOf } from './model-ref';
import type { ModelRef } from './types';

/** A label in a model's name has no sign that ends it, and is not what a book of health is named by. */
const MAX_LABEL_CHARS = 40;
const BOOK = /^[\da-f]{12}$/;

/**
 * Reads which accounts OpenCode keeps; null where it tells plugins of none. What they are called, never what they open. Never
 * rejects.
 */
export async function readAccounts({ context }: Instance): Promise<Accounts | null> {
  const { provider, integration } = context;
  if (typeof integration?.list !== 'function' || typeof provider?.list !== 'function') return null;
  const [providers, integrations] = await Promise.all([
    called(async () => provider.list?.()),
    called(async () => integration.list?.()),
  ]);
  const connected = new Map(integrationsIn(integrations).map(({ id, connections }) => [id, connections]));
  return new Map(
    providersIn(providers).flatMap(({ id, integrationID = id }) => {
      const accounts = accountsIn(integrationID, connected.get(integrationID) ?? []);
      return accounts.length > 1 ? [[id, accounts] as const] : [];
    }),
  );
}

/** A key and a login are asked at different addresses: only those of the kind that is in use may stand in. */
function accountsIn(integration: string, connections: readonly Connection[]): readonly Account[] {
  const [inUse] = connections;
  const alike = connections.filter((connection) => inUse && methodOf(connection) === methodOf(inUse));
  const taken = new Set<string>();
  return alike.map((connection) => ({ label: labelOf(connection, taken), integration, connection }));
}

const methodOf = (connection: Connection): string => (connection.type === 'env' ? 'key' : connection.method);

/** What a person has called it, as it can be written behind a provider; OpenCode lets two be called alike. */
function labelOf(connection: Connection, taken: Set<string>): string {
  const said = connection.type === 'env' ? connection.name : connection.label;
  const plain = said
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_LABEL_CHARS);
  const first = plain === '' || BOOK.test(plain) ? `account-${plain}`.replace(/-$/, '') : plain;
  let label = first;
  for (let count = 2; taken.has(label); count++) label = `${first}-${count}`;
  taken.add(label);
  return label;
}

/** What the configuration is told: labels alone. */
export const labelsOf = (accounts: Accounts): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries([...accounts].map(([provider, list]) => [provider, list.map(({ label }) => label)]));

/** The account that a model names, where OpenCode keeps it; null for a model of whichever is in use. */
export function accountOf({ accounts }: Instance, model: ModelId): Account | null {
  const label = accountIn(model);
  if (label === null) return null;
  return accounts.get(providerOf(unaccounted(model)))?.find((account) => account.label === label) ?? null;
}

/** OpenCode's reference of a model, whichever account is asked for it. */
export const hostRef = (instance: Instance, model: ModelId): ModelRef =>
  refOf(accountOf(instance, model) === null ? model : unaccounted(model));

/** A model of a session as the engine knows it: with the account that is asked for it there. */
export function askedAs({ account }: SessionMemory, model: ModelRef): ModelId {
  const name = nameOf(model);
  return account?.of === name ? account.model : name;
}

/** Which account is in use may have been changed in another process, which tells nobody. @returns whether it was. */
export async function isOutdated({ accounts, context }: Instance, model: ModelId): Promise<boolean> {
  const [inUse] = accounts.get(providerOf(unaccounted(model))) ?? [];
  if (inUse === undefined) return false;
  const now = connectionIn(await called(async () => context.integration?.connection?.active?.(inUse.integration)));
  return now !== null && idOf(now) !== idOf(inUse.connection);
}

/** What was in use when somebody looked last, by provider: each project of a process looks, and one of them tells. */
const LAST = Symbol.for('understudy accounts in use');

/** Notes which account of a provider is in use. @returns whether it was another one before. */
export function isOtherThanBefore(brain: object, provider: string, { connection }: Account): boolean {
  const shared = brain as { [LAST]?: Map<string, string> };
  const last = shared[LAST] ?? new Map<string, string>();
  shared[LAST] = last;
  const before = last.get(provider);
  last.set(provider, idOf(connection));
  return before !== undefined && before !== idOf(connection);
}

const idOf = (connection: Connection): string => (connection.type === 'env' ? `env ${connection.name}` : connection.id);

/** What is said of an account that OpenCode keeps no more, or whose key it sends in a way we cannot read. */
export const unasked = (model: ModelId): Evidence => ({
  phase: 'headers',
  message: `OpenCode could not be made to ask the account ${accountIn(model)} of ${providerOf(unaccounted(model))}.`,
  mapped: { kind: 'auth' },
});

/**
 * The headers of a request with another account's key in the place of the one in use, wherever that stands: so no wire has to be known.
 * Keys are in memory for as long as this takes. Source: ADR 0067.
 *
 * @returns null where nothing could be replaced: then that account was not asked.
 */
export async function askedWith(
  { context }: Instance,
  { integration, connection }: Account,
  headers: Iterable<readonly [string, string]>,
): Promise<readonly (readonly [string, string])[] | null> {
  const connections = context.integration?.connection;
  const read = await quietly(async () => {
    const inUse = connectionIn(await connections?.active?.(integration));
    if (inUse === null) return null;
    const [from, to] = await Promise.all([connections?.resolve?.(inUse), connections?.resolve?.(connection)]);
    return { isSame: idOf(inUse) === idOf(connection), from: secretIn(from), to: secretIn(to) };
  });
  const sent = [...headers];
  if (!read?.from || !read.to) return null;
  if (read.isSame) return sent;
  const { from, to } = read;
  const pairs = Object.entries(from).flatMap(([name, text]) => {
    const other = to[name];
    return other === undefined ? [] : [[text, other] as const];
  });
  const swapped = sent.map(
    ([name, value]) => [name, pairs.reduce((text, [one, other]) => text.replaceAll(one, other), value)] as const,
  );
  return swapped.some(([, value], at) => value !== sent[at]?.[1]) ? swapped : null;
}
