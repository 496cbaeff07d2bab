import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import type { Outcome } from '../../../node/base/failure';
import type { Environment } from '../../../node/base/state-home';
import { findIn, isExecutableFile, pathFolders } from '../../../node/opencode/binary';
import { BENCHMARKS } from '../rules/base/benchmarks';
import { LM_EVAL_BENCHMARKS, LM_EVAL_TASKS, type LmEvalBenchmark } from '../rules/sources/lm-eval';

const NAMES = ['lm_eval', 'lm-eval'] as const;
/** It loads machine learning libraries before any output. */
const LIST_LIMIT_MS = 180_000;
/** More than 15,000 tasks in wide tables. */
const LIST_MAX_BYTES = 64_000_000;
const FIRST_CELL = /^\|\s*([\w.-]+)\s*\|/gm;

/** The file in `UNDERSTUDY_LM_EVAL`, else the first on the PATH. */
export async function findLmEval(env: Environment): Promise<Outcome<{ program: string }>> {
  const { UNDERSTUDY_LM_EVAL: named } = env;
  if (named) {
    const program = resolve(named);
    if (await isExecutableFile(program)) return { ok: true, program };
    return { ok: false, reason: `${program} (from UNDERSTUDY_LM_EVAL) is not an executable file.` };
  }
  const [program] = await findIn(pathFolders(env), NAMES);
  if (program !== undefined) return { ok: true, program };
  return { ok: false, reason: 'lm_eval is not on the PATH. To install it: pip install "lm-eval[api]"' };
}

export type LmEvalAbilities = Readonly<{
  able: readonly LmEvalBenchmark[];
  unable: readonly Readonly<{ benchmark: LmEvalBenchmark; reason: string }>[];
}>;

/** Takes a minute or more on some machines. */
export async function lmEvalAbilities(
  program: string,
  env: Environment,
  signal?: AbortSignal,
): Promise<Outcome<LmEvalAbilities>> {
  // Older versions have no commands.
  const text =
    (await outputOf(program, ['ls', 'tasks'], env, signal)) ??
    (await outputOf(program, ['--tasks', 'list'], env, signal));
  if (text === null) return { ok: false, reason: `${program} does not list its tasks. Does it run in a terminal?` };
  const names = new Set([...text.matchAll(FIRST_CELL)].map(([, name]) => name));
  const isAble = (benchmark: LmEvalBenchmark): boolean => names.has(LM_EVAL_TASKS[benchmark].task);
  const unable = LM_EVAL_BENCHMARKS.filter((benchmark) => !isAble(benchmark)).map((benchmark) => ({
    benchmark,
    reason: `Your lm_eval has no task ${LM_EVAL_TASKS[benchmark].task} for the ${BENCHMARKS[benchmark].name}.`,
  }));
  return { ok: true, able: LM_EVAL_BENCHMARKS.filter(isAble), unable };
}

function outputOf(
  program: string,
  args: readonly string[],
  env: Environment,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const options = {
    env: { ...env },
    timeout: LIST_LIMIT_MS,
    maxBuffer: LIST_MAX_BYTES,
    windowsHide: true,
    ...(signal ? { signal } : {}),
  };
  return new Promise<string | null>((done) => {
    // `execFile` throws, instead of calling back, if the system refuses to start it.
    execFile(program, args, options, (error, stdout) => done(error === null ? stdout : null));
    // silent: a program that the system refuses to run is reported as absent
  }).catch(() => null);
}
