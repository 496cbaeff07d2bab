import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type CliParts, EXIT, type JsonOption, refuse, show } from '../../../cli/parts';
import { stateHome } from '../../../node/base/state-home';
import { BENCHMARKS, type RankedRow } from '../contract/ranking';
import { runLmEval } from '../node/lm-eval';
import { findLmEval, lmEvalAbilities } from '../node/lm-eval-program';
import { dayOf } from '../rules/base/day';
import { estimateCost, LM_EVAL_BENCHMARKS, type LmEvalBenchmark, type LmEvalEstimate } from '../rules/sources/lm-eval';
import { oneOf } from './data';
import { withRanking } from './host';

type Finish = (code: number) => void;
type Measuring = JsonOption &
  Readonly<{ endpoint: string; name?: string; keyEnv?: string; limit?: number; agent: string; yes?: boolean }>;

/** Where runs that have not ended keep what was answered. */
const FOLDER = 'measuring';

/** Adds `understudy rank measure`: a benchmark run on this machine by the user's own lm_eval. */
export function addMeasure(rank: Command, parts: CliParts, finish: Finish): void {
  rank
    .command('measure')
    .description(
      'measure a model yourself with your own lm_eval; what it costs is said first, and it can be stopped and resumed',
    )
    .argument('<model>', 'as OpenCode has it: provider/model')
    .argument('<benchmark>', LM_EVAL_BENCHMARKS.join(', '), readBenchmark)
    .requiredOption('--endpoint <address>', 'of chat completions, such as https://api.openai.com/v1/chat/completions')
    .option('--name <name>', 'how the endpoint calls the model; else what follows the provider')
    .option('--key-env <name>', 'the environment variable with the key; lm_eval receives it in its environment')
    .option('--limit <items>', 'so many items of each task at most', readLimit)
    .addOption(new Option('--agent <name>', 'the agent whose candidates have the price').default('build'))
    .option('-y, --yes', 'do not ask')
    .option('--json', 'answer as JSON; asks nothing')
    .addHelpText('after', EXAMPLE)
    .action(async (model: string, benchmark: LmEvalBenchmark, options: Measuring) =>
      finish(await measure(parts, { model, benchmark }, options)),
    );
}

const EXAMPLE = `
Stop it with Ctrl-C, and give the same command again to go on.

Example:
  understudy rank measure openai/gpt-5 gpqa --endpoint https://api.openai.com/v1/chat/completions --key-env OPENAI_API_KEY --limit 50`;

const readBenchmark = (text: string): LmEvalBenchmark => oneOf(LM_EVAL_BENCHMARKS, text);

function readLimit(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Expected a whole number of items, such as 50.');
  return Number(text);
}

type Subject = Readonly<{ model: string; benchmark: LmEvalBenchmark }>;

async function measure(parts: CliParts, subject: Subject, options: Measuring): Promise<number> {
  const { model, benchmark } = subject;
  const { directory, env } = parts;
  const key = options.keyEnv === undefined ? null : (env[options.keyEnv] ?? null);
  if (options.keyEnv !== undefined && key === null)
    return refuse(parts, options, `${options.keyEnv} is not set: there is no key in it.`);
  const found = await findLmEval(env);
  if (!found.ok) return refuse(parts, options, found.reason, EXIT.failed);
  return await withRanking(parts, options, async (host) => {
    const { proposal } = await host.ask('rank.get', { directory, agent: options.agent });
    const row = proposal?.models.find((one) => one.model === model);
    const refusal = await agreed(parts, options, subject, row);
    if (refusal !== null) return refuse(parts, options, refusal);
    const { signal } = parts;
    const abilities = await lmEvalAbilities(found.program, env, signal);
    const why = abilities.ok ? abilities.unable.find((one) => one.benchmark === benchmark)?.reason : abilities.reason;
    if (why !== undefined) return refuse(parts, options, why);
    const measured = await runLmEval({
      program: found.program,
      env,
      benchmark,
      limit: options.limit ?? null,
      endpoint: options.endpoint,
      key,
      signal,
      model: options.name ?? model.slice(model.indexOf('/') + 1),
      record: row?.record ?? model,
      day: dayOf(Date.now()),
      folder: join(stateHome(env), FOLDER),
    });
    if (!measured.ok) return refuse(parts, options, measured.reason, EXIT.failed);
    const value = { ...measured.value, origin: 'lm_eval' as const, kind: 'measured' as const };
    const kept = await host.ask('rank.change', { changes: [{ type: 'measured', value }] });
    if (!kept.ok) return refuse(parts, options, kept.reason);
    show(
      parts,
      options,
      { ok: true, value },
      () => `${model}: ${benchmark} ${value.value} ${value.unit}. ${value.note ?? ''}`,
    );
    return EXIT.done;
  });
}

/** Says what it is expected to cost, and asks. @returns why nothing is done; null once it may be. */
async function agreed(
  parts: CliParts,
  { limit, yes, json }: Measuring,
  { model, benchmark }: Subject,
  row: RankedRow | undefined,
): Promise<string | null> {
  const price = row?.price ? { input: row.price.in, output: row.price.out } : null;
  const says = costText(benchmark, estimateCost({ benchmark, limit: limit ?? null, price }));
  if (yes) {
    if (!json) parts.printError(says);
    return null;
  }
  if (json || !parts.isTerminal) return `${says} Nothing was asked: say --yes.`;
  parts.print(says);
  return (await parts.ask(`Measure ${model}?`)) ? null : 'Nothing was asked.';
}

function costText(benchmark: LmEvalBenchmark, { items, dollars }: LmEvalEstimate): string {
  const money =
    dollars === null ? 'its price is not known' : `between $${dollars.low.toFixed(2)} and $${dollars.high.toFixed(2)}`;
  return `${BENCHMARKS[benchmark].name}: ${items} items; an estimate of the cost: ${money}.`;
}
