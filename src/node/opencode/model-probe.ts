import { homedir } from 'node:os';
import type { ProbeResult } from '../../contract';
import type { ProbePort } from '../../core/ports/ports';
import { classify } from '../../engine';
import type { Environment } from '../base/state-home';
import { findOpencode, type Probed, probeModel } from '.';

/** Long enough for a slow model, and for OpenCode to start, in ms. */
const LIMIT_MS = 90_000;
/** What the contract lets a reason say. */
const REASON_MAX_CHARS = 500;

/** Asks models through the OpenCode of this user, with their login. */
export function createModelProbe(env: Environment): ProbePort {
  return async ({ model, directory }) => {
    const search = await findOpencode(env);
    if (!search.ok) return unasked(search.reason, 0);
    const where = directory ?? homedir();
    return resultOf(await probeModel(search.binary, { model, directory: where, env, limitMs: LIMIT_MS }));
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
  const { tookMs, said, reason } = probed;
  if (said === null) return unasked(reason, tookMs);
  const { kind, status, message } = classify({ phase: 'body', ...said });
  return { ok: false, tookMs, kind, status, reason: message.slice(0, REASON_MAX_CHARS) };
}
