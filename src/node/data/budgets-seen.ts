import { homedir } from 'node:os';
import { onPush, type PanelHost } from '../../contract/contract';
import { countAs } from '../../core/base/internal-errors';
import { budgetsOf } from '../../core/budget/budgets';
import type { Counted } from '../../core/budget/ledger';
import { mergedConfig } from '../../core/config';
import { type CountedAccounts, countedAccounts } from '../../core/headroom/counted';
import { enteredIn } from '../../core/headroom/entered';
import type { Clock } from '../../core/ports/ports';
import type { Environment } from '../base/state-home';
import { keptPaths } from '../config/config-files';
import { openConfig } from '../config/config-reader';
import { createLastConfig } from '../config/last-config';
import { openSpending, refreshFor } from './spending';

const SETTLE_MS = 500;

type Place = Readonly<{ home: string; env: Environment; clock: Pick<Clock, 'wall' | 'schedule'> }>;

type Tell = Readonly<{
  budgets(counted: readonly Counted[]): void;
  limits(accounts: CountedAccounts): void;
}>;

/** Counts after each event and when a period begins. Sets no timer while nothing happens. */
export function seeBudgets(
  host: PanelHost,
  { home, env, clock }: Place,
  tell: Tell,
): Readonly<{
  /** For spending that no event of this process reported. */
  look(): void;
  close(): Promise<void>;
}> {
  const spending = openSpending(home, () => undefined, clock.wall);
  const reader = openConfig(keptPaths(null, home, env));
  const last = createLastConfig(home);
  let lastText = '[]';
  let isClosed = false;
  let cancelLook: (() => void) | null = null;
  let cancelEnd: (() => void) | null = null;
  let working: Promise<unknown> = Promise.resolve();

  const look = async (): Promise<void> => {
    const config = await reader;
    await config.refresh();
    const { sources } = config.loaded();
    const file = mergedConfig(sources);
    await last.keep(sources.global);
    const [budgets, limits] = [budgetsOf(file, homedir()), enteredIn(file)];
    await refreshFor(spending, budgets, limits);
    if (isClosed) return;
    const now = clock.wall();
    const counted = spending.count(budgets, now);
    const used = spending.countLimits(limits, now);
    const ends = [...counted, ...used].flatMap(({ endsAt }) => (endsAt === null ? [] : [endsAt]));
    cancelEnd?.();
    cancelEnd =
      ends.length === 0 ? null : clock.schedule(Math.max(SETTLE_MS, Math.min(...ends) - now) + SETTLE_MS, lookNow);
    tell.limits(countedAccounts(used, now));
    const text = JSON.stringify(counted);
    if (text === lastText) return;
    lastText = text;
    tell.budgets(counted);
  };
  const lookNow = (): void => {
    cancelLook = null;
    working = working.then(look).catch(countAs('budgets.seen'));
  };
  const lookSoon = (): void => {
    if (!isClosed) cancelLook ??= clock.schedule(SETTLE_MS, lookNow);
  };
  const stop = onPush(host, 'snapshot', lookSoon);
  lookNow();
  return {
    look: lookSoon,
    async close() {
      isClosed = true;
      stop();
      cancelLook?.();
      cancelEnd?.();
      await working;
    },
  };
}
