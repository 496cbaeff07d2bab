import type { Command } from 'commander';
import { confirmAndWriteWith, type WriteOptions } from '../../../cli/commands/write';
import { type CliParts, refuse } from '../../../cli/parts';
import { wrapText } from '../../../cli/wrap';
import { stateHome } from '../../../node/base/state-home';
import { plain } from '../../../wording/status-text';
import { planCouncilImport } from '../node/council-import';
import { listed } from '../rules/base/text';

type Finish = (code: number) => void;
type Importing = WriteOptions & Readonly<{ force?: boolean; create?: boolean }>;

/** Adds `understudy council import`: who speaks, out of a file of the published design. */
export function addCouncilImport(council: Command, parts: CliParts, finish: Finish): void {
  council
    .command('import')
    .description('write the speakers of a YAML file with "ai_models" into your own model-fallback.json')
    .argument('<file>')
    .option('--force', 'also over speakers and settings that stand there otherwise')
    .option('--create', 'make your own file where there is none')
    .option('--dry-run', 'show the exact difference and change nothing')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'answer as JSON; asks nothing')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: Importing) => finish(await importFile(parts, file, options)));
}

const EXAMPLES = `
Examples:
  understudy council import config.yml --dry-run
  understudy council import config.yml --create --yes`;

async function importFile(parts: CliParts, file: string, options: Importing): Promise<number> {
  const { directory, env } = parts;
  const { force: isForced = false, create = false } = options;
  const planned = await planCouncilImport({
    file,
    directory,
    env,
    home: stateHome(env),
    isForced,
    create,
    actor: 'cli',
  });
  if (!planned.ok) return refuse(parts, options, plainLines(`${planned.reason}${createHint(planned.reason)}`));
  const { plan, left, notes, doubts } = planned;
  const stays =
    left.length === 0
      ? null
      : `${listed(left)} ${left.length === 1 ? 'stands' : 'stand'} in ${plan.path} otherwise already`;
  if (stays !== null && plan.diff === '')
    return refuse(parts, options, plainLines(`${stays}. Nothing was changed: say --force to write over it.`));
  // Whoever reads JSON has them in the answer.
  if (!options.json) {
    if (stays !== null) say(parts, `${stays}, and stays: say --force to write over it.`);
    for (const each of notes) say(parts, each);
    for (const each of doubts) say(parts, `Warning: ${each} A run would be refused for it.`);
  }
  return await confirmAndWriteWith(parts, options, plan, { left, notes, doubts });
}

const createHint = (reason: string): string =>
  reason.includes('there is no such file') ? ' To make one, say --create.' : '';

const plainLines = (text: string): string => text.split('\n').map(plain).join('\n');

const say = (parts: CliParts, text: string): void => parts.printError(wrapText(plain(text), parts.columns));
