import { join } from 'node:path';
import type { Command } from 'commander';
import { writeFile } from '../../node/base/disk';
import { failureText } from '../../node/base/failure';
import { makeBugReport } from '../../node/setup/bug-report';
import { command } from '../command';
import { type CliParts, EXIT, type Finish, type JsonOption, refuse, show } from '../parts';
import { lookAtCore } from './core';
import { setupPlace } from './place';

const PRIVATE_FILE_MODE = 0o600;

export function addBugReport(data: Command, parts: CliParts, done: Finish): void {
  command(data, 'bug-report', 'write a bug report: versions, findings, configuration and log, without names and keys')
    .option('--out <file>', 'a new file; default: a file in this folder')
    .action(async (options: Options) => done(await write(parts, options)));
}

type Options = JsonOption & Readonly<{ out?: string }>;

async function write(parts: CliParts, options: Options): Promise<number> {
  const now = Date.now();
  const stamp = new Date(now).toISOString().slice(0, 19).replaceAll(':', '-');
  const path = options.out ?? join(parts.directory, `understudy-bug-report-${stamp}.json`);
  try {
    const about = { version: parts.version, core: await lookAtCore(parts), now };
    const report = await makeBugReport(setupPlace(parts), about);
    const text = JSON.stringify(report, null, 1);
    if (options.out === '-') {
      parts.print(text);
      return EXIT.done;
    }
    await writeFile(path, `${text}\n`, { flag: 'wx', mode: PRIVATE_FILE_MODE });
    show(parts, options, { ok: true, path }, () => `Written: ${path}. Nothing was sent. Read it before you share it.`);
    return EXIT.done;
  } catch (error) {
    return refuse(parts, options, failureText(error), EXIT.failed);
  }
}
