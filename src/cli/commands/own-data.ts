import type { Command } from 'commander';
import { stateHome } from '../../node/base/state-home';
import { type Imported, importOpencode, opencodeDatabase } from '../../node/data/opencode-history';
import { backUpHistory, eraseData, exportLog, importLog } from '../../node/data/own-data';
import { objectionTo, printOrWrite } from '../approval';
import { command } from '../command';
import { type CliParts, EXIT, type Finish, type JsonOption, refuse, show } from '../parts';
import { checkUse } from '../uses';
import { refusedWhileRunning } from './core';
import type { WriteOptions } from './write';

export type CouncilImport = WriteOptions & Readonly<{ force?: boolean; create?: boolean }>;
type Importing = CouncilImport & Readonly<{ opencode?: boolean; council?: boolean }>;
type ImportCouncil = (parts: CliParts, file: string, options: CouncilImport) => Promise<number>;

/** @param importCouncil imports the speakers of a council. */
export function addOwnData(data: Command, parts: CliParts, finish: Finish, importCouncil: ImportCouncil): void {
  data
    .command('log')
    .description('print the event log as JSON lines, oldest first')
    .option('--out <file>', 'write to a file instead')
    .action(async ({ out }: { out?: string }) => {
      await printOrWrite(parts, out, await exportLog(stateHome(parts.env)));
      finish(EXIT.done);
    });
  addImport(data, parts, finish, importCouncil);
  command(data, 'backup', 'write a copy of the history, also while Understudy runs')
    .argument('<file>', 'a new file')
    .action(async (file: string, options: JsonOption) => {
      const outcome = await backUpHistory(stateHome(parts.env), file);
      finish(report(parts, options, outcome.ok ? { ok: true, text: `The history is copied to ${file}.` } : outcome));
    });
  command(data, 'erase', 'delete the log and the history')
    .option('-y, --yes', 'do not ask')
    .action(async (options: WriteOptions) => finish(await erase(parts, options)));
}

function addImport(data: Command, parts: CliParts, finish: Finish, importCouncil: ImportCouncil): void {
  command(data, 'import', 'import a log, the usage of OpenCode, or the speakers of a council')
    .argument('[file]', 'an exported log, an OpenCode database, or a YAML file with "ai_models"')
    .option('--opencode', 'add the tokens, cost and time of answers that OpenCode stores, without texts')
    .option('--council', 'write the speakers of a YAML file with "ai_models" into your model-fallback.json')
    .option('--force', 'with --council: replace existing speakers and settings')
    .option('--create', 'with --council: create model-fallback.json if it is missing')
    .option('--dry-run', 'with --council: show the exact difference and change nothing')
    .option('-y, --yes', 'with --council: do not ask')
    .addHelpText('after', IMPORT_EXAMPLES)
    .action(async (file: string | undefined, { opencode, council, ...options }: Importing, command: Command) => {
      const given = file === undefined ? [] : [file];
      if (council) {
        const names = ['council', 'force', 'create', 'dryRun', 'yes', 'json'];
        checkUse(command, 'import --council', { options: names, args: ['file'] }, given);
        finish(await importCouncil(parts, file ?? '', options));
      } else if (opencode) {
        checkUse(command, 'import --opencode', { options: ['opencode', 'json'], args: ['[file]'] }, given);
        finish(await importAnswers(parts, options, file));
      } else {
        checkUse(command, 'import', { options: ['json'], args: ['file'] }, given);
        finish(await importRecords(parts, options, file ?? ''));
      }
    });
}

const IMPORT_EXAMPLES = `
Examples:
  understudy data import log.jsonl
  understudy data import --opencode
  understudy data import config.yml --council --dry-run`;

const importRecords = (parts: CliParts, options: JsonOption, file: string): Promise<number> =>
  whileStopped(parts, options, async (home) => {
    const outcome = await importLog(home, file);
    return outcome.ok ? { ...outcome, text: `${outcome.records} records are in ${home}.` } : outcome;
  });

async function importAnswers(parts: CliParts, options: JsonOption, file?: string): Promise<number> {
  const core = file === undefined ? await parts.attachCore() : null;
  const done = (outcome: Imported): Done =>
    outcome.ok
      ? { ...outcome, text: `Answers in the history of OpenCode: ${outcome.found}; new here: ${outcome.added}.` }
      : outcome;
  if (!core)
    return await whileStopped(parts, options, async (home) =>
      done(await importOpencode(home, file ?? opencodeDatabase(parts.env))),
    );
  try {
    return report(parts, options, done(await core.host.handlers['data.import'](null)));
  } finally {
    await core.close();
  }
}

async function erase(parts: CliParts, options: WriteOptions): Promise<number> {
  const running = await refusedWhileRunning(parts, options);
  if (running !== null) return running;
  const objection = await objectionTo(parts, options, {
    refusal: 'Nothing was deleted. To delete the log and the history, add --yes.',
    question: 'Delete the log and the history? You cannot undo this.',
    declined: 'Nothing was deleted.',
  });
  if (objection !== null) return refuse(parts, options, objection);
  const outcome = await eraseData(stateHome(parts.env));
  if (!outcome.ok) return report(parts, options, outcome);
  const { files } = outcome;
  const text = files.length === 0 ? 'There is no recorded data.' : `Deleted: ${files.join(', ')}.`;
  return report(parts, options, { ...outcome, text });
}

type Done = Readonly<{ ok: true; text: string }> | Readonly<{ ok: false; reason: string }>;

/** A running core would overwrite this work, or store it twice. */
async function whileStopped(
  parts: CliParts,
  options: JsonOption,
  work: (home: string) => Promise<Done>,
): Promise<number> {
  return (await refusedWhileRunning(parts, options)) ?? report(parts, options, await work(stateHome(parts.env)));
}

function report(parts: CliParts, options: JsonOption, outcome: Done): number {
  if (!outcome.ok) return refuse(parts, options, outcome.reason, EXIT.failed);
  const { text, ...answer } = outcome;
  show(parts, options, answer, () => text);
  return EXIT.done;
}
