import { registerQueries } from '../../../contract/contract';
import type { LiveQuery } from '../../../core/base/store-rows';
import { nodeClock } from '../../../node/base/clock';
import { createModelProbe } from '../../../node/opencode/model-probe';
import type { SetupPlace } from '../../../node/setup/install';
import { openReader } from '../../../node/store/reader';
import { rankingQueries } from '../contract/ranking';
import { createRankingDesk } from '../core/desk';
import type { RankingHandlers } from '../core/handlers';
import { liveFigures } from '../core/live';
import type { RankingPort } from '../core/port';
import { openRankingBook } from './open-ranking-book';
import { createRankingPort } from './port';
import { noBook } from './ranking-book';

/** Handlers without a running Understudy; a query that cannot store reports it. */
export async function openRanking({
  tell,
  ...place
}: SetupPlace & Readonly<{ tell: (notice: string) => void }>): Promise<
  Readonly<{ handlers: RankingHandlers; close(): Promise<void> }>
> {
  registerQueries(rankingQueries);
  const opened = await openRankingBook(place.home, tell);
  const book = opened.ok ? opened.book : noBook(opened.reason);
  const clock = nodeClock();
  const live: RankingPort['live'] = (agent, sinceMs) =>
    liveBeside(place.home, { agent, sinceMs, untilMs: clock.wall() });
  const port = createRankingPort({ ...place, book, live, probe: createModelProbe(place.env) });
  return {
    handlers: createRankingDesk({ port, wall: clock.wall, schedule: clock.schedule }),
    close: async () => {
      if (opened.ok) opened.close();
    },
  };
}

async function liveBeside(home: string, query: LiveQuery): ReturnType<RankingPort['live']> {
  const reading = await openReader(home);
  if (!reading.ok) return new Map();
  try {
    return liveFigures(reading.live(query));
  } finally {
    reading.close();
  }
}
