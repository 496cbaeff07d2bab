import type { ModelUsage, SessionUsage } from '../../contract/snapshot';
import { remember } from '../../engine/tools';
import type { UsageRecorded } from '../../protocol';
import { tokensOf } from '../base/tokens';

/** `position` is null if the model is not in the agent's chain. */
export type UsedStep = Pick<UsageRecorded, 'session' | 'agent' | 'model' | 'purpose' | 'tokens' | 'cost'> &
  Readonly<{ position: number | null }>;

export type UsageBook = Readonly<{
  add(step: UsedStep): void;
  ofModel(model: string): ModelUsage | null;
  /** Null without usage. */
  ofSessions(sessions: readonly string[]): SessionUsage | null;
  forget(): void;
}>;

const SESSIONS_KEPT = 200;
/** Integer billionths make the sum independent of the order. */
const NANOS = 1e9;

type Sums = {
  input: number;
  output: number;
  reasoning: number;
  cacheRead: number;
  cacheWrite: number;
  /** Tokens of OpenCode's internal requests, and tokens with a price. */
  internal: number;
  priced: number;
  costNanos: number;
};
type Speaking = Pick<UsedStep, 'agent' | 'model' | 'position'> & Readonly<{ sums: Sums }>;

export function createUsageBook(): UsageBook {
  const models = new Map<string, Sums>();
  const sessions = new Map<string, Map<string, Speaking>>();
  const speakersIn = (session: string): Map<string, Speaking> =>
    remember(sessions, session, sessions.get(session) ?? new Map<string, Speaking>(), SESSIONS_KEPT);
  return {
    add(step) {
      models.set(step.model, plus(models.get(step.model) ?? nothing(), sumsOf(step)));
      put(speakersIn(step.session), { ...step, sums: sumsOf(step) });
    },
    ofModel: (model) => shown(models.get(model)),
    ofSessions(of) {
      const all = new Map<string, Speaking>();
      for (const session of of) for (const speaking of sessions.get(session)?.values() ?? []) put(all, speaking);
      const by = [...all.values()];
      const total = shown(by.reduce((sums, each) => plus(sums, each.sums), nothing()));
      const rows = by.flatMap(({ sums, ...who }) => {
        const used = shown(sums);
        return used ? [{ ...who, ...used }] : [];
      });
      return total && { ...total, by: rows };
    },
    forget() {
      models.clear();
      sessions.clear();
    },
  };
}

function put(speakers: Map<string, Speaking>, { agent, model, position, sums }: Speaking): void {
  const key = JSON.stringify([agent, model, position]);
  speakers.set(key, { agent, model, position, sums: plus(speakers.get(key)?.sums ?? nothing(), sums) });
}

const nothing = (): Sums => ({
  input: 0,
  output: 0,
  reasoning: 0,
  cacheRead: 0,
  cacheWrite: 0,
  internal: 0,
  priced: 0,
  costNanos: 0,
});

const FIELDS = Object.keys(nothing()) as readonly (keyof Sums)[];

function plus(a: Sums, b: Sums): Sums {
  const sums = nothing();
  for (const field of FIELDS) sums[field] = a[field] + b[field];
  return sums;
}

function sumsOf({ tokens, cost, purpose }: UsedStep): Sums {
  const all = tokensOf(tokens);
  return {
    ...tokens,
    internal: purpose === 'internal' ? all : 0,
    priced: cost === null ? 0 : all,
    costNanos: Math.round((cost ?? 0) * NANOS),
  };
}

function shown(sums: Sums | undefined): ModelUsage | null {
  const total = sums ? tokensOf(sums) : 0;
  if (!sums || total === 0) return null;
  const { internal, priced, costNanos, ...tokens } = sums;
  return { tokens, total, internal, cost: priced === 0 ? null : costNanos / NANOS, pricedShare: priced / total };
}
