import type { HostModels } from '../../../core/config';
import { accountIn, type Evidence, type FailureKind, type ModelId, providerOf, unaccounted } from '../../../engine';
import { quietly } from '../../base/quietly';
import { heedLogins, type Logins } from '../../user/changed-logins';
import type { Account, Accounts } from './account';
import {
  type Connection,
  connectionIn,
  integrationsIn,
  providersIn,
  REPLACED_MIN_CHARS,
  type Secret,
  secretIn,
} from './border';
import { called } from './host-calls';
import type { Instance, SessionMemory } from './instance';
import { nameOf, refOf } from './model-ref';
import type { ModelRef } from './types';

/** A label has no end mark in a model's name, and must not look like a health partition. */
const MAX_LABEL_CHARS = 40;
const BOOK = /^[\da-f]{12}$/;

/** Reads names, no secrets; null if OpenCode gives plugins none. Never rejects. */
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
      const accounts = alikeIn(integrationID, connected.get(integrationID) ?? []);
      return accounts.length > 1 ? [[id, accounts] as const] : [];
    }),
  );
}

/** Keys and logins use different addresses, so only accounts of one kind can replace each other. */
function alikeIn(integration: string, connections: readonly Connection[]): readonly Account[] {
  const [inUse] = connections;
  const labels = labelsIn(connections);
  return connections.flatMap((connection) =>
    inUse && methodOf(connection) === methodOf(inUse)
      ? [{ label: labels.get(connection) ?? '', integration, connection }]
      : [],
  );
}

/** Labels do not depend on which account is in use. OpenCode allows equal names, and gives them by default. */
function labelsIn(connections: readonly Connection[]): ReadonlyMap<Connection, string> {
  const taken = new Set<string>();
  const inOrder = connections.toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
  return new Map(inOrder.map((connection) => [connection, labelOf(connection, taken)]));
}

const methodOf = (connection: Connection): string => (connection.type === 'env' ? 'key' : connection.method);

function labelOf(connection: Connection, taken: Set<string>): string {
  const connectionName = connection.type === 'env' ? connection.name : connection.label;
  const plain = connectionName
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_LABEL_CHARS);
  const first = plain === '' || BOOK.test(plain) ? `account-${plain}`.replace(/-$/, '') : plain;
  let label = first;
  for (let count = 2; taken.has(label); count++) label = `${first}-${count}`;
  taken.add(label);
  return label;
}

export const labelsOf = (accounts: Accounts): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries([...accounts].map(([provider, list]) => [provider, list.map(({ label }) => label)]));

export const accountsIn = ({ accounts }: Pick<Instance, 'accounts'>): Pick<HostModels, 'accounts'> =>
  accounts === null ? {} : { accounts: labelsOf(accounts) };

/** Returns null if the model names no account, or one that OpenCode does not list. */
export function accountOf({ accounts }: Instance, model: ModelId): Account | null {
  const label = accountIn(model);
  if (label === null) return null;
  return accounts?.get(providerOf(unaccounted(model)))?.find((account) => account.label === label) ?? null;
}

/** Returns OpenCode's reference, without the account. */
export const hostRef = (instance: Instance, model: ModelId): ModelRef =>
  refOf(accountOf(instance, model) === null ? model : unaccounted(model));

export function askedAs({ account }: SessionMemory, model: ModelRef): ModelId {
  const name = nameOf(model);
  return account?.of === name ? account.model : name;
}

/**
 * Another process can change the account in use without an event.
 * @returns true if it changed.
 */
export async function isOutdated({ accounts, context }: Instance, model: ModelId): Promise<boolean> {
  const [inUse] = accounts?.get(providerOf(unaccounted(model))) ?? [];
  if (inUse === undefined) return false;
  const now = connectionIn(await called(async () => context.integration?.connection?.active?.(inUse.integration)));
  return now !== null && idOf(now) !== idOf(inUse.connection);
}

/** Shared by all locations: OpenCode evaluates this file once per location, but they share the engine. */
function sharedIn<Value>(brain: object, key: symbol): Map<string, Value> {
  const holder = brain as Record<symbol, Map<string, Value> | undefined>;
  const shared = holder[key] ?? new Map<string, Value>();
  holder[key] = shared;
  return shared;
}

/** Account last in use, by provider. Every location reads it, one reports a change. */
const LAST = Symbol.for('understudy accounts in use');

/** @returns true if the account in use changed. */
export function isOtherThanBefore(brain: object, provider: string, { connection }: Account): boolean {
  const last = sharedIn<string>(brain, LAST);
  const before = last.get(provider);
  last.set(provider, idOf(connection));
  return before !== undefined && before !== idOf(connection);
}

