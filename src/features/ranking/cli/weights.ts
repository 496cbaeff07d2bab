import { readFile } from 'node:fs/promises';
import { InvalidArgumentError } from 'commander';
import { type CliParts, EXIT, type JsonOption, refuse, show } from '../../../cli/parts';
import { failureText } from '../../../node/base/failure';
import { type BenchmarkId, isBenchmark, type Role } from '../contract/ranking';
import { formulaTextOf, withWeights } from '../rules/formula/weights';
import { change } from './change';
import { withRanking } from './host';

export type Weighing = JsonOption &
  Readonly<{ role?: Role; set?: readonly Weight[]; formula?: string; published?: boolean; import?: string }>;
type Weight = Readonly<{ benchmark: BenchmarkId; weight: number }>;

const HAIR = 1e-9;

export function readWeights(text: string): readonly Weight[] {
  const weights = text.split(',').map((part) => {
    const [name = '', value = ''] = part.split('=').map((side) => side.trim());
    const weight = Number(value);
    if (!isBenchmark(name) || value === '' || !(weight >= 0 && weight <= 1))
      throw new InvalidArgumentError('Expected weights such as gpqa=0.3,hle=0.1.');
    return { benchmark: name, weight };
  });
  const moved = new Map(weights.map(({ benchmark, weight }) => [benchmark, weight]));
  if ([...moved.values()].reduce((sum, weight) => sum + weight, 0) > 1 + HAIR)
    throw new InvalidArgumentError('The sum of the weights must be 1 at most.');
  return weights;
}

export async function weights(parts: CliParts, options: Weighing): Promise<number> {
  const { role, set, formula, published } = options;
  if (options.import !== undefined) return await importWeights(parts, options, options.import);
  if (set === undefined && formula === undefined && !published) return await showWeights(parts, options, null);
  if (role === undefined) return refuse(parts, options, 'Name the role, such as --role builder.', EXIT.notUnderstood);
  const text = published ? null : (formula ?? (await weighed(parts, options, role, set ?? [])));
  if (text === undefined) return EXIT.refused;
  return await change(
    parts,
    options,
    [{ type: 'formula', role, text }],
    `Saved for ${role}: ${text ?? 'the published formula'}`,
  );
}

/** Returns undefined, after a message, if the formula is no weighted sum. */
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
      return refuse(parts, options, `The formula of ${role} is no weighted sum: set another one with --formula.`);
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
