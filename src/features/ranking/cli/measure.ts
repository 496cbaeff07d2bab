import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { objectionTo } from '../../../cli/approval';
import { type CliParts, EXIT, type JsonOption, refuse, show } from '../../../cli/parts';
import { stateHome } from '../../../node/base/state-home';
import { BENCHMARKS, type RankedRow } from '../contract/ranking';
import { runLmEval } from '../node/lm-eval';
import { findLmEval, lmEvalAbilities } from '../node/lm-eval-program';
import { dayOf } from '../rules/base/day';
import { estimateCost, LM_EVAL_BENCHMARKS, type LmEvalBenchmark, type LmEvalEstimate } from '../rules/sources/lm-eval';
import { withRanking } from './host';

export type Measuring = JsonOption &
  Readonly<{ endpoint?: string; name?: string; keyEnv?: string; limit?: number; agent: string; yes?: boolean }>;

const FOLDER = 'measuring';

export const readMeasured = (text: string): LmEvalBenchmark => oneOf(LM_EVAL_BENCHMARKS, text);

export function readLimit(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Expected a whole number of items, such as 50.');
  return Number(text);
}

type Subject = Readonly<{ model: string; benchmark: LmEvalBenchmark }>;

export async function measure(parts: CliParts, subject: Subject, options: Measuring): Promise<number> {
  const { model, benchmark } = subject;
  const { directory, env } = parts;
  const key = options.keyEnv === undefined ? null : (env[options.keyEnv] ?? null);
  if (options.keyEnv !== undefined && key === null) return refuse(parts, options, `${options.keyEnv} is not set.`);
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
      endpoint: options.endpoint ?? '',
      key,
      signal,
      model: options.name ?? model.slice(model.indexOf('/') + 1),
      record: row?.record ?? model,
      day: dayOf(Date.now()),
      folder: join(stateHome(env), FOLDER),
    });
    if (!measured.ok) return refuse(parts, options, measured.reason, EXIT.failed);
    const value = { ...measured.value, origin: 'lm_eval' as const, kind: 'measured' as const };
    const changed = await host.ask('rank.change', { changes: [{ type: 'measured', value }] });
    if (!changed.ok) return refuse(parts, options, changed.reason);
    show(
      parts,
      options,
      { ok: true, value },
      () => `${model}: ${benchmark} ${value.value} ${value.unit}. ${value.note ?? ''}`,
    );
    return EXIT.done;
  });
}

/** @returns the reason not to start; null after approval. */
async function agreed(
  parts: CliParts,
  options: Measuring,
  { model, benchmark }: Subject,
  row: RankedRow | undefined,
): Promise<string | null> {
  const { limit, yes, json } = options;
  const price = row?.price ? { input: row.price.in, output: row.price.out } : null;
  const cost = costText(benchmark, estimateCost({ benchmark, limit: limit ?? null, price }));
  if (yes && !json) parts.printError(cost);
  const refusal = `${cost} Nothing was requested. To start, add --yes.`;
  const question = { refusal, shown: cost, question: `Measure ${model}?`, declined: 'Nothing was requested.' };
  return await objectionTo(parts, options, question);
}

function costText(benchmark: LmEvalBenchmark, { items, dollars }: LmEvalEstimate): string {
  const money = dollars === null ? 'unknown' : `between $${dollars.low.toFixed(2)} and $${dollars.high.toFixed(2)}`;
  return `${BENCHMARKS[benchmark].name}: ${items} items; estimated cost: ${money}.`;
}

export function oneOf<Name extends string>(names: readonly Name[], text: string): Name {
  const found = names.find((name) => name === text);
  if (found === undefined) throw new InvalidArgumentError(`Expected one of ${names.join(', ')}.`);
  return found;
}
