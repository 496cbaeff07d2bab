import type { BenchmarkId } from './benchmarks';

export const ROLES = ['oracle', 'orchestrator', 'explorer', 'librarian', 'designer', 'fixer', 'builder'] as const;
export type Role = (typeof ROLES)[number];

export const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name);

/** Weight of each benchmark for a role; the sum is 1. */
export type Weights = Readonly<Partial<Record<BenchmarkId, number>>>;

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

export function roleOf(agent: string): Role | null {
  const name = agent.toLowerCase();
  if (isRole(name)) return name;
  return Object.hasOwn(BY_NAME, name) ? (BY_NAME[name] ?? null) : null;
}
