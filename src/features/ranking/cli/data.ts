import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type CliParts, EXIT, isPrinted, type JsonOption, refuse, show, showLines } from '../../../cli/parts';
import { writeFile } from '../../../node/base/disk';
import { failureText } from '../../../node/base/failure';
import { plain } from '../../../wording/status-text';
import { BENCHMARK_IDS, BENCHMARKS, type BenchmarkId, UNITS, type Unit } from '../contract/ranking';
import { API_KEY, FREE_LIST, fetchArtificialAnalysis } from '../node/artificial-analysis';
import { dayOf } from '../rules/base/day';
import { exportValues } from '../rules/data/export';
import { ARTIFICIAL_ANALYSIS_CREDIT, valuesFrom } from '../rules/sources/artificial-analysis';
import { change } from './change';
import { withRanking } from './host';
import { numbered, valuesText } from './texts';

type Finish = (code: number) => void;
const PRIVATE_FILE_MODE = 0o600;

/** Adds `understudy rank data`: the values rankings go by, each with its source. */
export function addRankData(rank: Command, parts: CliParts, finish: Finish): void {
  const data = rank
    .command('data')
    .description('the benchmark values rankings go by, each with its source and its day');
  data
    .command('list', { isDefault: true })
    .description('list what is known of the models of an agent, or of one of them')
    .argument('[model]')
    .option('--agent <name>', 'the agent whose candidates are listed', 'build')
    .option('--json', 'answer as JSON')
    .action(async (model: string | undefined, { agent, ...options }: JsonOption & { agent: string }) =>
      finish(await list(parts, { model: model ?? null, agent }, options)),
    );
  addSet(data, parts, finish);
  addFiles(data, parts, finish);
  data
    .command('remove')
    .description('take back what came one way: an import, Artificial Analysis, a search, a measurement, or by hand')
    .argument('<origin>', OWN_WAYS.join(', '), readOrigin)
    .option('--source <address>', 'only what came from there')
    .option('--json', 'answer as JSON')
    .action(async (origin: OwnWay, { source, ...options }: Setting) =>
      finish(await change(parts, options, [{ type: 'forget', origin, source: source ?? null }], 'It is taken back.')),
    );
  data
    .command('match')
    .description('say under which name a model is published; "none" is none of them, "forget" takes it back')
    .argument('<model>')
    .argument('<record>', 'a published name such as anthropic/claude-opus-4-6, "none" or "forget"')
    .option('--json', 'answer as JSON')
    .action(async (model: string, record: string, options: JsonOption) =>
      finish(
        await change(
          parts,
          options,
          [
            record === 'forget'
              ? { type: 'unmatch', model }
              : { type: 'match', model, record: record === 'none' ? null : record },
          ],
          'Kept.',
        ),
      ),
    );
}

async function list(
  parts: CliParts,
  { model, agent }: Readonly<{ model: string | null; agent: string }>,
  options: JsonOption,
): Promise<number> {
  return await withRanking(parts, options, async (host) => {
    const rows = await host.ask('rank.values', { directory: parts.directory, agent });
    const wanted = rows.filter((row) => model === null || row.model === model);
    if (wanted.length === 0)
      return refuse(
        parts,
        options,
        model === null ? 'OpenCode has not listed any models here yet.' : `${model} is no candidate here.`,
      );
    showLines(parts, options, wanted, valuesText);
    return EXIT.done;
  });
}

type Setting = JsonOption & Readonly<{ unit?: Unit; source?: string; date?: string }>;

const OWN_WAYS = ['hand', 'import', 'artificial_analysis', 'research', 'lm_eval'] as const;
type OwnWay = (typeof OWN_WAYS)[number];

export function oneOf<Name extends string>(names: readonly Name[], text: string): Name {
  const found = names.find((name) => name === text);
  if (found === undefined) throw new InvalidArgumentError(`Expected one of ${names.join(', ')}.`);
  return found;
}

const readOrigin = (text: string): OwnWay => oneOf(OWN_WAYS, text.replaceAll('-', '_'));

function addSet(data: Command, parts: CliParts, finish: Finish): void {
  data
    .command('set')
    .description('put a value in by hand, with its source; it counts before all others')
    .argument('<model>')
    .argument('<benchmark>', BENCHMARK_IDS.join(', '), readBenchmark)
    .argument('<value>', 'as its source gives it: 0.91, 43 or "43 %", or "none" to take it back')
    .requiredOption('--source <address>', 'where it stands')
    .addOption(new Option('--unit <unit>', 'where it is another than usual for the benchmark').choices(UNITS))
    .option('--date <day>', 'the day its source gives, such as 2026-01-31', readDay)
    .option('--json', 'answer as JSON')
    .action(async (model: string, benchmark: BenchmarkId, text: string, options: Setting) => {
      const read = readNumber(text);
      const unit = options.unit ?? read.unit ?? BENCHMARKS[benchmark].unit;
      const { source = '', date = null } = options;
      finish(
        await change(
          parts,
          options,
          [{ type: 'value', model, benchmark, value: read.value, unit, source, date }],
          'Kept.',
        ),
      );
    });
}

