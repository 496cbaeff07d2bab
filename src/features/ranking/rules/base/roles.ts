import type { BenchmarkId } from './benchmarks';

/** What an agent is there for, as far as benchmarks can say who does it well. */
export const ROLES = ['oracle', 'orchestrator', 'explorer', 'librarian', 'designer', 'fixer', 'builder'] as const;
export type Role = (typeof ROLES)[number];

export const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name);

/** How much each benchmark counts for a role; together 1. What is not named counts nothing. */
export type Weights = Readonly<Partial<Record<BenchmarkId, number>>>;

/** Roles by the names agents commonly have. */
const BY_NAME: Readonly<Record<string, Role>> = {
  build: 'builder',
  plan: 'orchestrator',
  general: 'builder',
  explore: 'explorer',
  explorer: 'explorer',
  review: 'oracle',
  'code-reviewer': 'oracle',
  architect: 'designer',
  docs: 'librarian',
  research: 'librarian',
  debug: 'fixer',
};

/** The role an agent's name speaks of; null where it speaks of none, and a person has to choose. */
export function roleOf(agent: string): Role | null {
  const name = agent.toLowerCase();
  if (isRole(name)) return name;
  return Object.hasOwn(BY_NAME, name) ? (BY_NAME[name] ?? null) : null;
}
