import { homedir } from 'node:os';
import { budgetsOf } from '../../core/budget/budgets';
import type { Budget } from '../../core/budget/ledger';
import { isOldNews, levelsOf } from '../../core/budget/levels';
import { mergedConfig } from '../../core/config';
import { begunLines, countedAccounts, isKnown } from '../../core/headroom/counted';
import { enteredIn, type Limit } from '../../core/headroom/entered';
import type { CountedBudget } from '../../engine';
import { keptPaths } from '../../node/config/config-files';
import { type ConfigReader, openConfig } from '../../node/config/config-reader';
import { createLastConfig } from '../../node/config/last-config';
import { openSpending, refreshFor } from '../../node/data/spending';
import type { Brain } from '../base/brain';
import { counting } from '../base/counting';
import { type Book, keepBook } from './book';
import type { SpendBook } from './spend';

export type Budgets = Book &
  Readonly<{
    /** Await before a decision: reads the configuration and other processes' spending. */
    refresh(): Promise<void>;
    flush(): Promise<void>;
  }>;

type Options = Readonly<{
  home: string;
  instance: string;
  spendOf: SpendBook['next'];
  warn: (message: string) => void;
  wall?: () => number;
  /** The user's own files: projects set no budgets. */
  config?: () => Promise<Pick<ConfigReader, 'loaded' | 'refresh'>>;
}>;

const ASKED_EVERY_MS = 1_000;

/** Records spending even without a budget. */
export function keepBudgets(
  brain: Brain,
  { home, instance, spendOf, warn, wall = Date.now, config = () => openConfig(keptPaths(null, home)) }: Options,
): Budgets {
  const spending = openSpending(home, warn, wall, instance);
  const last = createLastConfig(home);
  let reading: ReturnType<typeof config> | null = null;
  let reported: readonly CountedBudget[] = [];
  let toldAt = 0;
  let waiting: NodeJS.Timeout | null = null;
  const looking = new Set<Promise<void>>();
  let keeping: Promise<unknown> = Promise.resolve();

  const look = async (): Promise<void> => {
    reading ??= config();
    const reader = await reading;
    await reader.refresh();
    const { sources } = reader.loaded();
    const file = mergedConfig(sources);
    const [budgets, limits] = [budgetsOf(file, homedir()), enteredIn(file)];
    keeping = Promise.all([keeping, last.keep(sources.global)]);
    await refreshFor(spending, budgets, limits);
    if (budgets.length > 0 || reported.length > 0) tellBudgets(budgets, wall());
    tellLimits(limits, wall());
  };
  const tellBudgets = (budgets: readonly Budget[], now: number): void => {
    const levels = levelsOf(budgets, spending.count(budgets, now), now);
    if (isOldNews(reported, levels, brain.now() - toldAt)) return;
    reported = levels;
    toldAt = brain.now();
    brain.tell({ type: 'money.counted', levels });
  };
  const tellLimits = (limits: readonly Limit[], now: number): void => {
    const counted = limits.length === 0 ? [] : spending.countLimits(limits, now);
    for (const line of begunLines(counted, now)) spending.add(line);
    const accounts = countedAccounts(counted, now);
    if (!isKnown(brain.state(), accounts, brain.now())) brain.tell({ type: 'headroom.counted', accounts });
  };
  const refresh = (): Promise<void> => {
    const one: Promise<void> = counting('budgets.look', look).then(() => void looking.delete(one));
    looking.add(one);
    return one;
  };

  /** Another process's approval arrives through the ledger. */
  const listen = (): void => {
    const isAsked = brain.state().questions.some(({ short }) => short?.unit === 'dollars');
    if (!isAsked || waiting !== null) return;
    waiting = setTimeout(() => {
      waiting = null;
      void refresh().then(listen);
    }, ASKED_EVERY_MS);
    waiting.unref();
  };

  const book = keepBook(brain, { home, instance, spending, spendOf, wall, onCounted: () => void refresh() });
  brain.onStep(({ facts }) => {
    for (const fact of facts) if (fact.type === 'money.allowed') spending.add({ at: wall(), allowed: fact.id });
    listen();
  });
  const flush = async (): Promise<void> => {
    await Promise.all([counting('spending.flush', spending.flush), ...looking]);
    await keeping;
  };
  return { ...book, refresh, flush };
}
