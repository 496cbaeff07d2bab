import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type CliParts, EXIT, type JsonOption, refuse, show } from '../../../cli/parts';
import { failureText } from '../../../node/base/failure';
import { type BenchmarkId, isBenchmark, ROLES, type Role } from '../contract/ranking';
import { formulaTextOf, withWeights } from '../rules/formula/weights';
import { change } from './change';
import { withRanking } from './host';

type Finish = (code: number) => void;
type Weighing = JsonOption &
  Readonly<{ role?: Role; set?: readonly Weight[]; formula?: string; published?: boolean; import?: string }>;
type Weight = Readonly<{ benchmark: BenchmarkId; weight: number }>;

/** Adds `understudy rank weights`: how much each benchmark counts for each role. */
export function addRankWeights(rank: Command, parts: CliParts, finish: Finish): void {
  rank
    .command('weights')
    .description('show or change how much each benchmark counts, in the shape of the published bench_calc.json')
    .addOption(new Option('--role <role>', 'the role that is changed').choices(ROLES))
    .option('--set <weights>', 'such as gpqa=0.3,hle=0.1; the others are scaled so that all come to 1', readWeights)
    .option('--formula <text>', 'a formula of your own: numbers, benchmarks, + - * / and brackets')
    .addOption(new Option('--published', 'the published formula again').conflicts(['set', 'formula']))
    .addOption(
      new Option('--import <file>', 'take formulas from a file in that shape').conflicts([
        'set',
        'formula',
        'published',
      ]),
    )
    .option('--json', 'answer as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (options: Weighing) => finish(await weights(parts, options)));
}

const EXAMPLES = `
Examples:
  understudy rank weights
  understudy rank weights --role builder --set gpqa=0.2
  understudy rank weights --role oracle --formula "0.5 * gpqa + 0.5 * hle"
  understudy rank weights --role oracle --published`;

const HAIR = 1e-9;

function readWeights(text: string): readonly Weight[] {
  const weights = text.split(',').map((part) => {
    const [name = '', value = ''] = part.split('=').map((side) => side.trim());
    const weight = Number(value);
    if (!isBenchmark(name) || value === '' || !(weight >= 0 && weight <= 1))
      throw new InvalidArgumentError('Expected weights such as gpqa=0.3,hle=0.1.');
    return { benchmark: name, weight };
  });
  const moved = new Map(weights.map(({ benchmark, weight }) => [benchmark, weight]));
  if ([...moved.values()].reduce((sum, weight) => sum + weight, 0) > 1 + HAIR)
    throw new InvalidArgumentError('Together they must come to 1 at most.');
  return weights;
}

async function weights(parts: CliParts, options: Weighing): Promise<number> {
  const { role, set, formula, published } = options;
  if (options.import !== undefined) return await importWeights(parts, options, options.import);
  if (set === undefined && formula === undefined && !published) return await showWeights(parts, options, null);
  if (role === undefined) return refuse(parts, options, 'Say which role: --role builder', EXIT.notUnderstood);
  const text = published ? null : (formula ?? (await weighed(parts, options, role, set ?? [])));
  if (text === undefined) return EXIT.refused;
  return await change(
    parts,
    options,
    [{ type: 'formula', role, text }],
    `Kept for ${role}: ${text ?? 'the published formula'}`,
  );
}

/** The formula of a role with some weights set; nothing where it is no weighted sum, which is then said. */
async function weighed(
  parts: CliParts,
  options: JsonOption,
  role: Role,
  set: readonly Weight[],
): Promise<string | undefined> {
  let text: string | undefined;
  await withRanking(parts, options, async (host) => {
    const { formula } = await host.ask('rank.get', { directory: parts.directory, agent: role, role });
    if (!formula?.weights)
      return refuse(parts, options, `The formula of ${role} is no weighted sum: give another one with --formula.`);
    const moved = Object.fromEntries(set.map(({ benchmark, weight }) => [benchmark, weight]));
    text = formulaTextOf(withWeights(formula.weights, moved));
    return EXIT.done;
  });
  return text;
}

async function importWeights(parts: CliParts, options: JsonOption, file: string): Promise<number> {
  const read = await readFile(file, 'utf8').then(
    (text) => ({ text }),
    (error: unknown) => ({ reason: failureText(error) }),
  );
  return 'reason' in read
    ? refuse(parts, options, read.reason, EXIT.failed)
    : await showWeights(parts, options, read.text);
}

async function showWeights(parts: CliParts, options: JsonOption, text: string | null): Promise<number> {
  return await withRanking(parts, options, async (host) => {
    const answer = await host.ask('rank.weights', { text });
    if (!answer.ok) return refuse(parts, options, answer.reason);
    show(parts, { json: false }, answer, (given) => given.text.trimEnd());
    return EXIT.done;
  });
}
