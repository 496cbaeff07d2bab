import type { Handlers } from '../../contract/contract';
import type { Snapshot } from '../../contract/snapshot';
import type { SetupPort, SetupQuery } from '../../core/ports/setup';
import type { Outcome } from '../base/failure';
import { MAX_COMPARED_BYTES, readBytes } from '../base/read-text';
import type { Environment } from '../base/state-home';
import { type ChainChange, effectiveChains, planChain, readConfigured } from '../config/chains';
import { hashOf, hasWritten } from '../config/config-journal';
import { configTable, planConfig } from '../config/config-values';
import { planUndo, type WritePlan } from '../config/config-write';
import { withLock } from '../config/council';
import { type ChoicePlace, keepAnswered, planFirstChoice } from '../config/first-choice';
import { leadAgainst, leadChanges, remainingWithout } from '../config/leads';
import { allowShown, projectTrust, revokeShown } from '../config/project-trust';
import { applyAllSeen, changeOfPlan, previewOf } from '../config/seen';
import { appInfo, shownReport } from './app-facts';
import { putCompanion } from './companion-files';
import { examine } from './doctor';
import { addressFor, detectSetup, goneIn, listFor, planInstall, planUninstall, type SetupPlace } from './install';
import { installedIn } from './installed';
import { readJournals } from './journals';
import { offersFor } from './offers';
import { proposeFor } from './propose';

type Input<Q extends SetupQuery> = Parameters<Handlers[Q]>[0];
type Output<Q extends SetupQuery> = Awaited<ReturnType<Handlers[Q]>>;
type Answers = { [Q in SetupQuery]: (input: Input<Q>, snapshot: () => Snapshot) => Promise<Output<Q>> };

const ACTOR = 'panel';

/** Uses the same functions as the command line. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a table: one short answer for each question of the panel
export function createSetup(
  about: Readonly<{ env: Environment; home: string; source: string; tell: (message: string) => void }>,
): SetupPort {
  const { env, home } = about;
  const place = (directory: string | null): SetupPlace => ({ ...about, directory });
  const answers: Answers = {
    'chains.get': async ({ directory }) => {
      const { chains, isUnread, problems, kept: stored } = await readConfigured(directory, env);
      const inForce = stored === null ? {} : await effectiveChains(directory, env, stored);
      return {
        chains: chains.map((row) => ({
          ...row,
          models: [...row.models],
          tiers: [...row.tiers],
          leads: leadAgainst(stored, row, (Object.hasOwn(inForce, row.agent) && inForce[row.agent]) || []),
        })),
        isUnread,
        problems: problems.map(({ code: _, ...problem }) => problem),
      };
    },
    'chains.preview': async (input) => {
      const planned = await planChain(input.directory, env, changeOf(input));
      if (!planned.ok) return planned;
      const { agent, models, others, isRemoval } = input;
      const where = { ...about, directory: input.directory };
      const preview = { ok: true, ...previewOf(planned.plan) } as const;
      if (isRemoval) {
        const { leads, ...remaining } = await remainingWithout(where, agent, planned.plan.path);
        return { ...preview, leads: leads ? [leads] : [], remaining: { ...remaining, models: [...remaining.models] } };
      }
      return { ...preview, leads: await leadChanges(where, [{ agent, models }, ...others]) };
    },
    'chains.apply': async (input) => {
      const planned = await planChain(input.directory, env, changeOf(input));
      return planned.ok ? await applySeen(planned.plan, input.seen, home) : planned;
    },
    'chains.offers': ({ directory }) => offersFor(home, directory),
    'config.get': ({ directory }) => configTable(directory, env),
    'config.preview': async (input) => {
      const plannedConfig = await planConfig(input, env, ACTOR);
      if (!plannedConfig.ok) return plannedConfig;
      const changes = await withLock({ ...about, directory: input.directory }, input.changes);
      const planned = await planConfig({ ...input, changes }, env, ACTOR);
      return planned.ok ? { ok: true, ...previewOf(planned.plan), changes } : planned;
    },
    'config.apply': async (input) => {
      const planned = await planConfig(input, env, ACTOR);
      if (!planned.ok) return planned;
      const applied = await applySeen(planned.plan, input.seen, home);
      return applied.ok ? applied : { ...applied, fields: [] };
    },
    'setup.propose': ({ directory }, snapshot) => proposeFor(place(directory), snapshot()),
    'setup.choice': async () => {
      const plan = await planFirstChoice(about, ACTOR);
      return plan && previewOf(plan);
    },
    'setup.choose': (input) => applyChoice(about, input),
    'setup.detect': async ({ directory }) => {
      const setup = await detectSetup(place(directory));
      const { opencodes, companion, files } = setup;
      const list = listFor(opencodes, []);
      const installed = await installedIn(setup, place(directory));
      return {
        line: `"${list}": ["${addressFor(setup, list)}"]`,
        opencodes: opencodes.map(({ version }) => version),
        companion,
        installed: installed.map(({ address: _, generation: __, ...one }) => one),
        files: files.map((file) => {
          const { companions, rivals } = 'found' in file ? file.found : { companions: [], rivals: [] };
          const gone = goneIn(file);
          const problem = 'problem' in file ? file.problem : null;
          return {
            path: file.path,
            scope: file.scope,
            companions: companions.filter((address) => !gone.includes(address)),
            rivals: [...rivals],
            problem,
          };
        }),
      };
    },
    'setup.diff': async (input) => {
      const planned = await plansOf(place(input.directory), input);
      if (!planned.ok) return planned;
      const { plans, left } = planned;
      return { ok: true, files: plans.map(previewOf), ...(left.length > 0 ? { left: [...left] } : {}) };
    },
    'setup.apply': (input) => applySetup(place(input.directory), input),
    'setup.undo': async ({ receipt }) => {
      const written = (await readJournals(place(null))).receipts.find(({ id }) => id === receipt);
      const planned = await planUndo(receipt, written?.home ?? home, ACTOR);
      return planned.ok ? await applySeen(planned.plan, previewOf(planned.plan).seen, home) : planned;
    },
    'setup.place': () => putCompanion(place(null)),
    'setup.receipts': async ({ limit }) => {
      const receipts = (await readJournals(place(null))).receipts.slice(0, limit);
      return await Promise.all(
        receipts.map(async ({ id, at, path, target, deed, actor, after }) => {
          return { receipt: id, at, path, deed, actor, isLatest: await holds(target, after) };
        }),
      );
    },
    'app.info': () => appInfo(place(null)),
    'app.report': (_, snapshot) => shownReport(place(null), snapshot()),
    'trust.get': (_, snapshot) => projectTrust(about, snapshot()),
    'trust.allow': (input) => allowShown(about, input),
    'trust.revoke': (input) => revokeShown(about, input),
    'doctor.run': async ({ directory }, snapshot) => [...(await examine(place(directory), snapshot()))],
  };
  // TypeScript cannot relate a looked-up name to its result type.
  return {
    answer: (name, input, snapshot) => (answers[name] as Answers[typeof name])(input, snapshot),
    hasWritten: (path) => hasWritten(home, path),
  };
}

/** A project may replace its file with a link, a pipe or a huge file. */
async function holds(target: string, hash: string | null): Promise<boolean> {
  const read = await readBytes(target, MAX_COMPARED_BYTES, { isNoLink: true });
  if (read.kind === 'unreadable') return false;
  return (read.kind === 'bytes' ? hashOf(read.bytes) : null) === hash;
}

