import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { rm } from '../../../node/base/disk';
import { failureText } from '../../../node/base/failure';
import { ensurePrivateFolder } from '../../../node/base/private-folder';
import { readText } from '../../../node/base/read-text';
import type { Environment } from '../../../node/base/state-home';
import { type Child, type ChildExit, startChild } from '../../../node/opencode/child';
import type { BenchmarkValue } from '../rules/base/values';
import {
  ANSWER_MAX_TOKENS,
  LM_EVAL_TASKS,
  type LmEvalBenchmark,
  type LmEvalReading,
  readLmEvalResult,
} from '../rules/sources/lm-eval';
import { openPacer, type Pacer } from './pacer';

/** Which model is measured by what. */
export type LmEvalRun = Readonly<{
  /** The user's own `lm_eval`, as `findLmEval` has found it. */
  program: string;
  env: Environment;
  benchmark: LmEvalBenchmark;
  /** The most items of each task of the benchmark; null for all. */
  limit: number | null;
  /** Of chat completions, such as `https://api.openai.com/v1/chat/completions`; `http` on this machine alone. */
  endpoint: string;
  /** Sent to the endpoint, and given to no program; null where it asks for none. */
  key: string | null;
  /** As the endpoint calls it. */
  model: string;
  /** Under which name the value is kept. */
  record: string;
  day: string;
  /** Where runs that have not ended keep the model's answers, by hashes of what was asked. */
  folder: string;
  signal?: AbortSignal;
  /** Hears of each item that is done, those of an earlier run included. */
  onProgress?(progress: LmEvalProgress): void;
  /** Waits between items, in ms; another's only in tests. */
  pause?(delayMs: number): Promise<void>;
}>;

/** Items; how many there are in all is known once `lm_eval` has built them. */
export type LmEvalProgress = Readonly<{ done: number; total: number | null }>;

export type LmEvalOutcome =
  | Readonly<{ ok: true; value: BenchmarkValue }>
  | Readonly<{ ok: false; code: 'refused' | 'stopped' | 'failed'; reason: string }>;

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])$/;
/** Arguments of a model are joined by commas. */
const MODEL_SHAPE = /^[^\s,]{1,200}$/;
const KEY_SHAPE = /^[\x21-\x7e]{1,500}$/;
const ID_CHARS = 32;
const RESULT_MAX_BYTES = 10_000_000;
const GOES_ON = 'What was answered is kept: the next run goes on from there.';
/** How `lm_eval` says what an earlier run has left it to do. */
const CACHED = /Cached requests: (\d+), Requests remaining: (\d+)/;

/**
 * Has `lm_eval` measure one model, one item at a time. A run that was stopped or killed goes on where it ended when it is made
 * again, also with another limit; once it has its result, nothing of it stays on the disk. Never rejects.
 */
export async function runLmEval(run: LmEvalRun): Promise<LmEvalOutcome> {
  const objection = objectionTo(run);
  if (objection !== null) return { ok: false, code: 'refused', reason: objection };
  const place = placeOf(run);
  const made = await ensurePrivateFolder(place.home);
  if (!made.ok) return { ok: false, code: 'failed', reason: `${made.reason}.` };
  const progress = follow(run);
  const pause = run.pause ?? ((delayMs: number) => wait(delayMs, undefined, { ref: false }));
  const pacer = await openPacer({ endpoint: new URL(run.endpoint), key: run.key, pause, onAnswer: progress.answered });
  try {
    // Results of an earlier run would pass for this one's.
    await rm(place.results, { recursive: true, force: true });
    const child = await startChild(commandOf(run, place, pacer.address));
    return await outcomeOf(run, { child, exit: await ended(child, run, progress), pacer, place });
  } catch (error) {
    return { ok: false, code: 'failed', reason: `${failureText(error)}.` };
  } finally {
    await pacer.close();
  }
}

function objectionTo({ endpoint, key, limit, model }: LmEvalRun): string | null {
  if (!isSafe(endpoint)) return 'The endpoint must be an https address, or an http address on this machine.';
  if (key !== null && !KEY_SHAPE.test(key)) return 'This is no key: it is empty, or has signs that no key has.';
  if (!MODEL_SHAPE.test(model)) return 'The name of the model must have neither spaces nor commas.';
  if (limit !== null && !(Number.isInteger(limit) && limit > 0)) return 'The limit must be a whole number of items.';
  return null;
}

function isSafe(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname } = new URL(endpoint);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

type Place = Readonly<{ home: string; cache: string; results: string }>;

/** A cache knows what was asked, and neither whom nor where: each model at each endpoint has its own. */
function placeOf({ folder, endpoint, model, benchmark }: LmEvalRun): Place {
  const id = createHash('sha256')
    .update(JSON.stringify([endpoint, model, benchmark]))
    .digest('hex')
    .slice(0, ID_CHARS);
  const home = join(folder, id);
  return { home, cache: join(home, 'answers'), results: join(home, 'results') };
}

