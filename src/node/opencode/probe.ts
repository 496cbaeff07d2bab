import { redact } from '../../engine';
import { askOpencode } from './ask';
import { generationOf, type OpencodeBinary } from './binary';
import { probeModel2 } from './probe2';
import type { ProbeAnswer, Probed, ProbeOptions } from './probed';

/** What is asked, in a session of what title: it is removed at once, and if that fails, people shall know what it was. */
const PROBE = { text: 'Reply with the word OK and nothing else.', title: 'Understudy probe' } as const;
const CLEAN_UP_LIMIT_MS = 60_000;

/**
 * Makes one real request to a model through OpenCode, without any plugin, so that it goes to that model and to no other.
 * The session it takes is removed again. OpenCode 1 itself asks again after a limit: then the time runs out.
 */
export async function probeModel(binary: OpencodeBinary, options: ProbeOptions): Promise<Probed> {
  if (generationOf(binary) >= 2) return await probeModel2(binary, options, PROBE);
  const startedAt = performance.now();
  const args = ['run', '--pure', '--format', 'json', '--title', PROBE.title, '--model', options.model, PROBE.text];
  const ran = await askOpencode(binary, { ...options, args });
  const tookMs = Math.round(performance.now() - startedAt);
  const events = ran.output.split('\n').flatMap(readEvent);
  const session = events.find(({ sessionID }) => sessionID !== undefined)?.sessionID;
  if (session !== undefined) {
    const remove = ['session', 'delete', session, '--pure'];
    await askOpencode(binary, { ...options, args: remove, limitMs: CLEAN_UP_LIMIT_MS });
  }
  const error = events.find(({ type }) => type === 'error')?.error;
  if (error !== undefined) return { ok: false, reason: redact(errorText(error)), tookMs, said: saidIn(error) };
  const finished = events.filter(({ type }) => type === 'step_finish');
  if (finished.length > 0)
    return { ok: true, tookMs, cost: finished.reduce((sum, { part }) => sum + (part?.cost ?? 0), 0) };
  const reason = ran.isLate
    ? `no answer within ${Math.round(options.limitMs / 1_000)} s`
    : 'OpenCode ended without an answer';
  return { ok: false, reason, tookMs, said: null };
}

type Event = Readonly<{
  type?: string;
  sessionID?: string;
  part?: Readonly<{ cost?: number }>;
  error?: Readonly<{ name?: string; data?: Readonly<{ message?: string; statusCode?: number }> }>;
}>;

function readEvent(line: string): Event[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? [value] : [];
  } catch {
    return [];
  }
}

const saidIn = ({ name, data }: NonNullable<Event['error']>): ProbeAnswer => ({
  message: data?.message ?? name ?? '',
  ...(data?.statusCode === undefined ? {} : { status: data.statusCode }),
});

const errorText = ({ name, data }: NonNullable<Event['error']>): string =>
  [data?.statusCode, data?.message ?? name ?? 'an error without words'].filter((part) => part !== undefined).join(': ');
