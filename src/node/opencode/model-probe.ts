import { homedir } from 'node:os';
import type { ProbeResult } from '../../contract/probe';
import type { ProbePort } from '../../core/ports/ports';
import { classify } from '../../engine';
import { type Environment, stateHome } from '../base/state-home';
import { noteSpent } from '../data/spending';
import { findOpencode, type Probed, probeModel } from '.';

/** Includes OpenCode's start. */
const LIMIT_MS = 90_000;
const AGENT = 'understudy-probe';
const REASON_MAX_CHARS = 500;

/** With this user's logins. */
export function createModelProbe(env: Environment): ProbePort {
  return async ({ model, directory }) => {
    const search = await findOpencode(env);
    if (!search.ok) return unasked(search.reason, 0);
    const where = directory ?? homedir();
    const probed = await probeModel(search.binary, { model, directory: where, env, limitMs: LIMIT_MS });
    if (probed.ok)
      await noteSpent(stateHome(env), { for: 'internal', agent: AGENT, directory: where, model, cost: probed.cost });
    return resultOf(probed);
  };
}

const unasked = (reason: string, tookMs: number): ProbeResult => ({
  ok: false,
  tookMs,
  kind: null,
  status: null,
  reason: reason.slice(0, REASON_MAX_CHARS),
});

function resultOf(probed: Probed): ProbeResult {
  if (probed.ok) return probed;
  const { tookMs, said: response, reason } = probed;
  if (response === null) return unasked(reason, tookMs);
  const { kind, status, message } = classify({ phase: 'body', ...response });
  return { ok: false, tookMs, kind, status, reason: message.slice(0, REASON_MAX_CHARS) };
}
