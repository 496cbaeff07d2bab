import { settled } from '../../../core/base/settled';
import type { CouncilRunRow } from '../contract/council-run';
import { RunRef } from '../contract/council-run';
import { alongLine, noCourse, type RunCourse } from '../core/run-course';
import { type RunSeen, runRow } from '../core/run-row';
import { isOver } from '../rules/state/state';
import { journalReader } from './journal';
import { isPlayed, type Place, placeOfRun } from './run-folder';

export type RunEntry = Readonly<{
  row(): CouncilRunRow;
  isOpen(): boolean;
  /** Never rejects. @returns true if the row changed. */
  look(): Promise<boolean>;
  /** Null if unreadable or not begun. Never rejects. */
  seen(): Promise<RunSeen | null>;
  place(): Place | null;
  leftFor(why: string | null): boolean;
}>;

/** Reads on demand; a finished run is stored as its row only. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short
export function openEntry(home: string, run: string): RunEntry {
  let reader = journalReader(home, run);
  let course: RunCourse | null = noCourse;
  let turns = 0;
  let isPlayedNow = false;
  let isBroken = false;
  let place: Place | null = null;
  let whyLeft: string | null = null;
  let working: Promise<unknown> = Promise.resolve();

  const seenAs = (of: RunCourse): RunSeen => ({
    run,
    course: of,
    rev: of.lines + turns,
    isPlayed: isPlayedNow,
    whyLeft,
    isInSession: place !== null && !place.isOwn,
    source: place?.source ?? null,
  });
  const rowOf = (of: RunCourse): CouncilRunRow => RunRef.parse(runRow(seenAs(of)));
  let row = rowOf(noCourse);

  const become = (next: CouncilRunRow): boolean => {
    const isOther = JSON.stringify(next) !== JSON.stringify(row);
    row = next;
    return isOther;
  };
  const readOn = async (): Promise<void> => {
    const { values: lines, isAnew } = await reader.more();
    if (lines.length === 0 && !isAnew) return;
    if (course === null) {
      reader = journalReader(home, run);
      course = noCourse;
      await readOn();
      return;
    }
    course = lines.reduce(alongLine, isAnew ? noCourse : course);
  };
  const look = async (): Promise<boolean> => {
    if (place?.generation === undefined) place = await placeOfRun(home, run);
    const [previousWhy, isNow] = [whyLeft, await isPlayed(home, run)];
    if (isNow !== isPlayedNow) turns++;
    // Another player has taken the run; a reason set meanwhile stays.
    if (isNow && !isPlayedNow && whyLeft === previousWhy) whyLeft = null;
    isPlayedNow = isNow;
    try {
      await readOn();
      isBroken = false;
      if (course === null) return become({ ...row, isPlayed: false });
      const next = rowOf(course);
      if (isOver(course.state)) course = null;
      return become(next);
    } catch {
      // silent: a run that cannot be read is shown as one that never began, and can be removed
      isBroken = true;
      course = noCourse;
      reader = journalReader(home, run);
      return become(rowOf(noCourse));
    }
  };
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const worked = working.then(work, work);
    working = settled(worked);
    return worked;
  };
  return {
    row: () => row,
    isOpen: () => course !== null && !isBroken,
    look: () => inTurn(look),
    seen: () =>
      inTurn(async () => {
        await look();
        const whole = course ?? (await wholeOf(home, run));
        return whole === null || whole.state.setup === null ? null : { ...seenAs(whole), rev: row.rev };
      }),
    place: () => place,
    leftFor(why) {
      whyLeft = why;
      return course !== null && become(rowOf(course));
    },
  };
}

async function wholeOf(home: string, run: string): Promise<RunCourse | null> {
  try {
    return (await journalReader(home, run).more()).values.reduce(alongLine, noCourse);
  } catch {
    // silent: callers show a run that cannot be read without its course
    return null;
  }
}
