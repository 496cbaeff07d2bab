import { failureText } from '../../../contract/failure-text';
import { MAX_CHAIN } from '../../../core/config/schema';
import type { ChainProposal } from '../contract/ranking';
import { normalized } from '../rules/base/benchmarks';
import { dayOf } from '../rules/base/day';
import { type BenchmarkValue, ownUnit } from '../rules/base/values';
import { stageOf } from '../rules/budget/budget';
import { estimateSweBenchPro, type SweBenchProEstimate } from '../rules/estimate/estimate';
import { valueChange } from '../rules/kept/change';
import { named, type Phase, type PhaseNote, phaseOf, type Run, toldNote, withPhase } from '../rules/run/run';
import { type Assessment, headroomOf, lackingIn, missingIn, worthAsking } from './assess';
import type { Errand, RankingPort } from './port';
import type { RunBook } from './run-book';

export type PhaseParts = Readonly<{
  port: RankingPort;
  runs: RunBook;
  key: string;
  directory: string | null;
  wall(): number;
  look(run: Run): Promise<Assessment>;
  /** For this call; null uses the environment variable. */
  apiKey: string | null;
}>;

type Ended = Readonly<{ run: Run; note: PhaseNote; isOpen?: boolean; isFailed?: boolean }>;
type Work = (run: Run, parts: PhaseParts, errand: Errand) => Promise<Ended>;

/** Runs phases until one waits for the user or the write; stores the start and the end of each. */
export async function goThrough(parts: PhaseParts, signal: AbortSignal): Promise<void> {
  const { runs, key, wall } = parts;
  for (;;) {
    const run = runs.of(key);
    const phase = run && phaseOf(run);
    if (run === null || phase === null || phase === 'post_check' || signal.aborted) return;
    runs.keep(key, withPhase(run, phase, wall(), { state: 'running', progress: null }));
    const ended = await attempt(phase, run, parts, signal);
    // Another process may have restarted the run.
    if (runs.of(key)?.id !== run.id) return;
    const state = signal.aborted ? 'waiting' : ended.isOpen ? 'open' : ended.isFailed ? 'failed' : 'done';
    runs.keep(key, withPhase(ended.run, phase, wall(), { state, note: ended.note, progress: null }));
    if (state === 'open' || state === 'waiting') return;
  }
}

async function attempt(
  phase: Exclude<Phase, 'post_check'>,
  run: Run,
  parts: PhaseParts,
  signal: AbortSignal,
): Promise<Ended> {
  const tell = (done: number, of: number): void => {
    const now = parts.runs.of(parts.key) ?? run;
    parts.runs.keep(parts.key, withPhase(now, phase, parts.wall(), { state: 'running', progress: { done, of } }));
  };
  try {
    return await WORK[phase](run, parts, { signal, tell });
  } catch (error) {
    return { run: parts.runs.of(parts.key) ?? run, note: toldNote(failureText(error)), isFailed: true };
  }
}

const WORK: Readonly<Record<Exclude<Phase, 'post_check'>, Work>> = {
  pre_check: check,
  models: askModels,
  headroom: lookAtHeadroom,
  artificial_analysis: readArtificialAnalysis,
  local_runs: lookAtMeasured,
  research: lookAtMissing,
  estimate,
  review,
  normalization: normalize,
  optimization: settle,
};

async function check(run: Run, { look }: PhaseParts): Promise<Ended> {
  const { parsed, candidates, proposal, unlisted } = await look(run);
  if (parsed?.ok === false) return { run, note: toldNote(parsed.reason), isOpen: true };
  const offered = new Set(candidates.map(({ model }) => model));
  const unknown = run.kept.map(([model]) => model).filter((model) => !offered.has(model));
  if (unknown.length > 0) return { run, note: { code: 'kept.unknown', models: named(unknown) }, isOpen: true };
  if (proposal === null) return { run, note: { code: 'models.unlisted' }, isOpen: true };
  const long = lengthProblem(proposal);
  if (long !== null) return { run, note: long, isOpen: true };
  const hosted = candidates.filter(({ place }) => place === 'hosted').length;
  return { run, note: { code: 'candidates', all: candidates.length, hosted, unlisted: named(unlisted) } };
}

const lengthProblem = ({ chain }: ChainProposal): PhaseNote | null =>
  chain.length <= MAX_CHAIN ? null : { code: 'chain.long', models: chain.length, most: MAX_CHAIN };

async function askModels(run: Run, { port, look, directory, runs, key }: PhaseParts, errand: Errand): Promise<Ended> {
  // Models that were silent before the stop must not add others.
  const wanted = worthAsking(await look({ ...run, answers: {} }));
  const ended = aborted(errand.signal);
  let now = run;
  for (const [done, model] of wanted.entries()) {
    if (now.answers[model] !== undefined) continue;
    if (errand.signal.aborted) break;
    errand.tell(done, wanted.length);
    const answer = await Promise.race([port.probe(model, directory, errand), ended]);
    const held = runs.of(key);
    // Ignores late results: another process may have started a new run.
    if (answer === null || held?.id !== run.id) break;
    now = { ...held, answers: { ...now.answers, [model]: answer } };
    runs.keep(key, now);
  }
  const answered = wanted.filter((model) => now.answers[model]?.isAnswered).length;
  return { run: now, note: { code: 'answered', answered, of: wanted.length } };
}

const aborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });

async function lookAtMeasured(run: Run, { look }: PhaseParts): Promise<Ended> {
  const { candidates } = await look(run);
  const measured = candidates
    .flatMap(({ values }) => Object.values(values))
    .filter(({ origin }) => origin === 'lm_eval');
  return { run, note: { code: 'measured', values: measured.length } };
}

async function lookAtMissing(run: Run, { look }: PhaseParts): Promise<Ended> {
  const missing = missingIn(await look(run)).reduce((sum, { models }) => sum + models, 0);
  return { run, note: { code: 'missing', values: missing, found: run.found.length } };
}

async function lookAtHeadroom(run: Run, { port, wall }: PhaseParts): Promise<Ended> {
  const left = [...headroomOf(port.book.read(), wall()).values()];
  const measured = left.filter((headroom) => stageOf(headroom) !== null).map(({ account }) => account);
  return { run, note: { code: 'headroom', accounts: named(measured) } };
}

async function readArtificialAnalysis(run: Run, { port, apiKey }: PhaseParts, errand: Errand): Promise<Ended> {
  const read = await port.artificialAnalysis(apiKey, errand);
  if (!read.ok) return { run, note: toldNote(read.reason), isFailed: true };
  const result = port.book.change(read.values.map(valueChange));
  if (!result.ok) return { run, note: toldNote(result.reason), isFailed: true };
  return { run, note: { code: 'values.read', values: read.values.length, isIndicesOnly: read.isIndicesOnly } };
}

async function estimate(run: Run, { look, wall }: PhaseParts): Promise<Ended> {
  const { parsed, candidates, values } = await look({ ...run, estimates: [] });
  if (parsed?.ok !== true || !parsed.formula.benchmarks.includes('swe_bench_pro'))
    return { run: { ...run, estimates: [] }, note: { code: 'estimate.unneeded' } };
  const lacking = candidates.filter(({ place, values: own }) => place === 'hosted' && own.swe_bench_pro === undefined);
  const estimates = lacking.flatMap(({ model, record }) => {
    const found = record === null ? null : estimateSweBenchPro(record, values.byRecord);
    return found?.ok && record !== null ? [{ model, value: asValue(record, found, dayOf(wall())) }] : [];
  });
  return { run: { ...run, estimates }, note: { code: 'estimated', models: estimates.length, of: lacking.length } };
}

const NUMBER_DIGITS = 1;
const short = (value: number): number => Number(value.toFixed(NUMBER_DIGITS));

function asValue(record: string, found: Extract<SweBenchProEstimate, { ok: true }>, date: string): BenchmarkValue {
  const { value, interval, looError, anchors, features } = found;
  return {
    record,
    benchmark: 'swe_bench_pro',
    value: short(value),
    unit: 'percent',
    date,
    kind: 'estimated',
    origin: 'estimate',
    source: `Worked out from ${features.join(', ')} of ${anchors} models`,
    note: `${short(interval.lower)} to ${short(interval.upper)}; leaving one out errs by ${short(looError)}`,
  };
}

async function review(run: Run, { look }: PhaseParts): Promise<Ended> {
  const { reviews, proposal } = await look(run);
  if (proposal === null || proposal.models.every(({ rank }) => rank === null))
    return { run, note: { code: 'unrankable' }, isOpen: true };
  const open = reviews.filter(({ choice }) => choice === null);
  if (open.length > 0) return { run, note: { code: 'decide', open: open.length, of: reviews.length }, isOpen: true };
  return { run, note: { code: 'decided', of: reviews.length } };
}

async function normalize(run: Run, { look }: PhaseParts): Promise<Ended> {
  const { candidates } = await look(run);
  const values = candidates.flatMap(({ values: own }) => Object.values(own));
  const wrong = values.filter((value) => !isShare(value));
  if (wrong.length > 0) throw new RangeError(`${wrong.length} values are out of range for their benchmark.`);
  return { run, note: { code: 'normalized', values: values.length } };
}

function isShare(value: BenchmarkValue): boolean {
  const own = ownUnit(value);
  const share = own === null ? Number.NaN : normalized(value.benchmark, own);
  return share >= 0 && share <= 1;
}

/** The part of a proposal that is written; other figures change with every turn. */
export const settledText = ({ present, chain, depth }: ChainProposal): string =>
  JSON.stringify({ present, chain, depth });

async function settle(run: Run, { look, port }: PhaseParts): Promise<Ended> {
  const assessed = await look(run);
  if (assessed.proposal === null) return { run, note: { code: 'nothing' }, isOpen: true };
  const long = lengthProblem(assessed.proposal);
  if (long !== null) return { run, note: long, isOpen: true };
  const { added, removed, moved } = assessed.proposal.changes;
  const lacking = lackingIn(assessed).length;
  return {
    run: { ...run, settled: port.digest(settledText(assessed.proposal)) },
    note: { code: 'ordered', added: added.length, moved: moved.length, removed: removed.length, lacking },
  };
}
