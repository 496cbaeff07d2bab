import { setTimeout } from 'node:timers/promises';
import type { RecordedRequest } from '../../../src/demo/scripted-provider';
import type { OpencodeMessage } from '../../../src/node/opencode';
import { sendPrompt, toldBy } from './play';
import type { Scene, Told } from './row';

/** Checks also that the primary got no request before the time it gave. */
export async function askInTime(scene: Scene): Promise<Told> {
  const told = await sendPrompt(scene, 'One');
  const [first, second] = scene.stage.provider.requests(scene.project.ids[0]);
  const waitedMs = (second?.at ?? 0) - (first?.respondedAt ?? 0);
  return { ...told, answer: `${told.answer} ${waitedMs >= 2_000 ? 'in time' : 'too early'}` };
}

export async function sendTwice(scene: Scene): Promise<Told> {
  await sendPrompt(scene, 'Zero');
  return sendPrompt(scene, 'One');
}

/** Wait in seconds before {@link sendWhenBack} sends again; longer than any wait within a turn. */
export const BACK_S = 6;

/** Sends a second prompt, which counts, as soon as the time given by the primary is over. */
export async function sendWhenBack(scene: Scene): Promise<Told> {
  await sendPrompt(scene, 'Zero');
  await untilBack(scene.stage.provider.requests(scene.project.ids[0])[0]);
  return sendPrompt(scene, 'One');
}

const ARRIVES_WITHIN_MS = 500;

export const untilBack = (first: RecordedRequest | undefined): Promise<void> =>
  setTimeout(Math.max(0, (first?.respondedAt ?? 0) + BACK_S * 1_000 + ARRIVES_WITHIN_MS - Date.now()));

export async function sendFourTimes(scene: Scene): Promise<Told> {
  for (const text of ['First', 'Second', 'Third']) await sendPrompt(scene, text);
  return sendPrompt(scene, 'One');
}

/** Requests a response by schema. OpenCode does not list messages of such a session, so events are read. */
export async function askForSchema({ stage, session, stream }: Scene): Promise<Told> {
  const schema = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] };
  const message = await stage.server.request<OpencodeMessage>('POST', `/session/${session.id}/message`, {
    directory: session.directory,
    body: { parts: [{ type: 'text', text: 'One' }], format: { type: 'json_schema', schema } },
  });
  await stream.waitFor(({ type }) => type === 'message.removed', 10_000);
  const left = new Map<unknown, unknown>();
  for (const { type, properties } of stream.seen()) {
    const info = properties.info as OpencodeMessage['info'];
    if (type === 'message.updated') left.set(info.id, info.role);
    if (type === 'message.removed') left.delete(properties.messageID);
  }
  const answer = `${JSON.stringify(message.info.structured)} in ${[...left.values()].join(', ')}`;
  return { ...toldBy(message), answer };
}

/** Longer than a compaction takes, and shorter than OpenCode's retries. */
const COMPACTION_LIMIT_MS = 20_000;

export async function askForSummary(scene: Scene): Promise<Told> {
  const { stage, project, session } = scene;
  const told = await sendPrompt(scene, 'One');
  const [providerID, modelID] = (project.chain[0] ?? '').split('/');
  try {
    await stage.server.request('POST', `/session/${session.id}/summarize`, {
      directory: session.directory,
      body: { providerID, modelID },
      signal: AbortSignal.timeout(COMPACTION_LIMIT_MS),
    });
    return told;
  } catch (error) {
    await stage.server.abort(session);
    throw error;
  }
}

/** A healthy model answers, and another has to find the title; the result begins with the title. */
export async function askForTitle(scene: Scene): Promise<Told> {
  const { stage, project, session, stream } = scene;
  const titleOf = (value: unknown): string => (value as { title?: string } | undefined)?.title ?? '';
  const message = await stage.server.prompt(session, { text: 'One', model: project.chain[2] ?? '' });
  await stream
    .waitFor(({ type, properties }) => type === 'session.updated' && titleOf(properties.info) === 'A TITLE', 10_000)
    .catch(() => undefined);
  const path = `/session/${session.id}`;
  const title = titleOf(await stage.server.request('GET', path, { directory: session.directory }));
  const told = toldBy(message);
  return { ...told, answer: `${title}: ${told.answer}` };
}
