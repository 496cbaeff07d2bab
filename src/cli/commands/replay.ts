import { createHash } from 'node:crypto';
import type { Command } from 'commander';
import { type Decided, type Difference, type ReplayedLog, replayLog } from '../../core/replay';
import { failureText } from '../../node/base/failure';
import { stateHome } from '../../node/base/state-home';
import { readLog, readLogFile } from '../../node/data/own-data';
import { plain } from '../../wording/status-text';
import { type CliParts, EXIT, type JsonOption, refuse, show } from '../parts';

/** Adds `understudy replay`. @param done hears the exit code: 0 the same decisions, 1 others, or no log. */
export function addReplay(program: Command, parts: CliParts, done: (code: number) => void): void {
  program
    .command('replay')
    .argument('[log]', 'a log that was exported; your own without it')
    .description('take a log in again, and say the first decision this version would make otherwise')
    .option('--json', 'answer as JSON')
    .action(async (log: string | undefined, options: JsonOption) => done(await run(parts, options, log)));
}

async function run(parts: CliParts, options: JsonOption, path?: string): Promise<number> {
  try {
    const read =
      path === undefined
        ? { ok: true as const, records: await readLog(stateHome(parts.env)) }
        : await readLogFile(path);
    if (!read.ok) return refuse(parts, options, read.reason, EXIT.failed);
    const told = reportOf(replayLog(read.records));
    show(parts, options, told, replayText);
    return told.difference === null ? EXIT.done : EXIT.failed;
  } catch (error) {
    return refuse(parts, options, failureText(error), EXIT.failed);
  }
}

type ReplayReport = Pick<ReplayedLog, 'records' | 'decisions'> &
  Readonly<{ differences: number; difference: Difference | null; stateSha256: string }>;

function reportOf({ records, decisions, differences, state }: ReplayedLog): ReplayReport {
  const stateSha256 = createHash('sha256').update(JSON.stringify(state)).digest('hex');
  return { records, decisions, differences: differences.length, difference: differences[0] ?? null, stateSha256 };
}

function replayText({ records, decisions, differences, difference, stateSha256 }: ReplayReport): string {
  const state = `The state at the end is ${stateSha256}.`;
  if (difference === null) return `${records} records taken in; all ${decisions} decisions are the same.\n${state}`;
  const { record, at, event, turn, logged, replayed } = difference;
  const of = turn === null ? '' : ` of turn ${plain(turn)}`;
  return [
    `${records} records taken in; ${differences} of ${decisions} decisions are others. The first is record ${record},`,
    `${new Date(at).toISOString()}, ${event}${of}:`,
    `  then: ${words(logged)}`,
    `  now:  ${words(replayed)}`,
    state,
  ].join('\n');
}

const words = (decided: Decided | null): string =>
  decided === null ? 'nothing' : plain(`${decided.kind}${decided.to ? ` to ${decided.to}` : ''} (${decided.code})`);
