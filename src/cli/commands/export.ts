import { type Command, Option } from 'commander';
import { EXPORT_FORMATS, type ExportFormat, type ScorecardRange } from '../../contract/scorecard';
import { createScorecardDesk, type ScorecardDesk } from '../../core/scorecard/desk';
import { writeFile } from '../../node/base/disk';
import { stateHome } from '../../node/base/state-home';
import { damageText } from '../../node/store/open-store';
import { openReader } from '../../node/store/reader';
import { ranged } from '../command';
import { type CliParts, EXIT, type Finish, isPrinted, type JsonOption, refuse } from '../parts';

const PRIVATE_FILE_MODE = 0o600;
const CHUNK_CHARS = 65_536;

export type RangeOptions = Readonly<{ session?: string; since?: number; until?: number }>;
type Options = RangeOptions & Readonly<{ format: ExportFormat; out?: string }>;

export function addExport(report: Command, parts: CliParts, done: Finish): void {
  ranged(report.command('export'))
    .description('write the scorecard of a session or a time range: requests, failures and cost')
    .addOption(new Option('--format <format>', 'csv has one line per attempt').choices(EXPORT_FORMATS).default('json'))
    .option('--out <file>', 'write to a file instead of printing')
    .action(async (options: Options) => done(await runExport(options, parts)));
}

async function runExport(options: Options, parts: CliParts): Promise<number> {
  return await withDesk(parts, {}, async (desk) => {
    const lines = desk.lines(rangeOf(options), options.format) ?? [];
    if (isPrinted(options.out)) parts.print([...lines].join('').trimEnd());
    else await writeFile(options.out, chunks(lines), { mode: PRIVATE_FILE_MODE });
    return EXIT.done;
  });
}

/** Opens the stored figures without a running core. @returns the exit code. */
export async function withDesk(
  parts: CliParts,
  options: JsonOption,
  use: (desk: ScorecardDesk) => number | Promise<number>,
): Promise<number> {
  const reading = await openReader(stateHome(parts.env));
  if (!reading.ok) return refuse(parts, options, reading.reason, EXIT.failed);
  try {
    return await use(createScorecardDesk({ version: parts.version, wall: Date.now, alert: () => null, ...reading }));
  } catch (error) {
    const damage = damageText(error);
    if (damage === null) throw error;
    return refuse(parts, options, damage, EXIT.failed);
  } finally {
    reading.close();
  }
}

export function rangeOf({ session, since, until }: RangeOptions): ScorecardRange {
  return {
    ...(session === undefined ? {} : { session }),
    ...(since === undefined ? {} : { sinceMs: since }),
    ...(until === undefined ? {} : { untilMs: until }),
  };
}

/** Joins lines: a million lines need fewer writes. */
function* chunks(lines: Iterable<string>): Generator<string> {
  let text = '';
  for (const line of lines) {
    text += line;
    if (text.length < CHUNK_CHARS) continue;
    yield text;
    text = '';
  }
  yield text;
}
