import { createHash } from 'node:crypto';
import { type FailureKind, unbooked } from '../../engine';
import { entries, ownValue } from '../../engine/tools';
import { quietly } from '../base/quietly';
import type { Companion } from '../runtime/host';
import { ACTOR } from './commands';

const OF_LOGIN: readonly (FailureKind | undefined)[] = ['auth', 'login'];

export type Logins = Readonly<Record<string, unknown>>;

type Place = Readonly<{ companion: Companion; failedLogins: Map<string, string> }>;

/**
 * Resets a provider once its failed login has changed. Never rejects.
 * @param read null if logins cannot be read.
 */
export async function heedLogins(
  { companion, failedLogins }: Place,
  read: (providers: ReadonlySet<string>) => Promise<Logins | null>,
): Promise<void> {
  const { brain } = companion;
  const blocked = entries(brain.state().providers).filter(([, { block }]) => OF_LOGIN.includes(block?.kind));
  const providers = new Set(blocked.map(([key]) => unbooked(key)));
  for (const provider of failedLogins.keys()) if (!providers.has(provider)) failedLogins.delete(provider);
  const logins = providers.size > 0 ? await quietly(() => read(providers)) : null;
  if (logins === null) return;
  for (const provider of providers) {
    const login = hashOf(ownValue(logins, provider));
    const before = failedLogins.get(provider) ?? login;
    failedLogins.set(provider, login);
    if (before !== login) brain.tell({ type: 'health.reset', target: { provider }, actor: ACTOR });
  }
}

const hashOf = (login: unknown): string =>
  createHash('sha256')
    .update(`${JSON.stringify(login)}`)
    .digest('hex');
