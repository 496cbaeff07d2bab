import { dirname, extname } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type CliParts, EXIT, isPrinted, type JsonOption, refuse, show } from '../../../cli/parts';
import { writeFile } from '../../../node/base/disk';
import { failureCode, failureText } from '../../../node/base/failure';
import { stateHome } from '../../../node/base/state-home';
import { COUNCIL_FORMATS, type CouncilFormat } from '../contract/council';
import { reportFile } from '../core/report-file';
import { reportOf } from '../rules/report/report';
import { findRun } from './seen';

type Finish = (code: number) => void;

const LISTED = `${COUNCIL_FORMATS.slice(0, -1).join(', ')} or ${COUNCIL_FORMATS.at(-1)}`;
/** How files of a format are called; the longer end before the shorter. */
const ENDS = [
  ['.sarif.json', 'sarif'],
  ['.sarif', 'sarif'],
  ['.json', 'json'],
  ['.html', 'html'],
  ['.htm', 'html'],
  ['.md', 'md'],
] as const satisfies readonly (readonly [end: string, format: CouncilFormat])[];
const PRIVATE_FILE_MODE = 0o600;

type Exporting = JsonOption & Readonly<{ format?: CouncilFormat; output?: string; force?: boolean }>;

/** Adds `understudy council export`: the report of a run as it is now. */
export function addCouncilExport(council: Command, parts: CliParts, finish: Finish): void {
  council
    .command('export')
    .description('print the report of a run, or write it to a file: at its end, or as far as it is')
    .argument('[run]', 'else the newest')
    .addOption(
      new Option('--format <format>', `${LISTED}; without it by the end of the file’s name, else md`).argParser(
        readFormat,
      ),
    )
    .option('--out, --output <file>', 'write to a file instead of printing')
    .option('--force', 'also over a file that is there')
    .option('--json', 'the same as --format json; with a file, say as JSON what was written')
    .action(async (run: string | undefined, options: Exporting) => finish(await exportRun(parts, run, options)));
}

function readFormat(text: string): CouncilFormat {
  const found = COUNCIL_FORMATS.find((format) => format === text);
  if (found === undefined) throw new InvalidArgumentError(`Expected ${LISTED}.`);
  return found;
}

async function exportRun(parts: CliParts, run: string | undefined, options: Exporting): Promise<number> {
  const found = await findRun(stateHome(parts.env), run);
  if (!found.ok) return refuse(parts, options, found.reason);
  const { state, run: name } = found.seen;
  if (state.setup === null) return refuse(parts, options, `Run ${name} never began: there is nothing to export.`);
  const { output: path, format = formatOf(path, options) } = options;
  if (format === null) return refuse(parts, options, `${path}: ${UNKNOWN_END}`);
  const made = reportFile(reportOf(state), format, parts.version);
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
      return refuse(parts, options, `${path} is there already. Nothing was written: say --force to write over it.`);
    const why = failureCode(error) === 'ENOENT' ? `There is no folder ${dirname(path)}.` : failureText(error);
    return refuse(parts, options, why, EXIT.failed);
  }
  show(parts, options, { ok: true, run: name, format, path }, () => `The report of run ${name} is in ${path}.`);
  return EXIT.done;
}

const UNKNOWN_END = 'Its name does not end as a report’s does. Call it .md, .html, .json or .sarif, or say --format.';

/** What a file is called says what it shall hold; null where its end is of something else. */
function formatOf(path: string | undefined, { json }: JsonOption): CouncilFormat | null {
  if (isPrinted(path)) return json ? 'json' : 'md';
  const name = path.toLowerCase();
  const known = ENDS.find(([end]) => name.endsWith(end))?.[1];
  return known ?? (extname(name) === '' ? 'md' : null);
}
