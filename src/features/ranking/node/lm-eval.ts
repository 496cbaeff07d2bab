import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { rm } from '../../../node/base/disk';
import { failureText } from '../../../node/base/failure';
import { ensurePrivateFolder } from '../../../node/base/private-folder';
import { readText } from '../../../node/base/read-text';
import { type Environment, variablesOf } from '../../../node/base/state-home';
import { type ChildExit, startChild } from '../../../node/opencode/child';
import type { BenchmarkValue } from '../rules/base/values';
import {
  ANSWER_MAX_TOKENS,
  LM_EVAL_TASKS,
  type LmEvalBenchmark,
  type LmEvalReading,
  readLmEvalResult,
} from '../rules/sources/lm-eval';

export type LmEvalRun = Readonly<{
  program: string;
  env: Environment;
  benchmark: LmEvalBenchmark;
  /** Items per subtask; null for all. */
  limit: number | null;
  /** Chat completions endpoint, such as `https://api.openai.com/v1/chat/completions`; `http` only on this machine. */
  endpoint: string;
  /** Passed only in the environment; null if the endpoint needs none. */
  key: string | null;
  model: string;
  record: string;
  day: string;
  /** Caches answers of unfinished runs by hashes of the requests. */
  folder: string;
  signal?: AbortSignal;
}>;

export type LmEvalOutcome =
  | Readonly<{ ok: true; value: BenchmarkValue }>
  | Readonly<{ ok: false; code: 'refused' | 'stopped' | 'failed'; reason: string }>;

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])$/;
/** `lm_eval` splits a model's arguments at commas. */
const ARGUMENT_SHAPE = /^[^\s,]{1,500}$/;
const KEY_SHAPE = /^[\x21-\x7e]{1,500}$/;
const ID_CHARS = 32;
const RESULT_MAX_BYTES = 10_000_000;
const GOES_ON = 'The answers are stored: the next run continues from there.';
/** `raise_for_status` of Python's requests writes this. */
const HTTP_ERROR = /HTTPError: (\d{3}) [^\n]* for url: (\S+)/g;

/** Its cache lets the next run continue a stopped one, also with another limit; a result deletes it. Never rejects. */
export async function runLmEval(run: LmEvalRun): Promise<LmEvalOutcome> {
  const objection = objectionTo(run);
  if (objection !== null) return { ok: false, code: 'refused', reason: objection };
  const place = placeOf(run);
  const made = await ensurePrivateFolder(place.home);
  if (!made.ok) return { ok: false, code: 'failed', reason: `${made.reason}.` };
  try {
    // Results of an earlier run would count as this one's.
    await rm(place.results, { recursive: true, force: true });
    const child = await startChild(commandOf(run, place));
    const stop = (): void => void child.stop();
    if (run.signal?.aborted) stop();
    run.signal?.addEventListener('abort', stop);
    const exit = await child.exited;
    run.signal?.removeEventListener('abort', stop);
    return await outcomeOf(run, place, exit, `${child.stdout()}\n${child.stderr()}`);
  } catch (error) {
    return { ok: false, code: 'failed', reason: `${failureText(error)}.` };
  }
}

function objectionTo({ endpoint, key, limit, model }: LmEvalRun): string | null {
  if (!isSafe(endpoint)) return 'The endpoint must be an https address, or an http address on this machine.';
  if (key !== null && !KEY_SHAPE.test(key)) return 'This is not a key: it is empty or contains invalid characters.';
  if (!ARGUMENT_SHAPE.test(model)) return 'The name of the model must not contain spaces or commas.';
  if (limit !== null && !(Number.isInteger(limit) && limit > 0)) return 'The limit must be a whole number of items.';
  return null;
}

