import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generationOf, type OpencodeBinary } from '../../../src/node/opencode';
import { startPanel } from '../../support/panel-process';
import { openApp } from '../../support/stage';
import { type BenchRow, rowOf } from '../bench-row';
import { benchedOpencodes, marksIn } from '../homes';
import { openMarked, openOurs, openSlim, openSubjects, type Subject } from './subjects';
import { FAULTS, type Fault, playTurn, type Turn } from './turn';

/** Turns measured of each subject and fault; the first turn of an OpenCode is cold and is left out. */
const TURNS = 9;
/** The companion's own share of a switch. */
const [OWN_FIRST_MS, OWN_LATER_MS] = [10, 5];
/** A subject that has left so many turns of a fault unanswered is not asked again. */
const UNANSWERED_MAX = 2;

/**
 * Failing turns on a real OpenCode of each generation, in git repositories with snapshots on: with the companion, with
 * nothing, and with the plugin users would otherwise take. The subjects take turns, so that a busy moment of the machine
 * meets all of them.
 */
export async function switchBench(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const binary of await benchedOpencodes()) rows.push(...(await benchOn(binary)));
  return rows;
}

async function benchOn(binary: OpencodeBinary): Promise<readonly BenchRow[]> {
  const { subjects, missing } = await openSubjects(binary);
  const rows: BenchRow[] = [...missing];
  try {
    for (const subject of subjects) await playTurn(subject, FAULTS[0]);
    for (const fault of FAULTS) rows.push(...(await faultRows(subjects, fault)));
    rows.push(...(await wholeSystemRows(subjects)));
    for (const open of [openOurs, openSlim]) rows.push(...(await coldRows(binary, open)));
    if (generationOf(binary) < 2) for (const isGit of [true, false]) rows.push(...(await ownRows(binary, isGit)));
    return rows;
  } finally {
    for (const subject of subjects) await subject.close();
  }
}

async function faultRows(subjects: readonly Subject[], fault: Fault): Promise<readonly BenchRow[]> {
  console.log(`Playing ${TURNS} turns with a ${fault.name} each on ${subjects.length} OpenCodes…`);
  const played = subjects.map((subject) => ({ subject, turns: [] as Turn[] }));
  for (let n = 0; n < TURNS; n++) {
    for (const { subject, turns } of played) {
      const unanswered = turns.filter(({ kind }) => kind === 'unanswered').length;
      if (unanswered < UNANSWERED_MAX) turns.push(await playTurn(subject, fault));
    }
  }
  const rows = played.map(({ subject, turns }) => rowsOf(`${fault.name}, ${subject.name}`, turns));
  return [...rows.flatMap(([first]) => first ?? []), ...rows.flatMap(([, ...rest]) => rest)];
}

/** What a failure costs in time, and beside time. */
function rowsOf(name: string, turns: readonly Turn[]): readonly BenchRow[] {
  const answered = turns.filter((turn) => turn.kind === 'answered');
  const seen = turns.find((turn) => turn.kind === 'unanswered')?.seen;
  if (answered.length === 0) return [{ name, why: seen ?? 'no turn was played' }];
  const each = (of: (turn: (typeof answered)[number]) => number): string =>
    (answered.reduce((sum, turn) => sum + of(turn), 0) / answered.length).toFixed(1).replace('.0', '');
  const extra = each(({ extraRequests }) => extraRequests);
  const doubled = each(({ duplicates }) => duplicates);
  const note = `each: ${extra} extra requests, ${doubled} duplicate user messages`;
  const lost = seen === undefined ? '' : `; ${turns.length - answered.length} unanswered: ${seen}`;
  const failovers = answered.map(({ failoverMs }) => failoverMs);
  const answers = answered.map(({ answerMs }) => answerMs);
  return [
    rowOf(`${name}: failure → next request`, 'ms', failovers, { note: `${note}${lost}` }),
    rowOf(`${name}: prompt → final answer`, 'ms', answers),
  ];
}

/**
 * The very first turn of an OpenCode, outside of git, where no snapshot is taken: neither code nor connections are warm. What
 * this version can do is known from the start before, as it is but once.
 */
async function coldRows(binary: OpencodeBinary, open: typeof openOurs): Promise<readonly BenchRow[]> {
  const [limited] = FAULTS;
  const home = await mkdtemp(join(tmpdir(), 'us-'));
  const turns: Turn[] = [];
  let name = `a cold turn on ${binary.version}`;
  try {
    for (let n = -1; n < TURNS; n++) {
      const subject = await open(binary, { isGit: false, state: home });
      name = `${limited.name} in the first turn outside git, ${subject.name}`;
      const turn = await playTurn(subject, limited, true).finally(subject.close);
      if (n >= 0) turns.push(turn);
      if (turns.filter(({ kind }) => kind === 'unanswered').length >= UNANSWERED_MAX) break;
    }
    return rowsOf(name, turns);
  } catch (error) {
    return [{ name, why: (error as Error).message }];
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Of the time from a failure to the next request, the companion's own: in the first turn of a process, and in later ones. */
async function ownRows(binary: OpencodeBinary, isGit: boolean): Promise<readonly BenchRow[]> {
  const [limited] = FAULTS;
  const name = `of a ${limited.name} the companion on ${binary.version} ${isGit ? 'in git' : 'outside git'}`;
  const runs: (readonly [first: number, later: number])[] = [];
  for (let n = 0; n < TURNS; n++) {
    const subject = await openMarked(binary, { isGit });
    try {
      const turns = [await playTurn(subject, limited, true), await playTurn(subject, limited)];
      const marks = await readFile(marksIn(subject.home), 'utf8');
      const [first, later, ...others] = marks.trim().split('\n').map(Number);
      const isWhole = turns.every(({ kind }) => kind === 'answered') && others.length === 0;
      if (isWhole && first !== undefined && later !== undefined) runs.push([first, later]);
    } catch (error) {
      return [{ name, why: (error as Error).message }];
    } finally {
      await subject.close();
    }
  }
  const row = (which: string, at: 0 | 1, target: number): BenchRow =>
    rowOf(
      `${name}, ${which}`,
      'ms',
      runs.map((run) => run[at]),
      { target },
    );
  return [row('first turn of a process', 0, OWN_FIRST_MS), row('later', 1, OWN_LATER_MS)];
}

/** The companion once more, now with an app on the socket. */
async function wholeSystemRows([ours]: readonly Subject[]): Promise<readonly BenchRow[]> {
  const [limited] = FAULTS;
  if (!ours) return [];
  const name = `${limited.name}, ${ours.name} and app`;
  const panel = await startPanel(ours.home);
  try {
    await connected(ours.home);
    const turns: Turn[] = [];
    for (let n = 0; n < TURNS; n++) turns.push(await playTurn(ours, limited));
    return rowsOf(name, turns);
  } catch (error) {
    // What was measured before it took a quarter of an hour.
    return [{ name, why: (error as Error).message }];
  } finally {
    await panel.stop();
  }
}

/** Waits until the companion has found the app. */
async function connected(home: string): Promise<void> {
  const viewer = await openApp(home);
  await viewer.until((snapshot) => snapshot.connection.status === 'connected');
  await viewer.close();
}
