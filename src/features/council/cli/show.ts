import { dirname, extname } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { command } from '../../../cli/command';
import {
  type CliParts,
  EXIT,
  type Finish,
  isPrinted,
  type JsonOption,
  refuse,
  show,
  showLines,
} from '../../../cli/parts';
import { writeFile } from '../../../node/base/disk';
import { failureCode, failureText } from '../../../node/base/failure';
import { stateHome } from '../../../node/base/state-home';
import { COUNCIL_FORMATS, type CouncilFormat } from '../contract/council';
import { reportFile } from '../core/report-file';
import { runsIn } from '../node/run-folder';
import { reportOf } from '../rules/report/report';
import { findRun, seeRun } from './seen';
import { listedRun, listText, runText, unbegunText } from './texts';

const LISTED = `${COUNCIL_FORMATS.slice(0, -1).join(', ')} or ${COUNCIL_FORMATS.at(-1)}`;
const ENDS = [
  ['.sarif.json', 'sarif'],
  ['.sarif', 'sarif'],
  ['.json', 'json'],
  ['.html', 'html'],
  ['.htm', 'html'],
  ['.md', 'md'],
] as const satisfies readonly (readonly [end: string, format: CouncilFormat])[];
const PRIVATE_FILE_MODE = 0o600;

type Showing = JsonOption & Readonly<{ format?: CouncilFormat; output?: string; force?: boolean }>;

const LATEST = 'latest';

export function addShow(council: Command, parts: CliParts, finish: Finish): void {
  command(council, 'show', 'list the runs, show one, or print its report')
    .argument('[run]', `its id, or ${LATEST}; default: list all, newest first`)
    .addOption(
      new Option(
        '--format <format>',
        `print the report as ${LISTED} (default: by the name of the file, or md)`,
      ).argParser(readFormat),
    )
    .option('--out, --output <file>', 'write the report to a file')
    .option('--force', 'replace an existing file')
    .addHelpText('after', EXAMPLES)
    .action(async (run: string | undefined, options: Showing) => {
      const isExport = options.format !== undefined || options.output !== undefined;
      const id = run === LATEST ? undefined : run;
      if (isExport) finish(await exportRun(parts, id, options));
      else finish(run === undefined ? await listRuns(parts, options) : await showRun(parts, id, options));
    });
}

const EXAMPLES = `
Examples:
  understudy council show
  understudy council show ${LATEST}
  understudy council show ${LATEST} --output report.html`;

async function listRuns(parts: CliParts, options: JsonOption): Promise<number> {
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

function readFormat(text: string): CouncilFormat {
  const found = COUNCIL_FORMATS.find((format) => format === text);
  if (found === undefined) throw new InvalidArgumentError(`Expected ${LISTED}.`);
  return found;
}

async function exportRun(parts: CliParts, run: string | undefined, options: Showing): Promise<number> {
  const found = await findRun(stateHome(parts.env), run);
  if (!found.ok) return refuse(parts, options, found.reason);
  const { state, run: name } = found.seen;
  if (state.setup === null) return refuse(parts, options, `Run ${name} never began: it has no report.`);
  const { output: path, format = formatOf(path, options) } = options;
  if (format === null) return refuse(parts, options, `${path}: ${UNKNOWN_END}`);
  const made = await reportFile(reportOf(state), format, parts.version);
  if (!made.ok) return refuse(parts, options, made.reason);
  const { text } = made;
  if (isPrinted(path)) {
    parts.print(text.trimEnd());
    return EXIT.done;
  }
  try {
    await writeFile(path, text, { mode: PRIVATE_FILE_MODE, flag: options.force ? 'w' : 'wx' });
  } catch (error) {
    if (failureCode(error) === 'EEXIST')
      return refuse(parts, options, `${path} already exists. Nothing was written. To replace it, add --force.`);
    const why = failureCode(error) === 'ENOENT' ? `There is no folder ${dirname(path)}.` : failureText(error);
    return refuse(parts, options, why, EXIT.failed);
  }
  show(parts, options, { ok: true, run: name, format, path }, () => `The report of run ${name} is in ${path}.`);
  return EXIT.done;
}

const UNKNOWN_END = 'Unknown file type. Use .md, .html, .json or .sarif, or add --format.';

function formatOf(path: string | undefined, { json }: JsonOption): CouncilFormat | null {
  if (isPrinted(path)) return json ? 'json' : 'md';
  const name = path.toLowerCase();
  const format = ENDS.find(([end]) => name.endsWith(end))?.[1];
  return format ?? (extname(name) === '' ? 'md' : null);
}