const readBenchmark = (text: string): BenchmarkId => oneOf(BENCHMARK_IDS, text);

function readNumber(text: string): Readonly<{ value: number | null; unit: Unit | null }> {
  if (text === 'none') return { value: null, unit: null };
  const [, digits, percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text.trim()) ?? [];
  if (digits === undefined) throw new InvalidArgumentError('Expected a number such as 0.91, "43 %", or "none".');
  return { value: Number(digits), unit: percent === '%' ? 'percent' : null };
}

function readDay(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text)))
    throw new InvalidArgumentError('Expected a day such as 2026-01-31.');
  return text;
}

function addFiles(data: Command, parts: CliParts, finish: Finish): void {
  data
    .command('import')
    .description('take in values of a JSON or CSV file; what cannot be read is told line by line')
    .argument('<file>')
    .option('--source <address>', 'where values without one come from; else the name of the file')
    .option('--date <day>', 'the day of values without one', readDay)
    .option('--json', 'answer as JSON')
    .action(async (file: string, { source, date, ...options }: Setting) =>
      finish(await importFile(parts, { file, source: source ?? basename(file), date: date ?? null }, options)),
    );
  data
    .command('refresh')
    .description('read the values of Artificial Analysis anew, with your own key, which is not kept')
    .option('--json', 'answer as JSON')
    .addHelpText('after', `\nThe key is read from ${API_KEY}.`)
    .action(async (options: JsonOption) => finish(await refresh(parts, options)));
  data
    .command('export')
    .description('print your own values, to keep or to hand on')
    .addOption(new Option('--format <format>', 'csv has one line a value').choices(['json', 'csv']).default('json'))
    .option('--all', 'with those that ship')
    .option('--out <file>', 'write to a file instead of printing')
    .action(async ({ format, all = false, out }: { format: 'json' | 'csv'; all?: boolean; out?: string }) =>
      finish(
        await withRanking(parts, {}, async (host) => {
          const { text } = await host.ask('rank.export', { format, all });
          if (isPrinted(out)) parts.print(text.trimEnd());
          else await writeFile(out, text, { mode: PRIVATE_FILE_MODE });
          return EXIT.done;
        }),
      ),
    );
}

/** Reads what Artificial Analysis lists, with the key of this terminal, and has it kept. */
async function refresh(parts: CliParts, options: JsonOption): Promise<number> {
  const key = parts.env[API_KEY];
  if (!key)
    return refuse(
      parts,
      options,
      `There is no key: set ${API_KEY}. It is sent to artificialanalysis.ai alone, and not kept.`,
    );
  const read = await fetchArtificialAnalysis({ key, signal: parts.signal });
  if (!read.ok) return refuse(parts, options, read.reason, EXIT.failed);
  const text = exportValues(valuesFrom(read.response, dayOf(Date.now())));
  return await withRanking(parts, options, async (host) => {
    const taken = await host.ask('rank.import', { text, source: ARTIFICIAL_ANALYSIS_CREDIT.address, date: null });
    if (!taken.ok) return refuse(parts, options, taken.reason);
    const note = read.list === FREE_LIST ? ' A free key reads indices alone.' : '';
    show(
      parts,
      options,
      taken,
      ({ taken: count }) => `${count} values taken in. ${ARTIFICIAL_ANALYSIS_CREDIT.text}.${note}`,
    );
    return EXIT.done;
  });
}

async function importFile(
  parts: CliParts,
  { file, source, date }: Readonly<{ file: string; source: string; date: string | null }>,
  options: JsonOption,
): Promise<number> {
  const read = await readFile(file, 'utf8').then(
    (text) => ({ text }),
    (error: unknown) => ({ reason: failureText(error) }),
  );
  if ('reason' in read) return refuse(parts, options, read.reason, EXIT.failed);
  return await withRanking(parts, options, async (host) => {
    const taken = await host.ask('rank.import', { text: read.text, source, date });
    if (!taken.ok) return refuse(parts, options, taken.reason);
    showLines(parts, options, taken, ({ taken: count, problems }) =>
      [
        `${numbered(count, 'value')} taken in.`,
        ...problems.map(({ line, message }) => plain(`  ${line === null ? '' : `line ${line}: `}${message}`)),
      ].join('\n'),
    );
    return EXIT.done;
  });
}
