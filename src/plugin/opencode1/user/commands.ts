import { INTERNAL_AGENTS } from '../../../contract/opencode-agents';
import { CONTINUED_FINISHES } from '../../../node/base/opencode-finish';
import { type CommandReply, isCommand, runCommand, type Typed } from '../../user/commands';
import type { GuardedRequest } from '../memory/guarded-request';
import { beginTurn, type Instance, turnKey, turnsIn } from '../memory/instance';
import { becomeCommand, endContinued, homeIn, namedIn, type TurnMemory } from '../memory/turn-memory';
import type { ChatMessageOutput, HistoryMessage, Part } from '../memory/types';
import { rejoinedSentence } from './rejoin';

/** How each reply of ours begins: OpenCode signs it with the model of the session. */
const HEAD = 'Understudy: ';
const TITLE = 'Understudy';

/**
 * In `chat.message`: carries a command out at once, also while its session works. The message stays, marked so that no
 * model is shown it; what it says is answered in its own turn, or in its text when another turn is under way.
 *
 * @returns whether the message is a command.
 */
export async function takeCommand(
  instance: Instance,
  { message, parts }: ChatMessageOutput,
  councilReply: (typed: Typed) => Promise<CommandReply | null>,
): Promise<boolean> {
  const text = parts.find(isSaid);
  const { sessionID: session } = message;
  const { directory } = instance;
  // What a sub-agent is told is a model's word, not the user's.
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
 * What the user is told in place of a model's answer: where an agent has just come back, the model it was left out for is
 * asked at once, and what came of it is told. @throws the user's reason when they stop it meanwhile.
 */
export async function replyIn(
  { instance, session, reply = '', rejoining }: GuardedRequest,
  signal: AbortSignal | null,
): Promise<string> {
  return rejoining ? HEAD + (await rejoinedSentence({ instance, session, signal }, rejoining)) : reply;
}

/** What a request gets in place of a model's answer: commands call no model. Null for any other request. */
export function replyFor({ reply, continues }: TurnMemory, agent: string): string | null {
  if (reply === null || continues !== null) return null;
  return INTERNAL_AGENTS.has(agent) ? TITLE : reply;
}

/**
 * A history is about to be sent: takes commands and their replies out of it, in place. The command that is being answered
 * stands alone.
 */
export function hideCommands(instance: Instance, messages: HistoryMessage[]): void {
  const commands = new Set(messages.filter(isOurs).map(({ info }) => info.id));
  if (commands.size === 0) return;
  const last = messages.findLast(({ info }) => info.role === 'user');
  const kept = messages.filter((message) => !commands.has(message.info.id) && !isReply(message, commands));
  const turn = last && instance.turns.get(turnKey(last.info.sessionID, last.info.id));
  // It came as a turn ended: nothing is left to go on with.
  if (turn?.continues && !isUnfinished(kept.at(-1))) endContinued(turn);
  // Once it has been answered, this is the history of something else: of a compaction.
  const isAnswered = turn?.reply != null && turn.continues === null && !turn.isReplied && last === messages.at(-1);
  const alone =
    isAnswered && last ? [{ info: last.info, parts: last.parts.map((part) => ({ ...part, ignored: false })) }] : kept;
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
