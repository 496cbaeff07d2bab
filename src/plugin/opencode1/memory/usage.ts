import { INTERNAL_AGENTS } from '../../../contract/opencode-agents';
import { remember } from '../../../engine/tools';
import { isGoOnCall } from '../../answer/terminator';
import { quietly, quietlyNow } from '../../base/quietly';
import { costOf, tokensOf } from '../../base/used';
import { type Caller, noteToolEnd, type ToolEnd, toolEndIn } from '../../runtime/tool-ends';
import type { StoredStep } from '../../stores/reservations';
import type { Instance } from './instance';
import { refOf } from './model-ref';
import type { AssistantInfo, Client, StepFinishPart, ToolPart } from './types';

const LAST_WORDS = 400;

export function noteWriter(instance: Instance, info: AssistantInfo): void {
  if (info.time?.completed !== undefined) instance.writing.delete(info.id);
  else if (info.finish === undefined && !instance.writing.has(info.id))
    remember(instance.writing, info.id, { info, counted: new Set() });
}

/** Counts each step once; a step that was moved away has no usage. */
export function countStep(instance: Instance, part: StepFinishPart): void {
  const writing = instance.writing.get(part.messageID);
  const tokens = tokensOf(part.tokens);
  if (!writing || writing.counted.has(part.id)) return;
  writing.counted.add(part.id);
  if (Object.values(tokens).every((count) => count === 0)) return;
  const { info } = writing;
  const { agent, ...speaker } = speakerOf(instance, info);
  const isInternal = instance.asides.has(info.sessionID) || INTERNAL_AGENTS.has(agent);
  instance.companion.brain.note({
    type: 'usage.recorded',
    ...speaker,
    directory: instance.directory,
    agent,
    purpose: isInternal ? 'internal' : 'turn',
    tokens,
    cost: costOf(part.cost),
  });
}

/** An open request is one of the last. */
const RECENT_MESSAGES = 100;

/** One step per message; null without a response. Never rejects. */
export async function storedSteps(client: Client, session: string): Promise<readonly StoredStep[] | null> {
  const query = { limit: RECENT_MESSAGES };
  const answer = await quietly(() => client.session.messages({ path: { id: session }, query }));
  // The session is deleted.
  if (answer?.response?.status === 404) return [];
  return quietlyNow(() => answer?.data?.flatMap(({ info }) => (info.role === 'assistant' ? stepIn(info) : [])) ?? null);
}

function stepIn({ time, agent = '', tokens, cost, ...info }: AssistantInfo): StoredStep[] {
  const { created: at, completed: endedAt } = time ?? {};
  if (at === undefined) return [];
  return [{ model: refOf(info), agent, at, endedAt, tokens: tokensOf(tokens), cost: costOf(cost) }];
}

/** Usage of an aside counts for its parent session. */
function speakerOf(instance: Instance, info: AssistantInfo): Caller {
  const aside = instance.asides.has(info.sessionID) ? instance.parents.get(info.sessionID) : undefined;
  return { session: aside ?? info.sessionID, turn: info.parentID, agent: info.agent ?? '', model: refOf(info) };
}

export function countTool(instance: Instance, part: ToolPart): void {
  const writing = instance.writing.get(part.messageID);
  const end = toolEndOf(part);
  if (!writing || end === null || isGoOnCall(part.tool, part.state.input) || writing.counted.has(part.id)) return;
  writing.counted.add(part.id);
  noteToolEnd(instance.companion.brain, instance.toolEnds, speakerOf(instance, writing.info), end);
}

/** Null while it runs. */
function toolEndOf({ tool, state }: ToolPart): ToolEnd | null {
  const { status, input, output = '', error = '', metadata } = state;
  if (status === 'error') return metadata?.interrupted ? 'stopped' : toolEndIn(error);
  if (status !== 'completed') return null;
  // OpenCode runs an invalid call as this tool, which succeeds.
  if (tool === 'invalid') return toolEndIn(JSON.stringify(input ?? '')) === 'not_found' ? 'not_found' : 'validation';
  // A timed-out command has no exit code; its output ends with the reason.
  return metadata?.exit === null ? unendedIn(output.slice(-LAST_WORDS)) : 'worked';
}

function unendedIn(words: string): ToolEnd {
  const end = toolEndIn(/_metadata>\n(.+)/.exec(words)?.[1] ?? '');
  return end === 'timeout' || end === 'stopped' ? end : 'worked';
}
