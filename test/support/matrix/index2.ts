import { afterAll, beforeAll, chai, describe, expect, it } from 'vitest';
import { openRealStage, type RealStage } from '../opencode2/real';
import { sharedStage2 } from '../opencode2/shared';
import { type App, openApp } from '../stage';
import { type Group, isNightly, NEIGHBOURLY, nameOf, PARTS_ON_2, titleOf } from './groups2';
import { housing } from './housing';
import { DIFFERENT_ON_2, keptOn2, NOT_ON_2 } from './known2';
import { type Played2, play2, type Row2, run2, type Seen2, type Send2 } from './play2';
import { ANSWER, type Row } from './row';
import { askForSummary, askForTitle, askInTime, sendFourTimes, sendTwice, sendWhenBack } from './sends';
import { askForSummary2, askForTitle2, askInTime2, sendFourTimes2, sendTwice2, sendWhenBack2 } from './sends2';

/** A failed row reports its actual result in the message, which is all that reports contain. */
chai.config.truncateThreshold = 0;

const SENDS: ReadonlyMap<Row['send'], Send2> = new Map<Row['send'], Send2>([
  [askInTime, askInTime2],
  [askForSummary, askForSummary2],
  [askForTitle, askForTitle2],
  [sendTwice, sendTwice2],
  [sendFourTimes, sendFourTimes2],
  [sendWhenBack, sendWhenBack2],
]);

function asked2(name: string, row: Row): Row2 {
  const { answer, error, switches, lead, backInMinutes, requests, history, ...more } = row.expected;
  const { errorsShown, retries, isPrefilled } = more;
  const isRun = row.isElsewhere === true;
  const send2 = isRun ? run2 : SENDS.get(row.send);
  const expected2: Partial<Seen2> = {
    ...(answer === undefined ? {} : { answer: isRun ? expect.stringContaining(ANSWER) : answer }),
    ...(error === undefined ? {} : { end: isRun ? 'exit 0' : endOf(error) }),
    ...(switches === undefined ? {} : { switches }),
    ...(lead === undefined ? {} : { lead }),
    ...(backInMinutes === undefined ? {} : { backInMinutes }),
    ...(requests === undefined ? {} : { requests }),
    ...(errorsShown === undefined || isRun ? {} : { errorsShown }),
    ...(retries === undefined || switches === undefined || isRun ? {} : { retries: retries + switches }),
    ...(isPrefilled === undefined || isRun ? {} : { isPrefilled }),
    ...(history === undefined || isRun ? {} : { history: keptOn2(row.when, history) }),
    isHome: true,
    ...DIFFERENT_ON_2[name],
  } as Partial<Seen2>;
  return { ...row, ...(send2 ? { send2 } : {}), expected2 };
}

/** OpenCode 1 puts the error's name before the same text. */
function endOf(error: unknown): unknown {
  if (error === null) return 'succeeded';
  if (typeof error === 'string') return error.replace(/^\w+Error: /, '');
  return expect.stringMatching(/Understudy: all models of this chain are u\u2060?navailable/);
}

/**
 * Declares every row that OpenCode 2 can play, in repositories with snapshots; none if there is no OpenCode 2.
 * @param isWhole Includes nightly rows, each part on a separate OpenCode.
 */
export function describeMatrix2({ isWhole = false } = {}): void {
  if (!process.env.OPENCODE2_BIN) {
    describe.skip('given no OpenCode 2 for this machine', () => it('when rows are played, then none is', () => {}));
    return;
  }
  const played: PlayedRow[] = [];
  let shared: RealStage | undefined;
  const openShared = async () => (shared ??= await sharedStage2());
  const all = PARTS_ON_2.flat().flatMap(([given, rows]) => rows.filter((row) => !isNightly(given, row)));
  const homeInShared = housing(all, async (...asked) => (await openShared()).makeNeighbours(...asked));
  for (const [at, groups] of PARTS_ON_2.entries())
    describe(`given the fault matrix on a real OpenCode 2, part ${at + 1} of ${PARTS_ON_2.length}`, () => {
      declarePart(groups, { isWhole, played, openShared, homeInShared });
    });

  describe('given the end of the fault matrix on OpenCode 2', () => {
    afterAll(() => shared?.close());

    it('when its requests are counted again, then nobody was asked anything after the end of a turn', () => {
      expect(played.length).toBeGreaterThan(0);
      expect(played.map(({ name, requestsNow }) => [name, requestsNow()])).toEqual(
        played.map(({ name, seen }) => [name, seen.requests]),
      );
    });
  });

  describe('given what is different on OpenCode 2', () => {
    it('when it is read, then each is a row of the matrix', () => {
      const names = PARTS_ON_2.flat().flatMap(([given, rows]) => rows.map((row) => nameOf(given, row)));
      const named = [...Object.keys(NOT_ON_2), ...Object.keys(DIFFERENT_ON_2)];
      expect(named.filter((name) => !names.includes(name))).toEqual([]);
    });
  });
}

type PlayedRow = Played2 & Readonly<{ name: string }>;

type HomeOf = ReturnType<typeof housing>;
type Part = Readonly<{
  isWhole: boolean;
  played: PlayedRow[];
  openShared(): Promise<RealStage>;
  homeInShared: HomeOf;
}>;

function declarePart(groups: readonly Group[], { isWhole, played, openShared, homeInShared }: Part): void {
  let stage: RealStage;
  let app: App;
  beforeAll(async () => {
    stage = await (isWhole ? openRealStage() : openShared());
    app = await openApp(stage.home);
  });
  afterAll(async () => {
    await app?.close();
    // The shared stage stays open, because the last test reads its requests.
    if (isWhole) await stage?.close();
  });
  const rows = groups.flatMap(([, rows]) => rows).filter((row) => NEIGHBOURLY.includes(row));
  const homeOf = isWhole ? housing(rows, (...asked) => stage.makeNeighbours(...asked)) : homeInShared;
  describe.concurrent.each(groups)('and %s', (given, rows) => {
    for (const row of rows) {
      const name = nameOf(given, row);
      if (name in NOT_ON_2) continue;
      it(titleOf(row), { tags: !isWhole && isNightly(given, row) ? ['nightly'] : [] }, async () => {
        const { expected2, ...rest } = asked2(name, row);
        const { seen, requestsNow } = await play2(stage, app, { ...rest, expected2 }, await homeOf(row));
        played.push({ name, seen, requestsNow });
        expect(Object.fromEntries(Object.entries(seen).filter(([key]) => key in expected2))).toEqual(expected2);
      });
    }
  });
}
