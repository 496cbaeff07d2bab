import type { QueryOutput } from '../../../contract/contract';
import type { ChainProposal, RunAct } from '../contract/ranking';
import { valueChange } from '../rules/kept/change';
import { backTo, newRun, phaseOf, type Run, toldNote, withPhase } from '../rules/run/run';
import { type Assessment, roleIn, type Wanted } from './assess';
import type { RankingHandlers, Where } from './handlers';
import { goThrough, settledText } from './phases';
import type { ProposedWrite, RankingPort } from './port';
import type { RunBook } from './run-book';

const WAIT_MS = 20_000;

type Parts = Readonly<{
  port: RankingPort;
  runs: RunBook;
  /** Unix ms. */
  wall(): number;
  keyOf(where: Where): string;
  look(where: Where, run: Run | null, wanted: Wanted): Promise<Assessment>;
}>;

type RunQuery = 'rank.act' | 'rank.run' | 'rank.preview' | 'rank.apply';
type Writing = Parameters<RankingHandlers['rank.preview']>[0];
type Refused = Readonly<{ ok: false; reason: string }>;
type Changed = Readonly<{ ok: true; run: Run }> | Refused;

const refused = (reason: string): Refused => ({ ok: false, reason });
const NOT_BEGUN = ({ agent }: Where): Refused => refused(`There is no proposal for ${agent} yet.`);

export function runDesk(parts: Parts): Pick<RankingHandlers, RunQuery> {
  const { port, runs, keyOf } = parts;
  return {
    'rank.act': async ({ act, ...where }) => {
      const run = runs.of(keyOf(where));
      if (act.type === 'start') return await started(parts, where, act);
      if (run === null) return NOT_BEGUN(where);
      return await acted(parts, where, run, act);
    },
    'rank.run': async ({ rev, ...where }) => {
      const key = keyOf(where);
      if (rev !== null && runs.failureOf(key) === null) await runs.changed(key, rev, WAIT_MS);
      const failure = runs.failureOf(key);
      // A caller without `rev` has not seen the run, and may continue it.
      if (rev !== null && failure !== null) throw new Error(failure);
      return { rev: runs.rev(key), run: runs.of(key) };
    },
    'rank.preview': async (input) => {
      const settled = await settledFor(parts, input);
      if (!settled.ok) return settled;
      const files = await port.plan(settled.write);
      if (!files.ok) return { ...files, open: [] };
      return { ok: true, settled: settled.mark, proposal: settled.proposal, files: [...files.files] };
    },
    'rank.apply': async ({ seen, settled, ...input }) => {
      const approved = await settledFor(parts, input);
      if (!approved.ok) return approved;
      if (approved.mark !== settled) return { ...refused('The proposal has changed since the preview.'), open: [] };
      return await applied(parts, input, approved, seen);
    },
  };
}

const wantedBy = (run: Run): Wanted => ({ role: run.role, formula: null, isLive: run.isLive });

function go({ port, runs, wall, keyOf, look }: Parts, where: Where, apiKey: string | null): void {
  const key = keyOf(where);
  if (runs.isBusy(key)) return;
  const { directory } = where;
  const seen = (run: Run): Promise<Assessment> => look(where, run, wantedBy(run));
  runs.begin(key, (signal) => goThrough({ port, runs, key, directory, wall, look: seen, apiKey }, signal));
}

async function started(
  parts: Parts,
  where: Where,
  act: Extract<RunAct, { type: 'start' }>,
): Promise<QueryOutput<'rank.act'>> {
  const { port, runs, wall, keyOf } = parts;
  const key = keyOf(where);
  await runs.stop(key);
  const role = act.role ?? roleIn(port.book.read(), where.agent);
  if (role === null) return refused(`${where.agent} has no role yet: choose one.`);
  const { isLive, wants } = act;
  const run = newRun({ id: port.newId(), agent: where.agent, role, startedAt: wall(), isLive, wants });
  // Fixed places and values that wait for approval survive a restart.
  const { kept = [], found = [] } = runs.of(key) ?? {};
  runs.keep(key, { ...run, kept, found });
  go(parts, where, act.key);
  return { ok: true, run: runs.of(key) ?? run };
}

