import { isAppointed } from '../../../node/base/council-runs';
import type { Brain } from '../../../plugin/base/brain';
import { loadPart, missingPart } from '../../../plugin/base/part';
import type { CommandReply, Typed } from '../../../plugin/user/commands';
import type { CouncilCommands } from './commands';
import { councilReply } from './typed';

type CouncilPart<Instance> = Readonly<{
  commandsOf(instance: Instance): CouncilCommands;
  playIn(instance: Instance): Promise<void>;
  leavePlayed(directory: string): Promise<void>;
}>;

type Asking = Readonly<{ voice: Readonly<{ warn(message: string): void }> }>;

export type LaterCouncil<Instance> = Readonly<{
  /** Null for another command. Never rejects. */
  reply(instance: Instance, brain: Brain, typed: Typed): Promise<CommandReply | null>;
  /** Never rejects. */
  playAppointed(instance: Instance): Promise<void>;
  leave(directory: string): Promise<void>;
}>;

export function laterCouncil<Instance extends Asking>(
  load: () => Promise<CouncilPart<Instance>>,
): LaterCouncil<Instance> {
  let loading: Promise<CouncilPart<Instance> | null> | null = null;
  const part = (warn: (message: string) => void): Promise<CouncilPart<Instance> | null> => {
    loading ??= loadPart('councils', load, warn);
    return loading;
  };
  return {
    reply(instance, brain, typed) {
      const commands = async (): Promise<CouncilCommands | undefined> =>
        (await part(instance.voice.warn))?.commandsOf(instance);
      const later: CouncilCommands = {
        command: async (words, session) => (await commands())?.command(words, session) ?? missingPart('councils'),
        answer: async (yes, session) => (await commands())?.answer(yes, session) ?? null,
        retry: async (name, session) => (await commands())?.retry(name, session) ?? null,
      };
      return councilReply(later, brain, typed);
    },
    async playAppointed(instance) {
      if (isAppointed()) await (await part(instance.voice.warn))?.playIn(instance);
    },
    async leave(directory) {
      await (await loading)?.leavePlayed(directory);
    },
  };
}