/** No key and no question is in it: the pacer adds the one, `lm_eval` has the others. */
function commandOf(run: LmEvalRun, { home, cache, results }: Place, address: string) {
  const model = { model: run.model, base_url: address, num_concurrent: 1, max_retries: 8, timeout: 600 };
  const args = [
    ...['--model', 'local-chat-completions'],
    ...[
      '--model_args',
      Object.entries({ ...model, tokenized_requests: 'False' })
        .map(joined)
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

const joined = ([name, value]: readonly [string, unknown]): string => `${name}=${value}`;

/** The user's own, with a key that opens nothing: `lm_eval` wants one, and the door it knocks at asks for none. */
function environmentOf({ env, key }: LmEvalRun): Record<string, string> {
  const direct = [env.NO_PROXY ?? env.no_proxy, '127.0.0.1'].filter(Boolean).join(',');
  const { ARTIFICIAL_ANALYSIS_API_KEY: _, ...others } = env;
  const all = { ...others, OPENAI_API_KEY: 'none', NO_PROXY: direct, no_proxy: direct, PYTHONUNBUFFERED: '1' };
  return Object.fromEntries(
    // Whichever variable the user keeps it in.
    Object.entries(all).flatMap(([name, value]) => (value === undefined || value === key ? [] : [[name, value]])),
  );
}

type Followed = Readonly<{ answered(): void; began(cached: number, remaining: number): void }>;

function follow({ onProgress }: LmEvalRun): Followed {
  let done = 0;
  let total: number | null = null;
  const tell = (): void => onProgress?.({ done: total === null ? done : Math.min(done, total), total });
  return {
    answered() {
      done += 1;
      tell();
    },
    began(cached, remaining) {
      done += cached;
      total = cached + remaining;
      tell();
    },
  };
}

async function ended(child: Child, { signal }: LmEvalRun, progress: Followed): Promise<ChildExit> {
  const leaving = new AbortController();
  child.onOutput((stdout, stderr) => {
    const found = CACHED.exec(stderr) ?? CACHED.exec(stdout);
    if (found === null || leaving.signal.aborted) return;
    leaving.abort();
    progress.began(Number(found[1]), Number(found[2]));
  }, leaving.signal);
  const stop = (): void => void child.stop();
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  const exit = await child.exited;
  signal?.removeEventListener('abort', stop);
  leaving.abort();
  return exit;
}

type Ended = Readonly<{ child: Child; exit: ChildExit; pacer: Pacer; place: Place }>;

async function outcomeOf(run: LmEvalRun, { child, exit, pacer, place }: Ended): Promise<LmEvalOutcome> {
  if (run.signal?.aborted) return { ok: false, code: 'stopped', reason: `Stopped. ${GOES_ON}` };
  const failed = (reason: string): LmEvalOutcome => ({ ok: false, code: 'failed', reason });
  if (exit.exitCode !== 0)
    return failed(`${whyFailed(`${child.stdout()}\n${child.stderr()}`, exit, pacer)} ${GOES_ON}`);
  const read = await readNewest(place.results, run);
  if (!read.ok) return failed(read.reason);
  await rm(place.home, { recursive: true, force: true });
  return read;
}

/** Each file is named by when it was written. */
async function readNewest(results: string, run: LmEvalRun): Promise<LmEvalReading> {
  // silent: a run that was stopped has written no results
  const names = await readdir(results, { recursive: true }).catch(() => []);
  const newest = names
    .filter((name) => /(?:^|[\\/])results_[^\\/]*\.json$/.test(name))
    .toSorted()
    .at(-1);
  if (newest === undefined) return { ok: false, reason: 'lm_eval has left no result.' };
  const file = await readText(join(results, newest), RESULT_MAX_BYTES);
  if (file.kind !== 'text') return { ok: false, reason: 'The result of lm_eval cannot be read.' };
  return readLmEvalResult(file.text, run);
}

/** By what is known of its ends: what it wrote may hold questions and answers, and is shown to nobody. */
function whyFailed(output: string, { exitCode, signal }: ChildExit, pacer: Pacer): string {
  const status = pacer.lastStatus();
  if (status === 401 || status === 403) return `The endpoint refuses the key: it answered with status ${status}.`;
  if (status === 0) return 'The endpoint cannot be reached.';
  if (status !== null && (status < 200 || status > 299)) return `The endpoint answered with status ${status}.`;
  const missing = /No module named '([\w.]{1,80})'/.exec(output)?.[1];
  if (missing !== undefined) return `lm_eval misses the Python package ${missing}.`;
  if (/gated (?:dataset|repo)|GatedRepo/i.test(output))
    return 'Its questions are given out at huggingface.co after a login: ask for access there, then log in with: hf auth login';
  if (signal !== null) return `lm_eval was ended from outside (${signal}).`;
  return `lm_eval ended with exit code ${exitCode}. Run it in a terminal to see why.`;
}
