import type { RecordedRequest, ScriptedStep } from '../../../src/demo/scripted-provider';
import type { Case } from '../../support/stage';
import type { Asked, Room } from './rooms';
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

/** Plays a fault in a project of its own, whose instance has answered once before; one that is cold has not. */
export async function playTurn(subject: Subject, fault: Fault, isCold = false): Promise<Turn> {
  const { provider } = subject;
  const made = await subject.makeCase();
  provider.script(made.ids[0] ?? '', [{ kind: 'text', text: 'warm' }]);
  const room = await subject.open(made);
  try {
    // Boots the project's instance, so that the measured turn is warm.
    if (!isCold) await room.ask('Warm up', LIMIT_MS);
    return await measured(subject, { made, room, fault });
  } finally {
    await room.close();
    for (const id of made.ids) provider.script(id, [{ kind: 'status', status: 404 }]);
  }
}

type Measuring = Readonly<{ made: Case; room: Room; fault: Fault }>;

async function measured(subject: Subject, { made, room, fault }: Measuring): Promise<Turn> {
  const { provider, canSwitch } = subject;
  const [lead = '', understudy = ''] = made.ids;
  const answer = { kind: 'text', text: ANSWER } as const;
  provider.script(lead, canSwitch ? [fault.step] : [fault.step, answer]);
  provider.script(understudy, [answer]);
  const earlier = provider.requests().length;
  const failure = endOfFailure(subject, lead, fault);
  const asked = await room.ask('One', LIMIT_MS);
  const requests = provider.requests().slice(earlier);
  const next = requests.slice(1).find(({ model }) => !canSwitch || model === understudy);
  const isAnswered = asked.said.some((text) => text.endsWith(ANSWER));
  if (asked.tookMs === null || next === undefined || !isAnswered)
    return { kind: 'unanswered', seen: described(requests, lead, asked) };
  return {
    kind: 'answered',
    failoverMs: next.at - (await failure),
    answerMs: asked.tookMs,
    extraRequests: requests.length - 2,
    duplicates: asked.users - 1,
  };
}

/** When the lead's next response has failed, Unix ms: a torn one at its end, any other with its first byte. */
async function endOfFailure({ provider }: Subject, lead: string, { step }: Fault): Promise<number> {
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

/** What happened in a turn that had no answer. */
function described(requests: readonly RecordedRequest[], lead: string, { tookMs, error }: Asked): string {
  const ofLead = requests.filter(({ model }) => model === lead).length;
  const end = tookMs === null ? `in ${LIMIT_MS / 1_000} s, then stopped` : `in ${(tookMs / 1_000).toFixed(1)} s`;
  return `${ofLead} requests to the lead and ${requests.length - ofLead} to the understudy ${end}, ${error ?? 'no error'}`;
}
