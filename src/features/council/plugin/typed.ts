import type { Brain } from '../../../plugin/base/brain';
import { type CommandReply, commandIn, isAsked, type Typed } from '../../../plugin/user/commands';
import type { CouncilDesk } from './desk';

/** The answer to a command of a council, without any model; null for a command of another kind, or while a turn waits for an answer. Never rejects. */
export async function councilReply(desk: CouncilDesk, brain: Brain, typed: Typed): Promise<CommandReply | null> {
  const command = commandIn(typed.text);
  const text = command && (await replyTo(desk, brain, { ...typed, ...command }));
  return text === null ? null : { text, rejoining: null };
}

async function replyTo(
  desk: CouncilDesk,
  brain: Brain,
  { name, rest, session, directory }: Typed & Readonly<{ name: string; rest: string }>,
): Promise<string | null> {
  switch (name) {
    case 'council':
      return await desk.command(rest, session);
    case 'yes':
    case 'no':
      return isAsked(brain, { session, directory }) ? null : await desk.answer(name === 'yes', session);
    case 'retry':
      return rest === '' ? null : await desk.retry(rest, session);
    default:
      return null;
  }
}
