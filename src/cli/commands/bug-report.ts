import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { makeBugReport } from '../../node/bug-report';
import { failureText } from '../../node/failure';
import { type CliParts, EXIT } from '../parts';
import { look } from './doctor';
import { setupPlace } from './setup';

const PRIVATE_FILE_MODE = 0o600;

/** Adds `understudy bug-report`. @param done hears the exit code: 0 written, 1 not. */
export function addBugReport(program: Command, parts: CliParts, done: (code: number) => void): void {
  program
    .command('bug-report')
    .description('write one file for a bug report: versions, findings, configuration and log, without names and keys')
    .option('--out <file>', 'where nothing is yet; in this folder without it')
    .action(async ({ out }: { out?: string }) => done(await write(parts, out)));
}

async function write(parts: CliParts, out?: string): Promise<number> {
  const now = Date.now();
  const stamp = new Date(now).toISOString().slice(0, 19).replaceAll(':', '-');
  const path = out ?? join(parts.directory, `understudy-bug-report-${stamp}.json`);
  try {
    const report = await makeBugReport(setupPlace(parts), { version: parts.version, snapshot: await look(parts), now });
    await writeFile(path, `${JSON.stringify(report, null, 1)}\n`, { flag: 'wx', mode: PRIVATE_FILE_MODE });
    parts.print(`Written: ${path}. Nothing was sent. Read it before you pass it on.`);
    return EXIT.done;
  } catch (error) {
    parts.printError(failureText(error));
    return EXIT.failed;
  }
}
