import { isAppointed } from '../../../node/base/council-runs';
import type { Brain } from '../../../plugin/base/brain';
import { loadPart, missingPart } from '../../../plugin/base/part';
import type { CommandReply, Typed } from '../../../plugin/user/commands';
import type { CouncilDesk } from './desk';
import { councilReply } from './typed';

/** The council's part of the companion, as a generation of OpenCode uses it. */
type CouncilPart<Instance> = Readonly<{
  deskOf(instance: Instance): CouncilDesk;
  playIn(instance: Instance): Promise<void>;
  leavePlayed(directory: string): Promise<void>;
}>;

type Asking = Readonly<{ voice: Readonly<{ warn(message: string): void }> }>;

export type LaterCouncil<Instance> = Readonly<{
  /** The answer to a command of a council; null for another command. Never rejects. */
  reply(instance: Instance, brain: Brain, typed: Typed): Promise<CommandReply | null>;
  /** Plays the run that this OpenCode was started for, if there is one. Never rejects. */
  playAppointed(instance: Instance): Promise<void>;
  /** Lets go of the runs of a directory that OpenCode closes. */
  leave(directory: string): Promise<void>;
}>;

/** The same, loaded when somebody calls a council or this OpenCode was started for one. */
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
      const desk = async (): Promise<CouncilDesk | undefined> => (await part(instance.voice.warn))?.deskOf(instance);
      const later: CouncilDesk = {
        command: async (words, session) => (await desk())?.command(words, session) ?? missingPart('councils'),
        answer: async (yes, session) => (await desk())?.answer(yes, session) ?? null,
        retry: async (name, session) => (await desk())?.retry(name, session) ?? null,
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
