import type { Snapshot } from '../contract/snapshot';
import { plain } from '../wording/status-text';

const LISTED_MAX = 8;

export function listOf(names: Iterable<string>): string {
  const all = [...new Set(names)];
  return all.length > LISTED_MAX ? `${all.slice(0, LISTED_MAX).join(', ')}…` : `${all.join(', ') || 'none'}.`;
}

const unknown = (noun: string, name: string, names: readonly string[]): string =>
  plain(`There is no ${noun.toLowerCase()} '${name}'. ${noun}s: ${listOf(names)}`);

/** Null if a project has the agent, or if no agents are listed. */
export function unknownAgent(snapshot: Snapshot, agent: string, directory?: string): string | null {
  const rows = [...snapshot.chains, ...snapshot.others, ...snapshot.pins].filter(
    (row) => directory === undefined || row.directory === directory,
  );
  const names = rows.map((row) => row.agent).filter((name) => name !== '*');
  const running = snapshot.sessions.flatMap(({ agents }) => agents.map((row) => row.agent));
  return names.length === 0 || ['*', ...names, ...running].includes(agent) ? null : unknown('Agent', agent, names);
}

export function unknownSession({ sessions }: Snapshot, session: string): string | null {
  const ids = sessions.map((row) => row.session);
  return ids.includes(session) ? null : unknown('Session', session, ids);
}