const changeOf = ({ directory: _, ...change }: Input<'chains.preview'>): ChainChange => ({ ...change, actor: ACTOR });

type Applied = Output<'chains.apply'>;

async function applySeen(plan: WritePlan, seen: string | null, home: string): Promise<Applied> {
  const written = await applyAllSeen([plan], [seen], home);
  return written.ok ? { ok: true, ...changeOfPlan(plan, written.receipts[0]) } : { ok: false, reason: written.reason };
}

async function applyChoice(
  place: ChoicePlace,
  { isWanted, seen }: Input<'setup.choose'>,
): Promise<Output<'setup.choose'>> {
  const plan = isWanted ? await planFirstChoice(place, ACTOR) : null;
  if (isWanted && plan === null) return { ok: false, reason: 'This was answered meanwhile. Nothing was changed.' };
  const written = plan && (await applySeen(plan, seen, place.home));
  if (written?.ok === false) return written;
  const result = await keepAnswered(place);
  // The file itself shows the approval, and its receipt must not be lost.
  return result.ok || written
    ? { ok: true, files: written ? [{ path: written.path, receipt: written.receipt }] : [] }
    : result;
}

async function plansOf(
  place: SetupPlace,
  input: Input<'setup.diff'>,
): Promise<Outcome<{ plans: readonly WritePlan[]; left: readonly string[] }>> {
  const request = { ...input, actor: ACTOR };
  if (input.action === 'uninstall') return await planUninstall(place, request);
  const planned = await planInstall(place, request);
  return planned.ok ? { ...planned, left: [] } : planned;
}

async function applySetup(place: SetupPlace, input: Input<'setup.apply'>): Promise<Output<'setup.apply'>> {
  const planned = await plansOf(place, input);
  if (!planned.ok) return planned;
  if (input.action === 'install') {
    // Before the entry: OpenCode must never find an address that leads nowhere.
    const put = await putCompanion(place);
    if (!put.ok) return put;
  }
  const written = await applyAllSeen(planned.plans, input.seen, place.home);
  if (!written.ok) return { ok: false, reason: written.reason };
  return { ok: true, files: planned.plans.map((plan, at) => changeOfPlan(plan, written.receipts[at])) };
}
