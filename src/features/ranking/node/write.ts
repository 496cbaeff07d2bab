import { pathText } from '../../../core/config';
import { setChain, setValues, type TierSize } from '../../../core/edits';
import type { Outcome } from '../../../node/base/failure';
import type { Environment } from '../../../node/base/state-home';
import { chainRequest, readConfigured } from '../../../node/config/chains';
import { boundsOf, configPaths, configTarget } from '../../../node/config/config-files';
import { planWrite, type WritePlan, type WriteRequest } from '../../../node/config/config-write';
import { applyAllSeen, changeOfPlan } from '../../../node/config/seen';
import type { ProposedWrite } from '../core/port';

const DEPTH = ['defaults', 'maxFallbackDepth'];

export async function planProposal(
  write: ProposedWrite,
  env: Environment,
): Promise<Outcome<{ plans: readonly WritePlan[] }>> {
  const requests = await requestsFor(write, env);
  const plans: WritePlan[] = [];
  for (const request of requests) {
    const planned = await planWrite(request);
    if (!planned.ok) return planned;
    plans.push(planned.plan);
  }
  return { ok: true, plans };
}

async function requestsFor(write: ProposedWrite, env: Environment): Promise<readonly WriteRequest[]> {
  const { directory, agent, tiers, scope, create, depth, actor } = write;
  const models = tiers.flatMap((tier) => tier.models);
  const change = { agent, models, scope, create, actor };
  const { path } = await chainRequest(directory, env, change);
  const sizes = tierSizes(write, await writtenTiers(write, env, path));
  const chain = await chainRequest(directory, env, { ...change, tiers: sizes });
  if (depth === null) return [chain];
  const paths = configPaths(directory, env);
  const own = await configTarget(paths.global);
  const raise = (text: string) => setValues(text, [{ path: DEPTH, value: depth }]);
  if (chain.path === own) {
    const edit = (text: string) => {
      const edited = setChain(text, agent, models, { tiers: sizes });
      return edited.ok ? raise(edited.text) : edited;
    };
    return [{ ...chain, edit, deed: `${chain.deed}, ${depthDeed(depth)}` }];
  }
  // Only the user's file may raise the limit, never a project's.
  const limit = { path: own, ...boundsOf(paths, own), edit: raise, create: '{}\n', actor, deed: depthDeed(depth) };
  return [chain, limit];
}

const depthDeed = (depth: number): string => `set ${pathText(DEPTH)} to ${depth}`;

async function writtenTiers(
  { directory, agent }: ProposedWrite,
  env: Environment,
  path: string,
): Promise<readonly (string | null)[]> {
  const { chains } = await readConfigured(directory, env);
  return (chains.find((row) => row.agent === agent && row.path === path)?.tiers ?? []).map(({ name }) => name);
}

/** A tier with the same name continues the existing one, with its other fields. */
const tierSizes = ({ tiers }: ProposedWrite, written: readonly (string | null)[]): TierSize[] =>
  tiers.map(({ name, models }) => {
    const at = written.indexOf(name);
    return { from: at < 0 ? null : at, name, size: models.length };
  });

/** Writes all files or none; fails if one changed since the preview. */
export async function applyProposal(
  write: ProposedWrite,
  seen: readonly (string | null)[],
  { env, home }: Readonly<{ env: Environment; home: string }>,
): Promise<Outcome<{ files: readonly Readonly<{ path: string; receipt: string | null }>[] }>> {
  const planned = await planProposal(write, env);
  if (!planned.ok) return planned;
  const written = await applyAllSeen(planned.plans, seen, home);
  if (!written.ok) return { ok: false, reason: written.reason };
  return { ok: true, files: planned.plans.map((plan, at) => changeOfPlan(plan, written.receipts[at])) };
}
