import type { Command } from 'commander';
import { type CliParts, EXIT, type JsonOption, refuse, showLines } from '../../../cli/parts';
import { stateHome } from '../../../node/base/state-home';
import { runsIn } from '../node/run-folder';
import { reportOf } from '../rules/report/report';
import { findRun, seeRun } from './seen';
import { listedRun, listText, runText, unbegunText } from './texts';

type Finish = (code: number) => void;

export function addLook(council: Command, parts: CliParts, finish: Finish): void {
  council
    .command('list')
    .description('the runs there are, the newest first')
    .option('--json', 'answer as JSON')
    .action(async (options: JsonOption) => finish(await list(parts, options)));
  council
    .command('show')
    .description('how far a run is, who was heard, what it asks, what it found and what it has spent')
    .argument('[run]', 'else the newest')
    .option('--json', 'print the report so far as JSON')
    .action(async (run: string | undefined, options: JsonOption) => finish(await showRun(parts, run, options)));
}

async function list(parts: CliParts, options: JsonOption): Promise<number> {
  const home = stateHome(parts.env);
  const runs = await Promise.all((await runsIn(home)).map(async (run) => listedRun(await seeRun(home, run))));
  showLines(parts, options, runs, listText);
  return EXIT.done;
}

async function showRun(parts: CliParts, run: string | undefined, options: JsonOption): Promise<number> {
  const found = await findRun(stateHome(parts.env), run);
  if (!found.ok) return refuse(parts, options, found.reason);
  const { seen } = found;
  if (seen.state.setup === null) return refuse(parts, options, unbegunText(seen));
  showLines(parts, options, reportOf(seen.state), () => runText(seen));
  return EXIT.done;
}