function isSafe(endpoint: string): boolean {
  if (!URL.canParse(endpoint) || !ARGUMENT_SHAPE.test(endpoint)) return false;
  const { protocol, hostname } = new URL(endpoint);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

type Place = Readonly<{ home: string; cache: string; results: string }>;

/** The cache key covers only the request: each model and endpoint needs its own cache. */
function placeOf({ folder, endpoint, model, benchmark }: LmEvalRun): Place {
  const id = createHash('sha256')
    .update(JSON.stringify([endpoint, model, benchmark]))
    .digest('hex')
    .slice(0, ID_CHARS);
  const home = join(folder, id);
  return { home, cache: join(home, 'answers'), results: join(home, 'results') };
}

function commandOf(run: LmEvalRun, { home, cache, results }: Place) {
  const model = {
    model: run.model,
    base_url: run.endpoint,
    num_concurrent: 1,
    max_retries: 8,
    timeout: 600,
    tokenized_requests: 'False',
  };
  const args = [
    ...['--model', 'local-chat-completions'],
    ...[
      '--model_args',
      Object.entries(model)
        .map(([name, value]) => `${name}=${value}`)
        .join(','),
    ],
    ...['--tasks', LM_EVAL_TASKS[run.benchmark].task],
    ...['--gen_kwargs', `max_gen_toks=${ANSWER_MAX_TOKENS}`],
    ...(run.limit === null ? [] : ['--limit', String(run.limit)]),
    ...['--use_cache', cache],
    ...['--output_path', results],
    '--apply_chat_template',
  ];
  return { command: run.program, args, cwd: home, env: environmentOf(run) };
}

/** Without a key the run must not send the user's `OPENAI_API_KEY` to another endpoint. */
function environmentOf({ env, key }: LmEvalRun): Record<string, string> {
  const { ARTIFICIAL_ANALYSIS_API_KEY: _, ...others } = env;
  return variablesOf({ ...others, OPENAI_API_KEY: key ?? 'none' });
}

async function outcomeOf(run: LmEvalRun, place: Place, exit: ChildExit, output: string): Promise<LmEvalOutcome> {
  if (run.signal?.aborted) return { ok: false, code: 'stopped', reason: `Stopped. ${GOES_ON}` };
  const failed = (reason: string): LmEvalOutcome => ({ ok: false, code: 'failed', reason });
  if (exit.exitCode !== 0) return failed(`${whyFailed(output, exit, run.endpoint)} ${GOES_ON}`);
  const read = await readNewest(place.results, run);
  if (!read.ok) return failed(read.reason);
  await rm(place.home, { recursive: true, force: true });
  return read;
}

/** File names contain their time. */
async function readNewest(results: string, run: LmEvalRun): Promise<LmEvalReading> {
  // silent: a run that was stopped has written no results
  const names = await readdir(results, { recursive: true }).catch(() => []);
  const newest = names
    .filter((name) => /(?:^|[\\/])results_[^\\/]*\.json$/.test(name))
    .toSorted()
    .at(-1);
  if (newest === undefined) return { ok: false, reason: 'lm_eval wrote no result.' };
  const file = await readText(join(results, newest), RESULT_MAX_BYTES);
  if (file.kind !== 'text') return { ok: false, reason: 'The result of lm_eval cannot be read.' };
  return readLmEvalResult(file.text, run);
}

/** Never includes the output, which may contain questions and answers. */
function whyFailed(output: string, { exitCode, signal }: ChildExit, endpoint: string): string {
  const status = [...output.matchAll(HTTP_ERROR)].findLast(([, , url]) => url === endpoint)?.[1];
  if (status === '401' || status === '403') return `The endpoint rejects the key: it answered with status ${status}.`;
  if (status !== undefined) return `The endpoint answered with status ${status}.`;
  const missing = /No module named '([\w.]{1,80})'/.exec(output)?.[1];
  if (missing !== undefined) return `lm_eval needs the Python package ${missing}.`;
  if (/gated (?:dataset|repo)|GatedRepo/i.test(output))
    return 'Its questions need a login at huggingface.co: request access there, then run: hf auth login';
  if (signal !== null) return `Another process ended lm_eval (${signal}).`;
  return `lm_eval ended with exit code ${exitCode}. Run it in a terminal to see why.`;
}
