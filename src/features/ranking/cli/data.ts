import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { objectionTo, printOrWrite } from '../../../cli/approval';
import { command } from '../../../cli/command';
import { type CliParts, EXIT, type Finish, type JsonOption, refuse, show, showLines } from '../../../cli/parts';
import { checkUse, readArgument, type Use } from '../../../cli/uses';
import { failureText } from '../../../node/base/failure';
import { plain } from '../../../wording/status-text';
import { BENCHMARK_IDS, BENCHMARKS, type BenchmarkId, UNITS, type Unit } from '../contract/ranking';
import { API_KEY, FREE_LIST, fetchArtificialAnalysis } from '../node/artificial-analysis';
import { dayOf } from '../rules/base/day';
import { exportValues } from '../rules/data/export';
import { ARTIFICIAL_ANALYSIS_CREDIT, valuesFrom } from '../rules/sources/artificial-analysis';
import { change } from './change';
import { withRanking } from './host';
import { type Measuring, measure, oneOf, readLimit, readMeasured } from './measure';
import { numbered, valuesText } from './texts';

const ACTIONS = ['list', 'set', 'import', 'export', 'remove', 'match', 'refresh', 'measure'] as const;
type Action = (typeof ACTIONS)[number];
type Options = Measuring &
  Readonly<{
    unit?: Unit;
    source?: string;
    date?: string;
    format: 'json' | 'csv';
    all?: boolean;
    out?: string;
  }>;

export function addChainData(chains: Command, parts: CliParts, finish: Finish): void {
  command(chains, 'data', 'list, enter, import, export, remove, match, refresh or measure benchmark values')
    .addArgument(new Argument('[action]', 'default: list').choices(ACTIONS))
    .argument('[values...]', 'see the examples')
    .option('--agent <name>', 'for list and measure: the agent of the candidates', 'build')
    .option('--source <address>', 'for set, import and remove: the source of the values')
    .addOption(new Option('--unit <unit>', 'for set: if it is not the usual one of the benchmark').choices(UNITS))
    .option('--date <day>', 'for set and import: the day of the source, such as 2026-01-31', readDay)
    .addOption(new Option('--format <format>', 'for export').choices(['json', 'csv']).default('json'))
    .option('--all', 'for export: include shipped values')
    .option('--out <file>', 'for export: write to a file instead of printing')
    .option(
      '--endpoint <address>',
      'for measure: of chat completions, such as https://api.openai.com/v1/chat/completions',
    )
    .option('--name <name>', 'for measure: the name of the model at the endpoint (default: without the provider)')
    .option('--key-env <name>', 'for measure: the environment variable of the key, sent only to the endpoint')
    .option('--limit <items>', 'for measure: the most items of each task', readLimit)
    .option('-y, --yes', 'for remove and measure: do not ask')
    .addHelpText('after', EXAMPLES)
    .action(async (action: Action = 'list', values: string[], options: Options, used: Command) => {
      checkUse(used, action, USES[action], values);
      finish(await run(action, { parts, used, values, options }));
    });
}

const EXAMPLES = `
Examples:
  understudy chains data set openai/gpt-5 gpqa 0.85 --source https://openai.com/gpt-5
  understudy chains data import values.csv
  understudy chains data export --format csv --out values.csv
  understudy chains data match openai/gpt-5 none   A published name, none, or forget
  understudy chains data refresh   Reads Artificial Analysis, key in ${API_KEY}
  understudy chains data measure openai/gpt-5 gpqa --endpoint https://api.openai.com/v1/chat/completions --key-env OPENAI_API_KEY

A measurement runs your lm_eval, shows its cost first, and continues after Ctrl-C with the same command.
Benchmarks: ${BENCHMARK_IDS.join(', ')}`;

const USES: Readonly<Record<Action, Use>> = {
  list: { options: ['agent', 'json'], args: ['[model]'] },
  set: { options: ['source', 'unit', 'date', 'json'], args: ['model', 'benchmark', 'value'], required: ['source'] },
  import: { options: ['source', 'date', 'json'], args: ['file'] },
  export: { options: ['format', 'all', 'out'] },
  remove: { options: ['source', 'yes', 'json'], args: ['origin'] },
  match: { options: ['json'], args: ['model', 'record'] },
  refresh: { options: ['json'] },
  measure: {
    options: ['endpoint', 'name', 'keyEnv', 'limit', 'agent', 'yes', 'json'],
    args: ['model', 'benchmark'],
    required: ['endpoint'],
  },
};

