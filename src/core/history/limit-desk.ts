import type { Handlers } from '../../contract/contract';
import type { LimitCourse } from '../../contract/limit-course';
import { type EngineState, unbooked } from '../../engine';
import { counts, entries, get } from '../../engine/tools';
import type { Titles } from '../acts/titles';
import type { LimitName, Store } from '../base/store-rows';
import type { Clock } from '../ports/ports';
import { type PastWindow, pointsOf, sharesOf, windowsIn } from './limit-course';

export type LimitSources = Readonly<{
  clock: Pick<Clock, 'wall'>;
  store: Pick<Store, 'limits' | 'usesOf' | 'session'> | null;
  titles: Pick<Titles, 'of'>;
  state(): EngineState;
  settle(): Promise<void>;
}>;

export function limitHandlers(sources: LimitSources): Pick<Handlers, 'headroom.course'> {
  const { clock, store, settle } = sources;
  return {
    'headroom.course': async ({ back, ...limit }) => {
      if (!store) return { ...limit, course: null };
      await settle();
      const windows = windowsIn(store.limits(limit));
      const at = Math.max(0, windows.length - 1 - back);
      const window = windows[at];
      if (!window) return { ...limit, course: null };
      const { beginsAt, endsAt } = window;
      const course = {
        back: windows.length - 1 - at,
        hasEarlier: at > 0,
        beginsAt,
        endsAt,
        points: pointsOf(window, clock.wall()),
        shares: sharesIn(window, limit, { ...sources, store }),
      };
      return { ...limit, course };
    },
  };
}

type Stored = LimitSources & Readonly<{ store: NonNullable<LimitSources['store']> }>;

function sharesIn(window: PastWindow, limit: LimitName, { store, state, titles }: Stored): LimitCourse['shares'] {
  const { windows, counted } = state();
  // For locally counted limits the use is in requests or tokens, not in a plan's charge.
  if (get(counted, limit.account)?.some(({ id }) => id === limit.window)) return null;
  const provider = unbooked(limit.account);
  // Usage is stored by model, without the account if several share its name.
  const names = new Set([...entries(windows), ...entries(counted)].map(([account]) => account));
  if ([...names].filter((account) => unbooked(account) === provider).length > 1) return null;
  const family = get(windows, limit.account)?.find(({ id }) => id === limit.window)?.family ?? null;
  const { beginsAt: sinceMs, endsAt: untilMs } = window;
  const own = store
    .usesOf({ provider, sinceMs, untilMs })
    .filter((use) => counts({ model: limit.model, family }, use.model));
  const { sessions, ...shared } = sharesOf(window, own);
  return {
    ...shared,
    sessions: sessions.map(({ session, part }) => {
      const stored = store.session(session);
      const { project = null, firstAt: since = null } = stored ?? {};
      return { session, part, title: titles.of(session), project, since };
    }),
  };
}
