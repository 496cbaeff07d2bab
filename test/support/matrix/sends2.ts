import { isOf } from '../../../src/node/opencode';
import { type Scene2, type Send2, sendPrompt2 } from './play2';
import { untilBack } from './sends';

export const askInTime2: Send2 = async (scene) => {
  const told = await sendPrompt2(scene, 'One');
  const [first, second] = scene.stage.provider.requests(scene.project.ids[0]);
  const waitedMs = (second?.at ?? 0) - (first?.respondedAt ?? 0);
  return { ...told, answer: `${told.answer} ${waitedMs >= 2_000 ? 'in time' : 'too early'}` };
};

export const sendTwice2: Send2 = async (scene) => {
  await sendPrompt2(scene, 'Zero');
  return sendPrompt2(scene, 'One');
};

export const sendWhenBack2: Send2 = async (scene) => {
  await sendPrompt2(scene, 'Zero');
  await untilBack(scene.stage.provider.requests(scene.project.ids[0])[0]);
  return sendPrompt2(scene, 'One');
};

export const sendFourTimes2: Send2 = async (scene) => {
  for (const text of ['First', 'Second', 'Third']) await sendPrompt2(scene, text);
  return sendPrompt2(scene, 'One');
};

/** Limit in ms, shorter than OpenCode's retries. */
const COMPACTION_LIMIT_MS = 20_000;

export const askForSummary2: Send2 = async (scene) => {
  const { stage, seat } = scene;
  const told = await sendPrompt2(scene, 'One');
  await stage.server.request('POST', `/session/${seat.id}/compact`, { body: {} });
  const done = await stage.events.waitFor(
    (event) => /^session\.compaction\.(ended|failed)$/.test(event.type) && isOf(seat.id)(event),
    COMPACTION_LIMIT_MS,
  );
  return { ...told, answer: String(done.properties.text ?? JSON.stringify(done.properties)) };
};

export const askForTitle2: Send2 = async (scene: Scene2) => {
  const { stage, project, seat } = scene;
  const [providerID = '', id = ''] = (project.chain[2] ?? '').split('/');
  await stage.server.request('POST', `/session/${seat.id}/model`, { body: { model: { providerID, id } } });
  const told = await sendPrompt2(scene, 'One');
  const isRenamed = stage.events.waitFor(
    (event) => event.type === 'session.renamed' && isOf(seat.id)(event),
    COMPACTION_LIMIT_MS,
  );
  const title = await isRenamed.then(
    ({ properties }) => properties.title,
    () => 'no title',
  );
  return { ...told, answer: `${title}: ${told.answer}` };
};
