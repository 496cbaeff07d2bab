import { countError } from '../../../core/base/internal-errors';
import { accountIn } from '../../../engine';
import { guarded } from '../../base/guarded';
import { COMMANDS } from '../../user/command-list';
import { elsewhereText, NO_ANSWER, type Rejoining, rejoinedText, runCommand, TRIAL } from '../../user/commands';
import { textOf } from '../request/own';
import { councils } from '../session/councils';
import { called, say } from '../session/host-calls';
import { type Instance, sessionOf } from '../session/instance';
import type { CommandCall } from '../session/types';

/** Limit of a test request, in ms. */
const TRIAL_LIMIT_MS = 60_000;

/** Adds our commands, if OpenCode accepts any. They call no model. */
export async function addCommands(instance: Instance): Promise<void> {
  const { command } = instance.context;
  if (typeof command?.transform !== 'function') return;
  await called(async () =>
    command.transform?.((editor) => {
      for (const [name, description] of Object.entries(COMMANDS))
        editor.add({
          name,
          description,
          execute: guarded(instance.voice.fail, `/${name}`, (call: CommandCall) => answer(instance, name, call), {
            count: countError,
          }),
        });
    }),
  );
}

/** Some versions pass the arguments, others the whole line. */
async function answer(instance: Instance, name: string, { sessionID, prompt }: CommandCall): Promise<void> {
  const { companion, directory } = instance;
  const rest = (prompt?.text ?? '').trim().replace(new RegExp(`^/${name}(?=\\s|$)`), '');
  await companion.refresh();
  const typed = { text: `/${name} ${rest}`.trim(), session: sessionID, directory };
  const reply = (await councils.reply(instance, companion.brain, typed)) ?? (await runCommand(companion, typed));
  if (reply === null) return;
  const { text, rejoining } = reply;
  await say(
    instance,
    sessionOf(instance, sessionID),
    rejoining ? await tried(instance, { session: sessionID, ...rejoining }, text) : text,
  );
}

/**
 * Tests the model of an agent that rejoined.
 * @returns the message for the user.
 */
async function tried(
  instance: Instance,
  { session, ...rejoining }: Rejoining & Readonly<{ session: string }>,
  text: string,
): Promise<string> {
  const { companion, directory } = instance;
  const { brain } = companion;
  const { agent, model } = rejoining;
  // OpenCode has no provider of that name, so a missing answer would show nothing about the model.
  if (accountIn(model) !== null) return elsewhereText(rejoining);
  if (typeof instance.context.generate?.text !== 'function') return text;
  const began = brain.now();
  const id = `${companion.instance}:${session}:trial:${began}`;
  // No hook runs for this request.
  const about = { attempt: id, turn: id, session, directory, agent, model, purpose: 'internal' } as const;
  brain.tell({ type: 'attempt.started', ...about });
  const answer = await textOf(instance, { model, asked: TRIAL, limitMs: TRIAL_LIMIT_MS });
  // OpenCode gives no reason for a missing text.
  if (answer === null) brain.tell({ type: 'attempt.aborted', attempt: id });
  else {
    const durationMs = brain.now() - began;
    const timing = { durationMs, firstTokenMs: durationMs, outputChars: answer.length };
    brain.tell({ type: 'attempt.succeeded', attempt: id, ...timing });
  }
  return rejoinedText(rejoining, answer === null ? NO_ANSWER : null);
}
