import type { Command } from 'commander';
import { writeFile } from '../../node/base/disk';
import { stateHome } from '../../node/base/state-home';
import { type Imported, importOpencode, opencodeDatabase } from '../../node/data/opencode-history';
import { backUpHistory, eraseData, exportLog, importLog } from '../../node/data/own-data';
import { type CliParts, EXIT, isPrinted, type JsonOption, refuse, show } from '../parts';
import { refusedWhileRunning } from './core';

const PRIVATE_FILE_MODE = 0o600;

/** Adds `understudy log` and `understudy erase`. @param done hears the exit code: 0 done, 1 failed. */
export function addOwnData(program: Command, parts: CliParts, done: (code: number) => void): void {
  const log = program.command('log').description('the log of everything that happened, as JSON lines');
  log
    .command('export')
    .description('print the log, oldest first')
    .option('--out <file>', 'write to a file instead')
    .action(async ({ out }: { out?: string }) => {
      const text = await exportLog(stateHome(parts.env));
      if (isPrinted(out)) parts.print(text.trimEnd());
      else await writeFile(out, text, { mode: PRIVATE_FILE_MODE });
      done(EXIT.done);
    });
  log
    .command('import')
    .argument('<file>', 'a log that was exported')
    .description('begin an empty state home with the log of another one')
    .option('--json', 'answer as JSON')
    .action(async (file: string, options: JsonOption) =>
      done(
        await whileAway(parts, options, async (home) => {
          const outcome = await importLog(home, file);
          return outcome.ok ? { ...outcome, said: `${outcome.records} records are in ${home}.` } : outcome;
        }),
      ),
    );
  log
    .command('import-opencode')
    .argument('[file]', "OpenCode's database, where it is not in its usual place")
    .description('add what OpenCode remembers of earlier answers to the history: tokens, cost and time, no texts')
    .option('--json', 'answer as JSON')
    .action(async (file: string | undefined, options: JsonOption) => done(await importAnswers(parts, options, file)));
  program
    .command('backup')
    .argument('<file>', 'where nothing is yet')
    .description('write a whole copy of the history, also while Understudy runs')
    .option('--json', 'answer as JSON')
    .action(async (file: string, options: JsonOption) => {
      const outcome = await backUpHistory(stateHome(parts.env), file);
      done(told(parts, options, outcome.ok ? { ok: true, said: `The history is in ${file} as well.` } : outcome));
    });
  program
    .command('erase')
    .description('delete everything Understudy has recorded: its log and its history')
    .requiredOption('--yes', 'yes, delete it: it cannot be brought back')
    .option('--json', 'answer as JSON')
    .action(async (options: JsonOption) =>
      done(
        await whileAway(parts, options, async (home) => {
          const outcome = await eraseData(home);
          if (!outcome.ok) return outcome;
          const { files } = outcome;
          return { ...outcome, said: files.length === 0 ? 'Nothing was recorded.' : `Deleted: ${files.join(', ')}.` };
        }),
      ),
    );
}

/** Where a core runs, it alone writes: it takes in OpenCode's answers itself. */
async function importAnswers(parts: CliParts, options: JsonOption, file?: string): Promise<number> {
  const core = file === undefined ? await parts.attachCore() : null;
  const said = (outcome: Imported): Done =>
    outcome.ok
      ? { ...outcome, said: `Answers OpenCode remembers: ${outcome.found}; new here: ${outcome.added}.` }
      : outcome;
  if (!core)
    return await whileAway(parts, options, async (home) =>
      said(await importOpencode(home, file ?? opencodeDatabase(parts.env))),
    );
  try {
    return told(parts, options, said(await core.host.handlers['data.import'](null)));
  } finally {
    await core.close();
  }
}

type Done = Readonly<{ ok: true; said: string }> | Readonly<{ ok: false; reason: string }>;

/** What would be overwritten, or written again, by a core that runs needs it to be away. */
async function whileAway(parts: CliParts, options: JsonOption, work: (home: string) => Promise<Done>): Promise<number> {
  return (await refusedWhileRunning(parts, options)) ?? told(parts, options, await work(stateHome(parts.env)));
}

function told(parts: CliParts, options: JsonOption, outcome: Done): number {
  if (!outcome.ok) return refuse(parts, options, outcome.reason, EXIT.failed);
  const { said, ...answer } = outcome;
  show(parts, options, answer, () => said);
  return EXIT.done;
}
