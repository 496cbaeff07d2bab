import { redact } from '../../engine';
import { failureText } from '../base/failure';
import type { OpencodeBinary } from './binary';
import { splitModel } from './client';
import type { OpencodeEvent } from './events';
import { isOf, type Opencode2Server } from './opencode2';
import { withOwnOpencode2 } from './own-server2';
import type { Probed, ProbeOptions } from './probed';

/** A retry counts because it holds the error. */
const NEWS = [
  'session.retry.scheduled',
  'session.execution.succeeded',
  'session.execution.failed',
  'session.execution.interrupted',
];

type ProbeMessage = Readonly<{ title: string; text: string }>;

/** Reports a limit as soon as the provider does. */
export async function probeModel2(
  binary: OpencodeBinary,
  options: ProbeOptions,
  question: ProbeMessage,
): Promise<Probed> {
  const startedAt = performance.now();
  const tookMs = (): number => Math.round(performance.now() - startedAt);
  try {
    return await withOwnOpencode2(binary, options, async (server) => {
      const { news, cost } = await ask(server, question, { ...options, limitMs: options.limitMs - tookMs() });
      if (news === null) return late(options, tookMs());
      const error = news.properties.error as StatedError | undefined;
      if (error !== undefined) return { ok: false, reason: redact(errorText(error)), tookMs: tookMs(), said: error };
      if (news.type === 'session.execution.succeeded') return { ok: true, tookMs: tookMs(), cost };
      return { ok: false, reason: 'OpenCode ended without an answer', tookMs: tookMs(), said: null };
    });
  } catch (error) {
    if (tookMs() >= options.limitMs) return late(options, tookMs());
    const [reason = ''] = failureText(error).split('\n');
    return { ok: false, reason, tookMs: tookMs(), said: null };
  }
}

type Heard = Readonly<{ news: OpencodeEvent | null; cost: number }>;

async function ask(
  server: Opencode2Server,
  { title, text }: ProbeMessage,
  { model, directory, limitMs }: ProbeOptions,
): Promise<Heard> {
  const events = await server.events();
  const { providerID, modelID } = splitModel(model);
  const { id } = await server.createSession(directory, { title, model: { providerID, id: modelID } });
  try {
    await server.prompt(id, text);
    const isNews = (event: OpencodeEvent): boolean => NEWS.includes(event.type) && isOf(id)(event);
    // silent: null reports the timeout
    const news = await events.waitFor(isNews, Math.max(0, limitMs)).catch(() => null);
    const { cost = 0 } = await server.session(id);
    return { news, cost };
  } finally {
    // silent: the session ends with its server in any case
    await server.request('POST', `/session/${id}/interrupt`).catch(() => undefined);
    await server.request('DELETE', `/session/${id}`).catch(() => undefined); // silent: as above
  }
}

type StatedError = Readonly<{ message: string; status?: number }>;

const errorText = ({ status, message }: StatedError): string =>
  status === undefined ? message : `${status}: ${message}`;

const late = ({ limitMs }: ProbeOptions, tookMs: number): Probed => ({
  ok: false,
  reason: `no answer within ${Math.round(limitMs / 1_000)} s`,
  tookMs,
  said: null,
});
