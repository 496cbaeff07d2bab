import type { RecordedRequest, ScriptedStep } from '../../../src/cli/demo/scripted-provider';
import { type EventStream, type OpencodeEvent, type OpencodeMessage, textOf } from '../../../src/node/opencode';
import type { Case } from '../../support/stage';
import type { Subject } from './subjects';

/** What the lead does in every turn. */
export type Fault = Readonly<{ name: string; step: ScriptedStep }>;

/** Worded as Anthropic does; plugins that only read words know this one. */
const OUTAGE = { error: { type: 'api_error', message: 'Internal server error' } };

export const FAULTS = [
  { name: '429', step: { kind: 'status', status: 429 } },
  { name: '500', step: { kind: 'status', status: 500, body: OUTAGE } },
  { name: 'mid-stream drop', step: { kind: 'cut', text: 'partial words' } },
] as const satisfies readonly Fault[];

/** One failing turn: what it cost until the answer, or what was seen in place of one. */
export type Turn =
  | Readonly<{
      kind: 'answered';
      /** From the end of the failed response to the request after it. */
      failoverMs: number;
      /** From the prompt to the end of the final answer. */
      answerMs: number;
      /** Requests beside the failed and the answered one. */
      extraRequests: number;
      /** User messages in the history beside the one that was sent. */
      duplicates: number;
    }>
  | Readonly<{ kind: 'unanswered'; seen: string }>;

const ANSWER = 'ANSWER';
/** A turn without an answer by then has none. */
const LIMIT_MS = 30_000;

/** Plays a fault in a project of its own, whose instance has answered once before. */
export async function playTurn(subject: Subject, fault: Fault): Promise<Turn> {
  const { provider, server } = subject.stage;
  const made = await subject.makeCase();
  await warmUp(subject, made);
  const events = await server.events(made.directory);
  try {
    return await measured(subject, { made, events, fault });
  } finally {
    events.close();
    await server.dispose(made.directory);
    for (const id of made.ids) provider.script(id, [{ kind: 'status', status: 404 }]);
  }
}

/** Boots the project's instance with an answered turn, so that the measured one is warm. */
async function warmUp({ stage: { provider, server }, agent }: Subject, { directory, ids }: Case): Promise<void> {
  provider.script(ids[0] ?? '', [{ kind: 'text', text: 'warm' }]);
  const prompt = { text: 'Warm up', ...(agent ? { agent } : {}) };
  await server.prompt(await server.createSession(directory), prompt);
}

type Measuring = Readonly<{ made: Case; events: EventStream; fault: Fault }>;

async function measured(subject: Subject, { made, events, fault }: Measuring): Promise<Turn> {
  const { agent, canSwitch, stage } = subject;
  const { provider, server } = stage;
  const [lead = '', understudy = ''] = made.ids;
  const answer = { kind: 'text', text: ANSWER } as const;
  provider.script(lead, canSwitch ? [fault.step] : [fault.step, answer]);
  provider.script(understudy, [answer]);
  const earlier = provider.requests().length;
  const failure = endOfFailure(subject, lead, fault);
  const session = await server.createSession(made.directory);
  const startedAt = performance.now();
  await server.promptAsync(session, { text: 'One', ...(agent ? { agent } : {}) });
  const final = await events.waitFor((event) => isFinal(event, session.id), LIMIT_MS).catch(() => null);
  const answerMs = performance.now() - startedAt;
  if (final !== null) await idleAfter(events, final, session.id);
  const messages = await server.messages(session);
  const requests = provider.requests().slice(earlier);
  const next = requests.slice(1).find(({ model }) => !canSwitch || model === understudy);
  const isAnswered = messages.some((message) => textOf(message).endsWith(ANSWER));
  if (final === null || next === undefined || !isAnswered)
    return { kind: 'unanswered', seen: described(requests, { lead, messages }) };
  return {
    kind: 'answered',
    failoverMs: next.at - (await failure),
    answerMs,
    extraRequests: requests.length - 2,
    duplicates: messages.filter(({ info }) => info.role === 'user').length - 1,
  };
}

/** When the lead's next response has failed, Unix ms: a torn one at its end, any other with its first byte. */
async function endOfFailure({ stage: { provider } }: Subject, lead: string, { step }: Fault): Promise<number> {
  const earlier = new Set(provider.requests(lead));
  let endedAt = Number.NaN;
  const hasEnded = (request: RecordedRequest): boolean => {
    if (request.model !== lead || earlier.has(request) || request.respondedAt === null) return false;
    endedAt = step.kind === 'cut' ? performance.timeOrigin + performance.now() : request.respondedAt;
    return true;
  };
  // A request that never came leaves NaN.
  await provider.waitForRequest(hasEnded, LIMIT_MS).catch(() => undefined);
  return endedAt;
}

async function idleAfter(events: EventStream, final: OpencodeEvent, session: string): Promise<void> {
  const isLater = (event: OpencodeEvent): boolean => events.seen().indexOf(event) > events.seen().indexOf(final);
  await events.waitFor((event) => isIdle(event, session) && isLater(event));
}

function isFinal({ type, properties }: OpencodeEvent, session: string): boolean {
  if (type !== 'message.updated') return false;
  const info = properties.info as OpencodeMessage['info'] & { time?: { completed?: number } };
  return info.sessionID === session && info.finish === 'stop' && info.time?.completed !== undefined;
}

const isIdle = ({ type, properties }: OpencodeEvent, session: string): boolean =>
  type === 'session.idle' && properties.sessionID === session;

/** What happened in a turn that had no answer. */
function described(
  requests: readonly RecordedRequest[],
  { lead, messages }: Readonly<{ lead: string; messages: readonly OpencodeMessage[] }>,
): string {
  const ofLead = requests.filter(({ model }) => model === lead).length;
  const error = messages.at(-1)?.info.error?.name ?? 'no error';
  return `${ofLead} requests to the lead and ${requests.length - ofLead} to the understudy in ${LIMIT_MS / 1_000} s, ${error}`;
}
