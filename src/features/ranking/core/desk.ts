import { starterData } from '../rules/data/starter';
import type { Run } from '../rules/run/run';
import { answerOf, costsOf } from './answer';
import { type Assessed, type Assessment, assess, type Wanted, worthAsking } from './assess';
import { dataDesk } from './data-desk';
import type { RankingHandlers, Where } from './handlers';
import type { RankingPort } from './port';
import { createRunBook } from './run-book';
import { runDesk } from './run-desk';

/** Age limit of local results: older ones may describe another model of the same name. */
const LIVE_MS = 90 * 86_400_000;
const KEY_CHARS = 16;

export type RankingParts = Readonly<{
  port: RankingPort;
  /** Unix ms. */
  wall(): number;
  schedule(delayMs: number, callback: () => void): () => void;
}>;

const NOTHING_WANTED: Wanted = { role: null, formula: null, isLive: false };

export function createRankingDesk({ port, wall, schedule }: RankingParts): RankingHandlers {
  const { book } = port;
  const runs = createRunBook(book, schedule);
  // Agents of several projects may have the same name.
  const keyOf = ({ directory, agent }: Where): string =>
    directory === null ? agent : `${port.digest(directory).slice(0, KEY_CHARS)}/${agent}`;
  const read = async (where: Where, run: Run | null): Promise<Assessed> => ({
    agent: where.agent,
    key: keyOf(where),
    run,
    kept: book.read(),
    starter: starterData(),
    now: wall(),
    world: await port.world(where.directory, where.agent),
    live: await port.live(where.agent, wall() - LIVE_MS),
  });
  const look = async (where: Where, run = runs.of(keyOf(where)), wanted = NOTHING_WANTED): Promise<Assessment> =>
    assess(await read(where, run), wanted, port.digest);
  return {
    ...dataDesk(book, wall),
    ...runDesk({ port, runs, wall, keyOf, look }),
    'rank.get': async ({ role, formula, isLive, ...where }) => {
      const about = await read(where, runs.of(keyOf(where)));
      const wanted = { role, formula, isLive };
      return answerOf(about, wanted, assess(about, wanted, port.digest), book.whyNot());
    },
    'rank.values': async (where) => {
      const { candidates } = await look(where);
      return candidates.map(({ model, record, values }) => ({ model, record, values: Object.values(values) }));
    },
    'rank.costs': async ({ role, ...where }) => {
      // Probe results count only in the run that made them.
      const models = worthAsking(await look(where, null, { ...NOTHING_WANTED, role })).length;
      return costsOf({ models, noProbe: await port.whyNoProbe(), hasKey: port.hasArtificialAnalysisKey() });
    },
  };
}
