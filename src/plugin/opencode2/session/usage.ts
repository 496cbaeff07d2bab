import { INTERNAL_AGENTS } from '../../../contract/opencode-agents';
import { remember } from '../../../engine/tools';
import { costOf, tokensOf } from '../../base/used';
import { noteToolEnd, type ToolEnd, toolEndIn } from '../../runtime/tool-ends';
import type { StoredStep } from '../../stores/reservations';
import { askedAs } from './accounts';
import { historyIn } from './border';
import { called } from './host-calls';
import { type Instance, sessionOf, turnOf } from './instance';
import { nameOf } from './model-ref';
import type { PluginContext, SessionError, SessionEvent } from './types';

type StepOf<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>['data'];

const THE_STEP = '';

export function noteWriter(
  instance: Instance,
  { sessionID, assistantMessageID, agent, model }: StepOf<'session.step.started'>,
): void {
  const called = askedAs(sessionOf(instance, sessionID), model);
  remember(instance.writers, assistantMessageID, { agent, model: called, counted: new Set() });
}

export function countStep(
  instance: Instance,
  { sessionID, assistantMessageID, cost, tokens: used }: Omit<StepOf<'session.step.ended'>, 'finish'>,
): void {
  const writer = instance.writers.get(assistantMessageID);
  const tokens = tokensOf(used);
  if (!writer || writer.counted.has(THE_STEP)) return;
  writer.counted.add(THE_STEP);
  if (Object.values(tokens).every((count) => count === 0)) return;
  const { agent, model } = writer;
  instance.companion.brain.note({
    type: 'usage.recorded',
    session: sessionID,
    turn: turnOf(sessionOf(instance, sessionID)).id,
    directory: instance.directory,
    agent,
    model,
    purpose: INTERNAL_AGENTS.has(agent) ? 'internal' : 'turn',
    tokens,
    cost: costOf(cost),
  });
}

/** Returns null if OpenCode does not respond; excludes steps before the last compaction. Never rejects. */
export async function storedSteps({ session: sessions }: PluginContext, session: string) {
  const history = await called(async () => historyIn(await sessions?.context?.({ sessionID: session })));
  const steps = history?.flatMap(({ time, model, agent = '', tokens, cost }): StoredStep[] => {
    const at = time?.created;
    if (at === undefined || model === undefined) return [];
    return [
      { model: nameOf(model), agent, at, endedAt: time?.completed, tokens: tokensOf(tokens), cost: costOf(cost) },
    ];
  });
  return steps ?? null;
}

export function countTool(
  instance: Instance,
  event: Extract<SessionEvent, { type: 'session.tool.success' | 'session.tool.failed' }>,
): void {
  const { sessionID: session, assistantMessageID, id } = event.data;
  const writer = instance.writers.get(assistantMessageID);
  if (!writer || writer.counted.has(id)) return;
  writer.counted.add(id);
  const { agent, model } = writer;
  const caller = { session, turn: turnOf(sessionOf(instance, session)).id, agent, model };
  const end = event.type === 'session.tool.failed' ? toolEndOf(event.data.error) : workedIn(event.data);
  noteToolEnd(instance.companion.brain, instance.toolEnds, caller, end);
}

/** A command that timed out counts as a success. [seen: 2.0.15] */
const workedIn = ({ metadata }: StepOf<'session.tool.success'>): ToolEnd => (metadata?.timeout ? 'timeout' : 'worked');

/** OpenCode names only these; other failures have only a text. [seen: 2.0.15] */
const ENDS: Readonly<Record<string, ToolEnd>> = {
  'tool.input-json': 'validation',
  'tool.unknown': 'not_found',
  'tool.interrupted': 'stopped',
  'permission.rejected': 'permission',
};

function toolEndOf({ type, message }: SessionError): ToolEnd {
  const end = ENDS[type] ?? toolEndIn(message);
  // Only the text distinguishes a declined call from a stopped turn.
  return type === 'aborted' && end !== 'permission' ? 'stopped' : end;
}
