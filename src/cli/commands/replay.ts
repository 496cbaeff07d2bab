import { createHash } from 'node:crypto';
import type { Command } from 'commander';
import { type Decided, type Difference, type ReplayedLog, replayLog } from '../../core/replay';
import { failureText } from '../../node/base/failure';
import { stateHome } from '../../node/base/state-home';
import { readLog, readLogFile } from '../../node/data/own-data';
import { plain } from '../../wording/status-text';
import { command } from '../command';
import { type CliParts, EXIT, type Finish, type JsonOption, refuse, show } from '../parts';

/** It ends with 1 if a decision differs. */
export function addReplay(report: Command, parts: CliParts, done: Finish): void {
  command(report, 'replay', 'replay a log and show the first decision that this version makes differently')
    .argument('[log]', 'an exported log; default: your own')
    .action(async (log: string | undefined, options: JsonOption) => done(await run(parts, options, log)));
}

async function run(parts: CliParts, options: JsonOption, path?: string): Promise<number> {
  try {
    const read =
      path === undefined
        ? { ok: true as const, records: await readLog(stateHome(parts.env)) }
        : await readLogFile(path);
    if (!read.ok) return refuse(parts, options, read.reason, EXIT.failed);
    const result = reportOf(replayLog(read.records));
    show(parts, options, result, replayText);
    return result.difference === null ? EXIT.done : EXIT.failed;
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
  if (difference === null) return `${records} records read; all ${decisions} decisions are the same.\n${state}`;
  const { record, at, event, turn, logged, replayed } = difference;
  const of = turn === null ? '' : ` of turn ${plain(turn)}`;
  return [
    `${records} records read; ${differences} of ${decisions} decisions differ. The first is record ${record},`,
    `${new Date(at).toISOString()}, ${event}${of}:`,
    `  then: ${words(logged)}`,
    `  now:  ${words(replayed)}`,
    state,
  ].join('\n');
}

const words = (decided: Decided | null): string =>
  decided === null ? 'nothing' : plain(`${decided.kind}${decided.to ? ` to ${decided.to}` : ''} (${decided.code})`);
