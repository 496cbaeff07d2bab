import type { ModelRow, Snapshot } from '../contract/snapshot';
import { type LiveAgent, liveRows } from '../wording/agent-record';

export type { LiveAgent };

/** Worst first. */
export const STANDINGS = ['waiting', 'stuck', 'down', 'leftOut', 'needs', 'silent', 'away', 'well'] as const;
export type Standing = (typeof STANDINGS)[number];

export function liveAgents(snapshot: Snapshot): readonly LiveAgent[] {
  const rank = (agent: LiveAgent): number => STANDINGS.indexOf(standingOf(agent));
  return liveRows(snapshot).toSorted((left, right) => rank(left) - rank(right));
}

/** A blocked primary returns only after a person acts, so that is shown before the fallback. */
export function standingOf({ row, record: { state, reason } }: Pick<LiveAgent, 'row' | 'record'>): Standing {
  const needs = row.chain[0]?.state === 'blocked';
  switch (state) {
    case 'paused':
      return 'leftOut';
    case 'waitsForPermission':
    case 'waitsForAnswer':
      return 'waiting';
    case 'waitsForRetry':
      return 'stuck';
    case 'waitsForFirstToken':
      return 'silent';
    case 'allModelsUnavailable':
    case 'budgetSpent':
      return 'down';
    case 'onFallback':
      return needs ? 'needs' : 'away';
    default:
      return reason?.code === 'stopped' ? 'down' : needs ? 'needs' : 'well';
  }
}

export function chainedModels({ chains, sessions, models }: Snapshot): readonly ModelRow[] {
  const live = sessions.filter(({ isLive }) => isLive).flatMap(({ agents }) => agents);
  const named = new Set([...chains, ...live].flatMap(({ chain }) => chain.map(({ model }) => model)));
  return models.filter(({ model }) => named.has(model));
}

/** Names from other processes could rewrite the menu. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ');

/** One line; a long text keeps both ends. */
export function label(text: string, max: number): string {
  const characters = [...plain(text)];
  if (characters.length <= max) return characters.join('');
  const head = Math.ceil((max - 1) / 2);
  return `${characters.slice(0, head).join('')}…${characters.slice(head + 1 - max).join('')}`;
}

export const isSpoken = (agent: LiveAgent): boolean => !['down', 'leftOut'].includes(standingOf(agent));
