import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type FailureKind, unbooked } from '../../engine';
import { entries } from '../../engine/tools';
import { placeOf } from '../../node/base/log-paths';
import { ACTOR } from '../commands';
import { quietly } from '../quietly';
import type { Instance } from './memory/instance';

const OF_LOGIN: readonly (FailureKind | undefined)[] = ['auth', 'login'];

/**
 * Resets a provider whose login has failed once OpenCode's file has another login of it. Holds a hash, in memory alone. Called
 * when a turn ends and before the next begins; never rejects.
 */
export async function heedLogins({ companion, directory, failedLogins }: Instance): Promise<void> {
  const { brain } = companion;
  const blocked = entries(brain.state().providers).filter(([, { block }]) => OF_LOGIN.includes(block?.kind));
  const providers = new Set(blocked.map(([key]) => unbooked(key)));
  for (const provider of failedLogins.keys()) if (!providers.has(provider)) failedLogins.delete(provider);
  const logins = providers.size > 0 ? await quietly(() => readLogins(directory)) : null;
  if (logins === null) return;
  for (const provider of providers) {
    const login = hashOf(logins[provider]);
    const before = failedLogins.get(provider) ?? login;
    failedLogins.set(provider, login);
    if (before !== login) brain.tell({ type: 'health.reset', target: { provider }, actor: ACTOR });
  }
}

/** Logins by provider. [observed: 1.17.19, 1.18.34] */
async function readLogins(directory: string): Promise<Readonly<Record<string, unknown>>> {
  return JSON.parse(await readFile(placeOf(null, { usual: ['auth.json'], directory }), 'utf8'));
}

const hashOf = (login: unknown): string =>
  createHash('sha256')
    .update(`${JSON.stringify(login)}`)
    .digest('hex');