async function acted(
  parts: Parts,
  where: Where,
  run: Run,
  act: Exclude<RunAct, { type: 'start' }>,
): Promise<QueryOutput<'rank.act'>> {
  const { runs, keyOf } = parts;
  const key = keyOf(where);
  if (act.type === 'stop') await runs.stop(key);
  else if (act.type === 'go') await resumed(parts, where, run, act.key);
  else {
    if (runs.isBusy(key)) return refused('The proposal is running. Wait for it, or stop it.');
    const changed = await changedBy(parts, where, run, act);
    if (!changed.ok) return changed;
    runs.keep(key, backTo(changed.run, act.type === 'found' ? 'research' : 'review'));
    go(parts, where, null);
  }
  return { ok: true, run: runs.of(key) ?? run };
}

/**
 * Repeats checks that wait for the user, unwritten proposals that may have changed, and writes whose end is unknown.
 */
async function resumed(parts: Parts, where: Where, run: Run, apiKey: string | null): Promise<void> {
  const { runs, keyOf, wall } = parts;
  const key = keyOf(where);
  if (runs.isBusy(key)) return;
  const phase = phaseOf(run);
  if (phase === 'post_check' && run.phases.post_check.state === 'running')
    runs.keep(key, await checked(parts, where, run));
  else if (phase === 'post_check') runs.keep(key, backTo(run, 'review'));
  else if (phase !== null && run.phases[phase].state === 'open')
    runs.keep(key, withPhase(run, phase, wall(), { state: 'waiting' }));
  go(parts, where, apiKey);
}

async function changedBy(
  parts: Parts,
  where: Where,
  run: Run,
  act: Extract<RunAct, { type: 'keep' | 'decide' | 'found' }>,
): Promise<Changed> {
  switch (act.type) {
    case 'found':
      return { ok: true, run: { ...run, found: [...run.found, ...act.found] } };
    case 'keep':
      return await keptAt(parts, where, run, act);
    case 'decide':
      return await decided(parts, where, run, act);
  }
}

async function keptAt(
  { look }: Parts,
  where: Where,
  run: Run,
  { model, position }: Extract<RunAct, { type: 'keep' }>,
): Promise<Changed> {
  const others = run.kept.filter(([fixed, at]) => fixed !== model && at !== position);
  if (position === null) return { ok: true, run: { ...run, kept: others } };
  const { candidates } = await look(where, run, wantedBy(run));
  const place = candidates.find((one) => one.model === model)?.place;
  if (place === undefined) return refused(`${model} is not a candidate here.`);
  if (place !== 'hosted')
    return refused(`${model} is not a hosted model: local and free models always follow the hosted ones.`);
  return { ok: true, run: { ...run, kept: [...others, [model, position]] } };
}

async function decided(
  { port, wall, look, keyOf }: Parts,
  where: Where,
  run: Run,
  { model, choice, evidence }: Extract<RunAct, { type: 'decide' }>,
): Promise<Changed> {
  const { reviews, lead } = await look(where, run, wantedBy(run));
  if (choice === 'ignored' && model === lead)
    return refused(`OpenCode calls ${model} first for ${where.agent}. Choose another model in OpenCode first.`);
  const shown = reviews.find((review) => review.model === model);
  if (choice !== null && choice !== 'ignored' && shown === undefined) return refused(`${model} needs no decision.`);
  if (choice !== null && shown !== undefined && shown.evidence !== evidence)
    return refused(`The data of ${model} have changed. Review it again.`);
  const value = choice === null ? null : { choice, evidence: shown?.evidence ?? UNSEEN, run: run.id, at: wall() };
  const found = run.found.filter((one) => one.model === model);
  const taken = choice === 'approved' ? found.map((one) => valueChange(one.value)) : [];
  const result = port.book.change([{ part: 'decision', agent: keyOf(where), model, value }, ...taken]);
  if (!result.ok) return result;
  const left = choice === null ? run.found : run.found.filter((one) => one.model !== model);
  return { ok: true, run: { ...run, found: left } };
}

