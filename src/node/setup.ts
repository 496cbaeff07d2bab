import { readFile } from 'node:fs/promises';
import type { Handlers, Snapshot } from '../contract';
import type { SetupPort, SetupQuery } from '../core/setup';
import { appInfo, shownReport } from './app-facts';
import { type ChainChange, planChain, readConfigured } from './chains';
import { hashOf, listReceipts, type Receipt } from './config-journal';
import { configTable, planConfig } from './config-values';
import { planUndo, type WritePlan } from './config-write';
import { examine } from './doctor';
import type { Outcome } from './failure';
import { addressFor, detectSetup, listFor, planInstall, planUninstall, putCompanion, type SetupPlace } from './install';
import { proposeFor } from './propose';
import type { Environment } from './state-home';
import { applyTogether } from './write-together';

type Input<Q extends SetupQuery> = Parameters<Handlers[Q]>[0];
type Output<Q extends SetupQuery> = Awaited<ReturnType<Handlers[Q]>>;
type Answers = { [Q in SetupQuery]: (input: Input<Q>, snapshot: () => Snapshot) => Promise<Output<Q>> };

/** Who writes, for the receipts. */
const ACTOR = 'panel';

/** Answers the panel's questions about files with the same functions as the command line. */
export function createSetup(about: Readonly<{ env: Environment; home: string; source: string }>): SetupPort {
  const { env, home } = about;
  const place = (directory: string | null): SetupPlace => ({ ...about, directory });
  const answers: Answers = {
    'chains.get': async ({ directory }) => {
      const { chains, problems } = await readConfigured(directory, env);
      return {
        chains: chains.map((row) => ({ ...row, models: [...row.models], tiers: [...row.tiers] })),
        problems: problems.map(({ code: _, ...problem }) => problem),
      };
    },
    'chains.preview': async (input) => {
      const planned = await planChain(input.directory, env, changeOf(input));
      return planned.ok ? { ok: true, ...previewOf(planned.plan) } : planned;
    },
    'chains.apply': async (input) => {
      const planned = await planChain(input.directory, env, changeOf(input));
      return planned.ok ? await applySeen(planned.plan, input.seen, home) : planned;
    },
    'config.get': ({ directory }) => configTable(directory, env),
    'config.preview': async (input) => {
      const planned = await planConfig(input, env, ACTOR);
      return planned.ok ? { ok: true, ...previewOf(planned.plan) } : planned;
    },
    'config.apply': async (input) => {
      const planned = await planConfig(input, env, ACTOR);
      if (!planned.ok) return planned;
      const applied = await applySeen(planned.plan, input.seen, home);
      return applied.ok ? applied : { ...applied, fields: [] };
    },
    'setup.propose': ({ directory }, snapshot) => proposeFor(place(directory), snapshot()),
    'setup.detect': async ({ directory }) => {
      const setup = await detectSetup(place(directory));
      const { opencodes, companion, files } = setup;
      const list = listFor(opencodes, []);
      return {
        line: `"${list}": ["${addressFor(setup, list)}"]`,
        companion,
        files: files.map((file) => {
          const { companions, rivals } = 'found' in file ? file.found : { companions: [], rivals: [] };
          const problem = 'problem' in file ? file.problem : null;
          return { path: file.path, scope: file.scope, companions: [...companions], rivals: [...rivals], problem };
        }),
      };
    },
    'setup.diff': async (input) => {
      const planned = await plansOf(place(input.directory), input);
      return planned.ok ? { ok: true, files: planned.plans.map(previewOf) } : planned;
    },
    'setup.apply': (input) => applySetup(place(input.directory), input),
    'setup.undo': async ({ receipt }) => {
      const planned = await planUndo(receipt, home, ACTOR);
      return planned.ok ? await applySeen(planned.plan, previewOf(planned.plan).seen, home) : planned;
    },
    'setup.place': () => putCompanion(place(null)),
    'setup.receipts': async ({ limit }) => {
      const receipts = (await listReceipts(home)).slice(0, limit);
      return await Promise.all(
        receipts.map(async ({ id, at, path, target, deed, actor, after }) => {
          const bytes = await readFile(target).catch(() => null);
          return { receipt: id, at, path, deed, actor, isLatest: (bytes && hashOf(bytes)) === after };
        }),
      );
    },
    'app.info': () => appInfo(place(null)),
    'app.report': (_, snapshot) => shownReport(place(null), snapshot()),
    'doctor.run': async ({ directory }, snapshot) => [...(await examine(place(directory), snapshot()))],
  };
  // The one cast: TypeScript cannot tie a looked-up name to its own answer.
  return { answer: (name, input, snapshot) => (answers[name] as Answers[typeof name])(input, snapshot) };
}

const changeOf = ({ agent, models, others, scope, create }: Input<'chains.preview'>): ChainChange => ({
  agent,
  models,
  others,
  scope,
  create,
  actor: ACTOR,
});

const previewOf = ({ path, diff, before }: WritePlan) => ({ path, diff, seen: before && hashOf(before) });

type Applied = Output<'chains.apply'>;

/** Writes a plan if the file holds what the person has seen. */
async function applySeen(plan: WritePlan, seen: string | null, home: string): Promise<Applied> {
  const written = await applyAllSeen([plan], [seen], home);
  return written.ok ? { ok: true, ...changeOfPlan(plan, written.receipts[0]) } : { ok: false, reason: written.reason };
}

/** Writes all plans or none, if each file holds what the person has seen. */
async function applyAllSeen(
  plans: readonly WritePlan[],
  seen: readonly (string | null)[],
  home: string,
): Promise<Outcome<{ receipts: readonly (Receipt | null)[] }>> {
  const changed = plans.find((plan, at) => previewOf(plan).seen !== seen[at]);
  if (changed !== undefined)
    return { ok: false, reason: `${changed.path} has changed since you looked. Nothing was changed; look again.` };
  if (plans.length !== seen.length)
    return { ok: false, reason: 'There are fewer files than when you looked. Nothing was changed; look again.' };
  return await applyTogether(plans, home);
}

const changeOfPlan = ({ path }: WritePlan, receipt: Receipt | null | undefined) => ({
  path,
  receipt: receipt?.id ?? null,
});

async function plansOf(
  place: SetupPlace,
  input: Input<'setup.diff'>,
): Promise<Outcome<{ plans: readonly WritePlan[] }>> {
  const request = { ...input, actor: ACTOR };
  if (input.action === 'uninstall') return await planUninstall(place, request);
  const planned = await planInstall(place, request);
  return planned.ok ? { ok: true, plans: [planned.plan] } : planned;
}

async function applySetup(place: SetupPlace, input: Input<'setup.apply'>): Promise<Output<'setup.apply'>> {
  const planned = await plansOf(place, input);
  if (!planned.ok) return planned;
  if (input.action === 'install') {
    // Before the element: OpenCode must never find an address that leads nowhere.
    const put = await putCompanion(place);
    if (!put.ok) return put;
  }
  const written = await applyAllSeen(planned.plans, input.seen, place.home);
  if (!written.ok) return { ok: false, reason: written.reason };
  return { ok: true, files: planned.plans.map((plan, at) => changeOfPlan(plan, written.receipts[at])) };
}
