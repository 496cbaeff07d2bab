import { redact } from '../../engine';
import { askOpencode } from './ask';
import { generationOf, type OpencodeBinary } from './binary';
import { probeModel2 } from './probe2';
import type { ProbeAnswer, Probed, ProbeOptions } from './probed';
import { costOf, type RunEvent, readRunEvents, runErrorText } from './run-events';

/** The title explains a session that cannot be deleted. */
const PROBE = { text: 'Reply with the word OK and nothing else.', title: 'Understudy probe' } as const;
const CLEAN_UP_LIMIT_MS = 60_000;

/** Without plugins, so that no other model answers. OpenCode 1 retries after a limit: the time runs out. */
export async function probeModel(binary: OpencodeBinary, options: ProbeOptions): Promise<Probed> {
  if (generationOf(binary) >= 2) return await probeModel2(binary, options, PROBE);
  const startedAt = performance.now();
  const args = ['run', '--pure', '--format', 'json', '--title', PROBE.title, '--model', options.model, PROBE.text];
  const ran = await askOpencode(binary, { ...options, args });
  const tookMs = Math.round(performance.now() - startedAt);
  const events = readRunEvents(ran.output);
  const session = events.find(({ sessionID }) => sessionID !== undefined)?.sessionID;
  if (session !== undefined) {
    const remove = ['session', 'delete', session, '--pure'];
    await askOpencode(binary, { ...options, args: remove, limitMs: CLEAN_UP_LIMIT_MS });
  }
  const error = events.find(({ type }) => type === 'error')?.error;
  if (error !== undefined) return { ok: false, reason: redact(runErrorText(error)), tookMs, said: saidIn(error) };
  if (events.some(({ type }) => type === 'step_finish')) return { ok: true, tookMs, cost: costOf(events) };
  const reason = ran.isLate
    ? `no answer within ${Math.round(options.limitMs / 1_000)} s`
    : 'OpenCode ended without an answer';
  return { ok: false, reason, tookMs, said: null };
}

const saidIn = ({ name, data }: NonNullable<RunEvent['error']>): ProbeAnswer => ({
  message: data?.message ?? name ?? '',
  ...(data?.statusCode === undefined ? {} : { status: data.statusCode }),
});
