import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { type Imported, importOpencode, opencodeDatabase } from '../../node/opencode-history';
import { backUpHistory, eraseData, exportLog, importLog } from '../../node/own-data';
import { stateHome } from '../../node/state-home';
import { type CliParts, EXIT } from '../parts';

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
      if (out === undefined) parts.print(text.trimEnd());
      else await writeFile(out, text, { mode: PRIVATE_FILE_MODE });
      done(EXIT.done);
    });
  log
    .command('import')
    .argument('<file>', 'a log that was exported')
    .description('begin an empty state home with the log of another one')
    .action(async (file: string) =>
      done(
        await whileAway(parts, async (home) => {
          const outcome = await importLog(home, file);
          return outcome.ok ? { ok: true, said: `${outcome.records} records are in ${home}.` } : outcome;
        }),
      ),
    );
  log
    .command('import-opencode')
    .argument('[file]', "OpenCode's database, where it is not in its usual place")
    .description('add what OpenCode remembers of earlier answers to the history: tokens, cost and time, no texts')
    .action(async (file?: string) => done(await importAnswers(parts, file)));
  program
    .command('backup')
    .argument('<file>', 'where nothing is yet')
    .description('write a whole copy of the history, also while Understudy runs')
    .action(async (file: string) => {
      const outcome = await backUpHistory(stateHome(parts.env), file);
      done(told(parts, outcome.ok ? { ok: true, said: `The history is in ${file} as well.` } : outcome));
    });
  program
    .command('erase')
    .description('delete everything Understudy has recorded: its log and its history')
    .requiredOption('--yes', 'yes, delete it: it cannot be brought back')
    .action(async () =>
      done(
        await whileAway(parts, async (home) => {
          const outcome = await eraseData(home);
          if (!outcome.ok) return outcome;
          const { files } = outcome;
          return { ok: true, said: files.length === 0 ? 'Nothing was recorded.' : `Deleted: ${files.join(', ')}.` };
        }),
      ),
    );
}

/** Where a core runs, it alone writes: it takes in OpenCode's answers itself. */
async function importAnswers(parts: CliParts, file?: string): Promise<number> {
  const core = file === undefined ? await parts.attachCore() : null;
  const said = (outcome: Imported): Done =>
    outcome.ok
      ? { ok: true, said: `Answers OpenCode remembers: ${outcome.found}; new here: ${outcome.added}.` }
      : outcome;
  if (!core)
    return await whileAway(parts, async (home) =>
      said(await importOpencode(home, file ?? opencodeDatabase(parts.env))),
    );
  try {
    return told(parts, said(await core.host.handlers['data.import'](null)));
  } finally {
    await core.close();
  }
}

type Done = Readonly<{ ok: true; said: string }> | Readonly<{ ok: false; reason: string }>;

/** What would be overwritten, or written again, by a core that runs needs it to be away. */
async function whileAway(parts: CliParts, work: (home: string) => Promise<Done>): Promise<number> {
  const core = await parts.attachCore();
  if (core) {
    await core.close();
    parts.printError('Understudy is running. Quit it first.');
    return EXIT.failed;
  }
  return told(parts, await work(stateHome(parts.env)));
}

function told(parts: CliParts, outcome: Done): number {
  if (outcome.ok) parts.print(outcome.said);
  else parts.printError(outcome.reason);
  return outcome.ok ? EXIT.done : EXIT.failed;
}
