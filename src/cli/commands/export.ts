import { type Command, Option } from 'commander';
import { EXPORT_FORMATS, type ExportFormat, type ScorecardRange } from '../../contract/scorecard';
import { createScorecardDesk, type ScorecardDesk } from '../../core/scorecard/desk';
import { writeFile } from '../../node/base/disk';
import { stateHome } from '../../node/base/state-home';
import { damageText } from '../../node/store/open-store';
import { openReader } from '../../node/store/reader';
import { type CliParts, EXIT, isPrinted, type JsonOption, refuse } from '../parts';
import { parseWhen } from '../when';

const PRIVATE_FILE_MODE = 0o600;
/** Parts of a file are written together up to this length, in characters. */
const CHUNK_CHARS = 65_536;

/** Of what figures are wanted, as it is written on the command line. */
export type RangeOptions = Readonly<{ session?: string; since?: number; until?: number }>;
type Options = RangeOptions & Readonly<{ format: ExportFormat; out?: string }>;

/** Adds `understudy export`. @param done hears the exit code: 0 done, 1 failed. */
export function addExport(program: Command, parts: CliParts, done: (code: number) => void): void {
  program
    .command('export')
    .description('write the scorecard of a session or a time: what was asked, what failed, what it cost')
    .option('--session <id>', 'one session and its sub-agents')
    .option('--since <when>', 'from this time on: 30m, 24h, 7d, or a date such as 2026-11-01', parseWhen)
    .option('--until <when>', 'up to this time', parseWhen)
    .addOption(new Option('--format <format>', 'csv has one line an attempt').choices(EXPORT_FORMATS).default('json'))
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

/** Has the figures of what is kept, beside whoever writes it: it needs no running core. @returns the exit code. */
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

/** The same text in fewer, longer parts: a million lines are not worth a million writes. */
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
