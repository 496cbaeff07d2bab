import type { Command } from 'commander';
import type { AgentFigures } from '../../contract/scorecard';
import { NOT_KEPT } from '../../core/scorecard/desk';
import { moment } from '../../core/scorecard/sheet';
import { agentSentences, agentsSincePhrase, agentTable, noTurnsPhrase } from '../../wording/agent-words';
import { plain, table } from '../../wording/status-text';
import { type CliParts, EXIT, type JsonOption, refuse, show } from '../parts';
import { parseWhen } from '../when';
import { type RangeOptions, rangeOf, withDesk } from './export';

type Options = RangeOptions & JsonOption & Readonly<{ agent?: string }>;

/** Adds `understudy scorecard`. @param done hears the exit code, one of `EXIT`. */
export function addScorecard(program: Command, parts: CliParts, done: (code: number) => void): void {
  program
    .command('scorecard')
    .description('say how available agents are: turns answered, by the primary alone and with fallbacks')
    .option('--agent <name>', 'this agent alone')
    .option('--session <id>', 'one session and its sub-agents')
    .option('--since <when>', 'from this time on: 30m, 24h, 7d, or a date such as 2026-11-01', parseWhen)
    .option('--until <when>', 'up to this time', parseWhen)
    .option('--json', 'print the figures as JSON')
    .action(async (options: Options) => done(await tell(options, parts)));
}

const tell = (options: Options, parts: CliParts): Promise<number> =>
  withDesk(parts, options, (desk) => {
    const rows = desk.agents(rangeOf(options));
    if (rows === null) return refuse(parts, options, NOT_KEPT, EXIT.failed);
    const since = desk.agentsSince(rangeOf(options));
    const kept = since === null ? [] : [agentsSincePhrase(moment(new Date(since).toISOString()))];
    return tellRows({ rows, kept }, options, parts);
  });

/** @param kept since when figures are kept, where a longer time was asked for. */
function tellRows(
  { rows, kept }: Readonly<{ rows: readonly AgentFigures[]; kept: readonly string[] }>,
  options: Options,
  parts: CliParts,
): number {
  const { agent } = options;
  if (agent === undefined) {
    show(parts, options, rows, (all) => [tableText(all), ...kept].join('\n'));
    return EXIT.done;
  }
  const row = rows.find((one) => one.agent.toLowerCase() === agent.toLowerCase());
  if (row === undefined) return refuse(parts, options, plain(noTurnsPhrase(agent, rows)), EXIT.failed);
  show(parts, options, row, (figures) => [...agentSentences(figures).map(plain), ...kept].join('\n'));
  return EXIT.done;
}

function tableText(rows: readonly AgentFigures[]): string {
  const lines = agentTable(rows);
  return lines === null ? noTurnsPhrase(null, rows) : table(lines.map((line) => line.map(plain))).join('\n');
}
