import { nearest } from '../../../core/config/suggest';
import type { Outcome } from '../../../node/base/failure';
import type { CouncilRunRow } from '../contract/council-run';
import { standingOf as standing } from '../core/run-row';
import { stateOf } from '../core/runner';
import { readJournal } from '../node/journal';
import { isPlayed, type Place, placeOfRun, runsIn } from '../node/run-folder';
import type { CouncilState } from '../rules/state/state';

export type SeenRun = Readonly<{
  run: string;
  place: Place | null;
  state: CouncilState;
  lines: number;
  isPlayed: boolean;
}>;

export async function seeRun(home: string, run: string): Promise<SeenRun> {
  const [place, journal, isNow] = await Promise.all([
    placeOfRun(home, run),
    readJournal(home, run),
    isPlayed(home, run),
  ]);
  return { run, place, state: stateOf(journal), lines: journal.length, isPlayed: isNow };
}

export type Standing = CouncilRunRow['state'];

export const standingOf = ({ state, isPlayed: isNow }: Pick<SeenRun, 'state' | 'isPlayed'>): Standing =>
  standing(state, isNow);

const NONE = 'There is no run yet. Start one: understudy council start --repo .';

/** By name, else the newest that matches, else the newest. */
export async function findRun(
  home: string,
  name: string | undefined,
  isMeant: (seen: SeenRun) => boolean = () => true,
): Promise<Outcome<{ seen: SeenRun }>> {
  const runs = await runsIn(home);
  if (name !== undefined) {
    if (runs.includes(name)) return { ok: true, seen: await seeRun(home, name) };
    const near = nearest(name, runs);
    const hint = near === null ? 'Runs: understudy council show' : `Did you mean ${near}?`;
    return { ok: false, reason: runs.length === 0 ? NONE : `There is no run ${JSON.stringify(name)}. ${hint}` };
  }
  let newest: SeenRun | null = null;
  for (const run of runs) {
    const seen = await seeRun(home, run);
    if (isMeant(seen)) return { ok: true, seen };
    newest ??= seen;
  }
  return newest === null ? { ok: false, reason: NONE } : { ok: true, seen: newest };
}
