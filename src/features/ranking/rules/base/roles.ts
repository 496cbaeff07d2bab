import type { BenchmarkId } from './benchmarks';

/** Purposes of agents that benchmarks can judge. */
export const ROLES = ['oracle', 'orchestrator', 'explorer', 'librarian', 'designer', 'fixer', 'builder'] as const;
export type Role = (typeof ROLES)[number];

export const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name);

/** Weight of each benchmark for a role; together 1. Absent ones have weight 0. */
export type Weights = Readonly<Partial<Record<BenchmarkId, number>>>;

/** Roles by common agent names. */
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

/** The role that an agent's name suggests; null for none: then the user chooses. */
export function roleOf(agent: string): Role | null {
  const name = agent.toLowerCase();
  if (isRole(name)) return name;
  return Object.hasOwn(BY_NAME, name) ? (BY_NAME[name] ?? null) : null;
}
