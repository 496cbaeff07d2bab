import { homedir } from 'node:os';
import { budgetsOf } from '../core/budget/budgets';
import type { Budget } from '../core/budget/ledger';
import { isOldNews, levelsOf } from '../core/budget/levels';
import type { ConfigFile } from '../core/config';
import { type CountedBudget, providerOf, unaccounted } from '../engine';
import { rootOf } from '../engine/tools';
import { openSpending } from '../node/data/spending';
import type { UsageRecorded } from '../protocol';
import type { Brain } from './brain';
import { quietly } from './quietly';

/** What this user may spend, and has, as this process knows it. */
export type Budgets = Readonly<{
  /** Which budgets the configuration of a directory sets; undefined for none. They are the user's, and the same everywhere. */
  follow(directory: string, budget: ConfigFile['budget']): void;
  /** To be awaited before a decision: takes in what others have spent. Costs nothing where no budget is set. */
  refresh(): Promise<void>;
  /** Resolves when what was spent here is written down. */
  flush(): Promise<void>;
}>;

type Options = Readonly<{ home: string; warn: (message: string) => void; wall?: () => number }>;

/** Writes down what is spent in this process, also where no budget is set yet, and tells the engine how much is left. */
export function keepBudgets(brain: Brain, { home, warn, wall = Date.now }: Options): Budgets {
  const spending = openSpending(home, warn);
  const set = new Map<string, readonly Budget[]>();
  let told: readonly CountedBudget[] = [];

  const look = async (): Promise<void> => {
    // All are the user's own words: those that were read last are the newest.
    const budgets = [...set.values()].at(-1) ?? [];
    if (budgets.length === 0 && told.length === 0) return;
    if (budgets.length > 0) await spending.refresh();
    const now = wall();
    const levels = levelsOf(spending.count(budgets, now), now);
    if (isOldNews(told, levels)) return;
    told = levels;
    brain.tell({ type: 'money.counted', levels });
  };
  const refresh = async (): Promise<void> => void (await quietly(look));

  brain.onEntry(({ event }) => {
    if (event.type !== 'usage.recorded') return;
    spending.add(lineOf(event, rootOf(brain.state(), event.session), wall()));
    void refresh();
  });
  brain.onStep(({ facts }) => {
    for (const fact of facts) if (fact.type === 'money.allowed') spending.add({ at: wall(), allowed: fact.id });
  });
  return {
    follow(directory, budget) {
      const budgets = budgetsOf({ budget }, homedir());
      set.delete(directory);
      if (budgets.length > 0) set.set(directory, budgets);
    },
    refresh,
    flush: async () => void (await quietly(spending.flush)),
  };
}

const lineOf = ({ purpose, model, agent, directory, tokens, cost }: UsageRecorded, session: string, at: number) => ({
  ...{ at, for: purpose, provider: unaccounted(providerOf(model)), agent, directory, session },
  tokens: Object.values(tokens).reduce((sum, count) => sum + count, 0),
  cost,
});