type Call = Readonly<{ parts: CliParts; used: Command; values: readonly string[]; options: Options }>;

function run(action: Action, { parts, used, values, options }: Call): Promise<number> {
  const [first = '', second = '', third = ''] = values;
  const { agent, source, date = null } = options;
  switch (action) {
    case 'list':
      return list(parts, { model: values[0] ?? null, agent }, options);
    case 'set': {
      const benchmark = readArgument(used, readBenchmark, second);
      const read = readArgument(used, readNumber, third);
      const unit = options.unit ?? read.unit ?? BENCHMARKS[benchmark].unit;
      const value = { model: first, benchmark, value: read.value, unit, source: source ?? '', date };
      return change(parts, options, [{ type: 'value', ...value }], 'Saved.');
    }
    case 'import':
      return importFile(parts, { file: first, source: source ?? basename(first), date }, options);
    case 'export':
      return exportAll(parts, options);
    case 'remove':
      return remove(parts, { origin: readArgument(used, readOrigin, first), source: source ?? null }, options);
    case 'match': {
      const record = second === 'none' ? null : second;
      const act =
        second === 'forget'
          ? { type: 'unmatch' as const, model: first }
          : { type: 'match' as const, model: first, record };
      return change(parts, options, [act], 'Saved.');
    }
    case 'refresh':
      return refresh(parts, options);
    case 'measure':
      return measure(parts, { model: first, benchmark: readArgument(used, readMeasured, second) }, options);
  }
}

type Removal = Readonly<{ origin: OwnWay; source: string | null }>;

async function remove(parts: CliParts, { origin, source }: Removal, options: Options): Promise<number> {
  const objection = await objectionTo(parts, options, {
    refusal: 'Nothing was removed. To remove the values, add --yes.',
    question: `Remove all values from ${origin}${source === null ? '' : `, ${source}`}?`,
    declined: 'Nothing was removed.',
  });
  if (objection !== null) return refuse(parts, options, objection);
  return await change(parts, options, [{ type: 'forget', origin, source }], 'Removed.');
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
        model === null ? 'OpenCode has not listed any models here yet.' : `There is no candidate '${model}' here.`,
      );
    showLines(parts, options, wanted, valuesText);
    return EXIT.done;
  });
}

const OWN_WAYS = ['hand', 'import', 'artificial_analysis', 'research', 'lm_eval'] as const;
type OwnWay = (typeof OWN_WAYS)[number];

const readOrigin = (text: string): OwnWay => oneOf(OWN_WAYS, text.replaceAll('-', '_'));

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

async function exportAll(parts: CliParts, { format, all = false, out }: Options): Promise<number> {
  return await withRanking(parts, {}, async (host) => {
    const { text } = await host.ask('rank.export', { format, all });
    await printOrWrite(parts, out, text);
    return EXIT.done;
  });
}

async function refresh(parts: CliParts, options: JsonOption): Promise<number> {
  const key = parts.env[API_KEY];
  if (!key)
    return refuse(
      parts,
      options,
      `There is no key: set ${API_KEY}. It is sent only to artificialanalysis.ai, and never stored.`,
    );
  const read = await fetchArtificialAnalysis({ key, signal: parts.signal });
  if (!read.ok) return refuse(parts, options, read.reason, EXIT.failed);
  const text = exportValues(valuesFrom(read.response, dayOf(Date.now())));
  return await withRanking(parts, options, async (host) => {
    const taken = await host.ask('rank.import', { text, source: ARTIFICIAL_ANALYSIS_CREDIT.address, date: null });
    if (!taken.ok) return refuse(parts, options, taken.reason);
    const note = read.list === FREE_LIST ? ' A free key reads only indices.' : '';
    show(
      parts,
      options,
      taken,
      ({ taken: count }) => `${count} values imported. ${ARTIFICIAL_ANALYSIS_CREDIT.text}.${note}`,
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
        `${numbered(count, 'value')} imported.`,
        ...problems.map(({ line, message }) => plain(`  ${line === null ? '' : `line ${line}: `}${message}`)),
      ].join('\n'),
    );
    return EXIT.done;
  });
}