const idOf = (connection: Connection): string => (connection.type === 'env' ? `env ${connection.name}` : connection.id);

type Sent = Readonly<{ url: string; headers: Iterable<readonly [string, string]> }>;

type Asked =
  | Readonly<{ ok: true; headers: readonly (readonly [string, string])[] }>
  | Readonly<{ ok: false; why: Evidence }>;

const refused = (model: ModelId, kind: FailureKind, why: string): Asked => ({
  ok: false,
  why: {
    phase: 'headers',
    message: `The account ${accountIn(model)} of ${providerOf(unaccounted(model))} could not be used: ${why}.`,
    mapped: { kind },
  },
});

/**
 * Replaces the key of the account in use wherever the headers contain it, so no provider format is needed. Other
 * differences must be replaced too, or the request is refused. Never rejects. Source: ADR 0067.
 */
export async function askedWith(instance: Instance, model: ModelId, { url, headers }: Sent): Promise<Asked> {
  const account = accountOf(instance, model);
  if (account === null) return refused(model, 'auth', 'OpenCode has no account of that name');
  const { context } = instance;
  const inUse = connectionIn(await called(async () => context.integration?.connection?.active?.(account.integration)));
  if (inUse === null) return refused(model, 'network_transient', 'OpenCode does not report the account in use');
  const [from, to] = await Promise.all([inUse, account.connection].map((each) => secretOf(instance, each)));
  if (!from || !to) return refused(model, 'network_transient', 'OpenCode does not provide its credentials');
  if ([from, to].some(({ key }) => key.length < REPLACED_MIN_CHARS))
    return refused(
      model,
      'auth',
      `its key is too short to replace safely (fewer than ${REPLACED_MIN_CHARS} characters)`,
    );
  const sent = exchanged({ url, headers: [...headers] }, from, to);
  // A login may have been renewed since the request was made.
  const kind = methodOf(inUse) === 'key' ? 'auth' : 'network_transient';
  return sent && isAsTyped(sent)
    ? { ok: true, headers: sent }
    : refused(model, kind, 'the key in the request could not be replaced');
}

/** Pending reads by account: reading a login may renew it, which works once. */
const READING = Symbol.for('understudy accounts being read');

async function secretOf({ companion, context }: Instance, connection: Connection): Promise<Secret | null> {
  const reading = sharedIn<Promise<unknown>>(companion.brain, READING);
  const id = idOf(connection);
  const read = reading.get(id) ?? quietly(async () => context.integration?.connection?.resolve?.(connection));
  reading.set(id, read);
  const value = await called(() => read);
  if (reading.get(id) === read) reading.delete(id);
  return secretIn(value);
}

/** Returns null if part of the other account would remain. */
function exchanged(
  { url, headers }: Sent & Readonly<{ headers: readonly (readonly [string, string])[] }>,
  from: Secret,
  to: Secret,
): readonly (readonly [string, string])[] | null {
  const stands = (text: string): boolean => !url.includes(text) && headers.some(([, value]) => value.includes(text));
  const names = Object.keys({ ...from.more, ...to.more });
  const differing = names.filter((name) => from.more[name] !== to.more[name]);
  const pairs = [[from.key, to.key], ...differing.map((name) => [from.more[name], to.more[name]])];
  // A difference elsewhere, such as in the address, would mix both accounts.
  const checked = pairs.flatMap(([one, other]) =>
    one !== undefined && other !== undefined && one.length >= REPLACED_MIN_CHARS && stands(one)
      ? [[one, other] as const]
      : [],
  );
  if (checked.length < pairs.length) return null;
  return headers.map(([name, value]) => [
    name,
    checked.reduce((text, [one, other]) => text.replaceAll(one, () => other), value),
  ]);
}

/** An invalid header would appear in an error's text. */
const isAsTyped = (headers: readonly (readonly [string, string])[]): boolean =>
  headers.every(([, value]) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value));

export const heedAccounts = (instance: Instance): Promise<void> =>
  heedLogins(instance, (providers) => readLogins(instance, providers));

/** Returns null if OpenCode gives plugins no logins. Reading one may renew it. */
async function readLogins(instance: Instance, providers: ReadonlySet<string>): Promise<Logins | null> {
  const { provider, integration } = instance.context;
  const { active } = integration?.connection ?? {};
  if (typeof active !== 'function') return null;
  const all = providersIn(await called(async () => provider?.list?.())).filter(({ id }) => providers.has(id));
  const logins = all.map(async ({ id, integrationID = id }) => {
    const connection = connectionIn(await called(async () => active(integrationID)));
    return [id, connection && { connection, secret: await secretOf(instance, connection) }] as const;
  });
  return Object.fromEntries(await Promise.all(logins));
}
