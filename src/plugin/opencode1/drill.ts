import { remember } from '../../engine/tools';
import type { DrillOutcome } from '../../protocol';
import { replyTo } from '../answer/reply';
import { wireOf } from '../answer/wire';
import { quietly } from '../base/quietly';
import {
  beginDrill,
  DRILL_ASKS,
  DRILL_TEXT,
  DRILL_TITLE,
  type Drill,
  drillNotice,
  failedDrill,
  UNMOVED,
} from '../runtime/drill';
import type { Fetch } from './memory/fetch-wrap';
import type { Asking, Instance } from './memory/instance';
import { refOf } from './memory/model-ref';
import type { BusEvent, HistoryMessage } from './memory/types';
import { holdFetch } from './request/fetch-hook';

const PROOF_WAIT_MS = 15_000;

export const instanceOf = (instance: Instance, session: string | undefined): Instance =>
  instance.apart.get(session ?? '')?.instance ?? instance;

export function sessionIn({ type, properties }: BusEvent): string | undefined {
  switch (type) {
    case 'message.updated':
      return properties.info.sessionID;
    case 'message.part.updated':
      return properties.part.type === 'step-finish' ? properties.part.sessionID : undefined;
    case 'session.deleted':
      return properties.info.id;
    case 'session.error':
    case 'session.status':
    case 'session.idle':
      return properties.sessionID;
    default:
      return undefined;
  }
}

/**
 * Simulates a rate limit. Calls no provider whose requests Understudy can intercept, and leaves health unchanged.
 * @param agent null for OpenCode's default. Never rejects.
 */
export async function runDrill(instance: Instance, agent: string | null): Promise<DrillOutcome> {
  const drilling = outcomeOf(instance, agent);
  // The project may close meanwhile: the session's requests must still not reach a provider.
  holdFetch(drilling);
  const outcome = await drilling;
  instance.voice.notify(drillNotice(outcome));
  return outcome;
}

async function outcomeOf(instance: Instance, agent: string | null): Promise<DrillOutcome> {
  const { client, companion } = instance;
  try {
    if (!(await companion.refresh())) return failedDrill('no chain is active in this project');
    if ((await companion.selfCheck.settled(PROOF_WAIT_MS, true)) !== 'soft') return failedDrill(UNMOVED);
    const { data } = await client.session.create({ body: { title: DRILL_TITLE } });
    if (!data) return failedDrill('OpenCode did not create a session');
    const path = { id: data.id };
    try {
      return await practise(instance, data.id, agent);
    } finally {
      await quietly(() => client.session.abort({ path }));
      await quietly(() => client.session.delete({ path }));
    }
  } catch {
    // silent: the drill is reported as failed
    return failedDrill('OpenCode did not answer');
  }
}

async function practise(instance: Instance, session: string, agent: string | null): Promise<DrillOutcome> {
  const drill = beginDrill(instance.companion.brain, session, agent);
  const companion = { ...instance.companion, brain: drill.brain, isArmed: () => true, refresh: async () => true };
  remember(instance.apart, session, {
    instance: { ...instance, companion },
    answerFor: (asking: Asking) => answerFor(drill, asking),
    system: null,
  });
  try {
    const body = { ...(agent === null ? {} : { agent }), parts: [{ type: 'text', text: DRILL_ASKS }] };
    const prompting = instance.client.session.prompt({ path: { id: session }, body });
    holdFetch(prompting);
    const answer = await Promise.race([prompting, drill.over]);
    return drill.judge(instance.directory, answeredBy(answer?.data));
  } finally {
    drill.end();
  }
}

const answerFor =
  (drill: Drill, { agent, model, npm }: Asking): Fetch =>
  async (input) =>
    drill.answer({ agent, model }, () =>
      replyTo(wireOf(String(input instanceof Request ? input.url : input), npm), DRILL_TEXT),
    );

const answeredBy = (answer: Partial<HistoryMessage> | undefined): string | null =>
  answer?.info?.role === 'assistant' ? refOf(answer.info) : null;
