import type { Brain } from '../../../plugin/base/brain';
import { type CommandReply, commandIn, isAsked, type Typed } from '../../../plugin/user/commands';
import type { CouncilCommands } from './commands';

/** Null for another command, or while a turn waits for an answer. Never rejects. */
export async function councilReply(
  commands: CouncilCommands,
  brain: Brain,
  typed: Typed,
): Promise<CommandReply | null> {
  const command = commandIn(typed.text);
  const text = command && (await replyTo(commands, brain, { ...typed, ...command }));
  return text === null ? null : { text, rejoining: null };
}

async function replyTo(
  commands: CouncilCommands,
  brain: Brain,
  { name, rest, session, directory }: Typed & Readonly<{ name: string; rest: string }>,
): Promise<string | null> {
  switch (name) {
    case 'council':
      return await commands.command(rest, session);
    case 'yes':
    case 'no':
      return isAsked(brain, { session, directory }) ? null : await commands.answer(name === 'yes', session);
    case 'retry':
      return rest === '' ? null : await commands.retry(rest, session);
    default:
      return null;
  }
}