const UNSEEN = 'unseen';

type Settled = Readonly<{ ok: true; run: Run; write: ProposedWrite; mark: string; proposal: ChainProposal }>;

/** Fails while decisions are open, or if the proposal has changed. */
async function settledFor(
  { port, runs, keyOf, look }: Parts,
  input: Writing,
): Promise<Settled | (Refused & Readonly<{ open: string[] }>)> {
  const run = runs.of(keyOf(input));
  if (run === null) return { ...NOT_BEGUN(input), open: [] };
  const { reviews, proposal } = await look(input, run, wantedBy(run));
  const open = reviews.filter(({ choice }) => choice === null).map(({ model }) => model);
  if (open.length > 0)
    return { ...refused(`${open.join(', ')} ${open.length === 1 ? 'needs' : 'need'} a decision.`), open };
  if (proposal === null || run.settled === null) return { ...refused('Some models still need a decision.'), open };
  const mark = port.digest(settledText(proposal));
  if (run.settled !== mark) return { ...refused(run.written === null ? CHANGED : WRITTEN), open };
  return { ok: true, run, mark, proposal, write: writeOf(input, proposal) };
}

const CHANGED = 'The proposal has changed since your decisions. Review it again.';
const WRITTEN = 'This proposal is already written. Start a new one to write again.';

function writeOf(input: Writing, { coverage, chain, depth }: ChainProposal): ProposedWrite {
  const { directory, agent, scope, create, setsDepth, actor } = input;
  const tiers = coverage.tiers.map((tier) => ({
    name: tier,
    models: chain.filter((link) => link.tier === tier).map(({ model }) => model),
  }));
  const raised = setsDepth && depth.needed > depth.now ? depth.needed : null;
  return { directory, agent, tiers, scope, create, depth: raised, actor };
}

async function applied(
  parts: Parts,
  where: Where,
  { run, write, proposal }: Settled,
  seen: readonly (string | null)[],
): Promise<QueryOutput<'rank.apply'>> {
  const { port, runs, keyOf, wall } = parts;
  const key = keyOf(where);
  const meant = { files: [], chain: proposal.chain.map(({ model }) => model) };
  // Stored before the write: after a crash the next process knows the intended contents.
  const writing = withPhase({ ...run, written: meant }, 'post_check', wall(), { state: 'running' });
  runs.keep(key, writing);
  const written = await port.apply(write, seen);
  if (!written.ok) {
    // A concurrent call that wrote the same has stored its result.
    if (runs.of(key)?.phases.post_check.state === 'running')
      runs.keep(key, withPhase(run, 'post_check', wall(), { state: 'waiting', note: toldNote(written.reason) }));
    return { ...written, open: [] };
  }
  runs.keep(key, await checked(parts, where, { ...writing, written: { ...meant, files: [...written.files] } }));
  return { ok: true, files: [...written.files], run: runs.of(key) };
}

/** Compares the disk with the approved proposal; without a write the run waits again. */
async function checked({ port, wall }: Parts, where: Where, run: Run): Promise<Run> {
  const { written } = await port.world(where.directory, where.agent);
  if (JSON.stringify(written) === JSON.stringify(run.written?.chain))
    return withPhase(run, 'post_check', wall(), {
      state: 'done',
      note: { code: 'written', isAsApproved: true },
    });
  if (run.written !== null && run.written.files.length > 0)
    return withPhase(run, 'post_check', wall(), {
      state: 'failed',
      note: { code: 'written', isAsApproved: false },
    });
  return withPhase({ ...run, written: null }, 'post_check', wall(), {
    state: 'waiting',
    note: { code: 'unwritten' },
  });
}
