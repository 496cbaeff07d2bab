import { INTERNAL_AGENTS } from '../../../contract/opencode-agents';
import { CONTINUED_FINISHES } from '../../../node/base/opencode-finish';
import { type CommandReply, isCommand, runCommand, type Typed } from '../../user/commands';
import type { GuardedRequest } from '../memory/guarded-request';
import { beginTurn, type Instance, turnKey, turnsIn } from '../memory/instance';
import { becomeCommand, endContinued, homeIn, namedIn, type TurnMemory } from '../memory/turn-memory';
import type { ChatMessageOutput, HistoryMessage, Part } from '../memory/types';
import { rejoinedSentence } from './rejoin';

/** OpenCode signs the reply with the session's model. */
const HEAD = 'Understudy: ';
const TITLE = 'Understudy';

/**
 * Runs a command at once. No model sees the message; its own turn shows the reply, or its text while another turn
 * runs.
 * @returns true for a command.
 */
export async function takeCommand(
  instance: Instance,
  { message, parts }: ChatMessageOutput,
  councilReply: (typed: Typed) => Promise<CommandReply | null>,
): Promise<boolean> {
  const text = parts.find(isSaid);
  const { sessionID: session } = message;
  const { directory } = instance;
  // A sub-agent's messages come from a model.
  const isUsers = text !== undefined && !instance.parents.has(session);
  const typed = { text: text?.text ?? '', session, directory };
  const { companion } = instance;
  const reply = isUsers && ((await councilReply(typed)) ?? (await runCommand(companion, typed)));
  if (!text || !reply) return false;
  for (const part of parts) if (part.type === 'text') part.ignored = true;
  const under = instance.working.has(session) ? turnUnder(instance, message.id, session) : undefined;
  if (under?.user) {
    const { model, agent, system, tools } = under.user;
    Object.assign(message, { model, agent, ...(system ? { system } : {}), ...(tools ? { tools } : {}) });
    text.text += `\n\n${reply.text}`;
  }
  const turn = beginTurn(instance, message, (under && homeIn(under)) ?? namedIn(message));
  becomeCommand(turn, { reply: HEAD + reply.text, rejoining: reply.rejoining, under });
  return true;
}

const isSaid = ({ type, synthetic }: Part): boolean => type === 'text' && synthetic !== true;

const turnUnder = (instance: Instance, command: string, session: string): TurnMemory | undefined =>
  turnsIn(instance, session).findLast(({ message, reply, continues }) => message < command && (!reply || continues));

/**
 * Tries the model of an agent that just came back.
 * @throws the user's reason for a stop.
 */
export async function replyIn(
  { instance, session, reply = '', rejoining }: GuardedRequest,
  signal: AbortSignal | null,
): Promise<string> {
  return rejoining ? HEAD + (await rejoinedSentence({ instance, session, signal }, rejoining)) : reply;
}

/** Null for other requests. */
export function replyFor({ reply, continues }: TurnMemory, agent: string): string | null {
  if (reply === null || continues !== null) return null;
  return INTERNAL_AGENTS.has(agent) ? TITLE : reply;
}

/** Changes the array. A command that is being answered stands alone. */
export function hideCommands(instance: Instance, messages: HistoryMessage[]): void {
  const commands = new Set(messages.filter(isOurs).map(({ info }) => info.id));
  if (commands.size === 0) return;
  const last = messages.findLast(({ info }) => info.role === 'user');
  const ownMessages = messages.filter((message) => !commands.has(message.info.id) && !isReply(message, commands));
  const turn = last && instance.turns.get(turnKey(last.info.sessionID, last.info.id));
  // The command came as a turn ended: nothing is left to continue.
  if (turn?.continues && !isUnfinished(ownMessages.at(-1))) endContinued(turn);
  // After its reply, this is the history of something else: a compaction.
  const isAnswered = turn?.reply != null && turn.continues === null && !turn.isReplied && last === messages.at(-1);
  const alone =
    isAnswered && last
      ? [{ info: last.info, parts: last.parts.map((part) => ({ ...part, ignored: false })) }]
      : ownMessages;
  messages.splice(0, messages.length, ...alone);
}

const isOurs = ({ info, parts }: HistoryMessage): boolean =>
  info.role === 'user' && parts.some((part) => isSaid(part) && part.ignored === true && isCommand(part.text ?? ''));

const isReply = ({ info, parts }: HistoryMessage, commands: ReadonlySet<string>): boolean =>
  info.role === 'assistant' && commands.has(info.parentID) && (parts.find(isSaid)?.text?.startsWith(HEAD) ?? false);

function isUnfinished(message: HistoryMessage | undefined): boolean {
  if (!message || message.info.role === 'user') return message !== undefined;
  const { error, finish } = message.info;
  return !error && (finish === undefined || CONTINUED_FINISHES.has(finish));
}
