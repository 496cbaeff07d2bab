import type { CouncilRunRow } from '../../features/council/contract/council-run';

export type CouncilHappening =
  /** Without an answer by `until`, the question counts as declined. */
  | (Readonly<{ what: 'councilAsks'; run: string; project: string | null }> &
      Readonly<{ question: string; speaker: string; model: string; to: string; failure: string; until: number }>)
  /** `isOld`: paused when first seen. */
  | (Readonly<{ what: 'councilPaused'; run: string; project: string | null; isOld: boolean }> &
      Readonly<{ pause: CouncilPause; spent: number; cap: number | null }>)
  /** Also if the run stopped. */
  | Readonly<{ what: 'councilSettled'; run: string; question: string | null }>
  | (Readonly<{ what: 'councilFinished'; run: string; project: string | null }> &
      Pick<CouncilRunRow, 'findings' | 'ideas' | 'activity' | 'isEmpty'>);

export const isOfCouncil = <Happening extends Readonly<{ what: string }>>(
  happening: Happening,
): happening is Extract<Happening, CouncilHappening> => happening.what.startsWith('council');

export type CouncilPause = 'cap' | 'all_off';

export type CouncilNews = Readonly<{
  /** @returns events since the last call. */
  hear(rows: readonly CouncilRunRow[]): readonly CouncilHappening[];
}>;

export function createCouncilNews(): CouncilNews {
  let runs: ReadonlyMap<string, CouncilRunRow> = new Map();
  return {
    hear(rows) {
      const before = runs;
      runs = new Map(rows.map((row) => [row.run, row]));
      const gone = [...before.values()].filter(({ run }) => !runs.has(run)).flatMap((row) => settled(row, null));
      return [...gone, ...rows.flatMap((row) => happenedTo(before.get(row.run) ?? null, row))];
    },
  };
}

function happenedTo(before: CouncilRunRow | null, row: CouncilRunRow): CouncilHappening[] {
  return [
    ...(before === null ? [] : settled(before, row)),
    ...questionIn(before, row),
    ...paused(before, row),
    ...over(before, row),
  ];
}

function settled(before: CouncilRunRow, row: CouncilRunRow | null): CouncilHappening[] {
  const { run, question } = before;
  const isAnswered = question !== null && row?.question?.id !== question.id;
  const isOn = pauseOf(before) !== null && (row === null || pauseOf(row) !== pauseOf(before));
  return [
    ...(isAnswered ? [{ what: 'councilSettled', run, question: question.id } as const] : []),
    ...(isOn ? [{ what: 'councilSettled', run, question: null } as const] : []),
  ];
}

function questionIn(before: CouncilRunRow | null, { run, repo, question }: CouncilRunRow): CouncilHappening[] {
  if (question === null || before?.question?.id === question.id) return [];
  const { id, speaker, model, fallback: to, failure, skipAt: until } = question;
  return [{ what: 'councilAsks', run, project: repo, question: id, speaker, model, to, failure, until }];
}

function paused(before: CouncilRunRow | null, row: CouncilRunRow): CouncilHappening[] {
  const pause = pauseOf(row);
  if (pause === null || (before !== null && pauseOf(before) === pause)) return [];
  const { run, repo: project, spent, cap } = row;
  return [{ what: 'councilPaused', run, project, isOld: before === null, pause, spent, cap }];
}

function pauseOf({ state, isPlayed }: CouncilRunRow): CouncilPause | null {
  if (!isPlayed) return null;
  return state === 'paused_for_user' ? 'cap' : state === 'paused' ? 'all_off' : null;
}

function over(
  before: CouncilRunRow | null,
  { run, repo, state, findings, ideas, activity, isEmpty }: CouncilRunRow,
): CouncilHappening[] {
  if (state !== 'finished' || before === null || before.state === 'finished') return [];
  return [{ what: 'councilFinished', run, project: repo, findings, ideas, activity, ...(isEmpty ? { isEmpty } : {}) }];
}
