import { loadPart } from '../../base/part';
import { TUI_HELLO, TUI_STATUS } from '../../tui/messages';
import type { Instance } from '../memory/instance';

/** Batches changes, and delays no request. */
const TELL_AFTER_MS = 100;

/** Sends nothing until the terminal part requests it. */
export type TuiLink = Readonly<{
  hear(command: string | undefined): void;
  close(): void;
}>;

export function openTuiLink({
  companion,
  client,
  directory,
  voice,
}: Pick<Instance, 'companion' | 'client' | 'directory' | 'voice'>): TuiLink {
  const { brain } = companion;
  let isWanted = false;
  let lastCommand = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = async (): Promise<void> => {
    timer = undefined;
    const part = await loadPart('status lines', () => import('../../user/status-part'), voice.warn);
    if (part === null) return;
    const command = TUI_STATUS + JSON.stringify(part.tuiStatus(directory, companion));
    if (command === lastCommand) return;
    lastCommand = command;
    await client.tui.publish({ body: { type: 'tui.command.execute', properties: { command } } });
  };
  const tellSoon = (): void => {
    // silent: OpenCode may refuse, and the line stays as it was
    if (isWanted) timer ??= setTimeout(() => void tell().catch(() => undefined), TELL_AFTER_MS).unref();
  };
  // Usage is noted after the step.
  const stops = [brain.onStep(tellSoon), brain.onEntry(tellSoon)];
  return {
    hear(command) {
      if (command !== TUI_HELLO) return;
      isWanted = true;
      lastCommand = '';
      tellSoon();
    },
    close() {
      for (const stop of stops) stop();
      clearTimeout(timer);
    },
  };
}
