import { COMMANDS, runCommand } from '../commands';
import { guarded } from '../guarded';
import { called, say } from './host-calls';
import { type Instance, sessionOf } from './instance';
import type { CommandCall } from './types';

/** Adds our commands to OpenCode's, where it lets plugins add any. They ask no model. */
export async function addCommands(instance: Instance): Promise<void> {
  const { command } = instance.context;
  if (typeof command?.transform !== 'function') return;
  await called(async () =>
    command.transform?.((editor) => {
      for (const [name, description] of Object.entries(COMMANDS))
        editor.add({
          name,
          description,
          execute: guarded(instance.voice.fail, `/${name}`, (call: CommandCall) => answer(instance, name, call)),
        });
    }),
  );
}

/** Some versions hand over what stands behind the command, some the whole line. */
async function answer(instance: Instance, name: string, { sessionID, prompt }: CommandCall): Promise<void> {
  const { companion, directory } = instance;
  const rest = (prompt?.text ?? '').trim().replace(new RegExp(`^/${name}(?=\\s|$)`), '');
  await companion.refresh();
  const reply = runCommand(companion, { text: `/${name} ${rest}`.trim(), session: sessionID, directory });
  if (reply !== null) await say(instance, sessionOf(instance, sessionID), reply.text);
}
