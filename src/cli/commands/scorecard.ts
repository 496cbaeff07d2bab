import type { Command } from 'commander';
import type { AgentFigures } from '../../contract/scorecard';
import { NOT_KEPT } from '../../core/scorecard/desk';
import { moment } from '../../core/scorecard/sheet';
import { agentSentences, agentsSincePhrase, agentTable, noTurnsPhrase } from '../../wording/agent-words';
import { plain, table } from '../../wording/status-text';
import { command, ranged } from '../command';
import { type CliParts, EXIT, type Finish, type JsonOption, refuse, show } from '../parts';
import { type RangeOptions, rangeOf, withDesk } from './export';

type Options = RangeOptions & JsonOption & Readonly<{ agent?: string }>;

export function addScorecard(report: Command, parts: CliParts, done: Finish): void {
  ranged(command(report, 'scorecard', 'show how many turns agents answered, by the primary alone and with fallbacks'))
    .option('--agent <name>', 'only this agent')
    .action(async (options: Options) => done(await scorecard(options, parts)));
}

const scorecard = (options: Options, parts: CliParts): Promise<number> =>
  withDesk(parts, options, (desk) => {
    const rows = desk.agents(rangeOf(options));
    if (rows === null) return refuse(parts, options, NOT_KEPT, EXIT.failed);
    const since = desk.agentsSince(rangeOf(options));
    const notes = since === null ? [] : [agentsSincePhrase(moment(new Date(since).toISOString()))];
    return showRows({ rows, notes }, options, parts);
  });

/** @param notes the start of the stored figures, if the range begins earlier. */
function showRows(
  { rows, notes }: Readonly<{ rows: readonly AgentFigures[]; notes: readonly string[] }>,
  options: Options,
  parts: CliParts,
): number {
  const { agent } = options;
  if (agent === undefined) {
    show(parts, options, rows, (all) => [tableText(all), ...notes].join('\n'));
    return EXIT.done;
  }
  const row = rows.find((one) => one.agent.toLowerCase() === agent.toLowerCase());
  if (row === undefined) return refuse(parts, options, plain(noTurnsPhrase(agent, rows)), EXIT.failed);
  show(parts, options, row, (figures) => [...agentSentences(figures).map(plain), ...notes].join('\n'));
  return EXIT.done;
}

function tableText(rows: readonly AgentFigures[]): string {
  const lines = agentTable(rows);
  return lines === null ? noTurnsPhrase(null, rows) : table(lines.map((line) => line.map(plain))).join('\n');
}
