import type { Command } from 'commander';
import { answer } from '../../contract/contract';
import type { DrillResult } from '../../contract/drill';
import { drillRow } from '../../core/history/event-rows';
import { eventSentence } from '../../wording/event-words';
import { type CliParts, EXIT, type JsonOption, refuse, showLines } from '../parts';
import { withCore } from './core';

type Finish = (code: number) => void;

/** Adds the command that plays a failure through a running OpenCode. */
export function addDrill(program: Command, parts: CliParts, finish: Finish): void {
  program
    .command('drill')
    .description(
      'let OpenCode carry a made-up rate limit to the next model; no provider is asked that can be kept from it',
    )
    .argument('[agent]', 'whose chain is tried; without it OpenCode’s default')
    .option('--json', 'answer as JSON')
    .addHelpText(
      'after',
      '\nNeeds the app, and OpenCode open in this project. Ends with 0 when another model took over, else with 1. It takes\nas long as the agent’s policy waits, a minute at most.\n\nExamples:\n  understudy drill\n  understudy drill build --json',
    )
    .action(async (agent: string | undefined, options: JsonOption) => finish(await drill(parts, agent, options)));
}

async function drill(parts: CliParts, agent: string | undefined, options: JsonOption): Promise<number> {
  return await withCore(parts, options, async (host) => {
    const input = { directory: parts.directory, agent: agent ?? null };
    const reply = await answer(host.handlers, 'drill.run', input);
    if (!reply.ok) return refuse(parts, options, reply.reason, EXIT.noAnswer);
    // `answer` has checked the value against the contract.
    const result = reply.value as DrillResult;
    const words = `${eventSentence(drillRow(result))}.`;
    if (!result.ok && !options.json) return refuse(parts, options, words, EXIT.failed);
    showLines(parts, options, result, () => words);
    return result.ok ? EXIT.done : EXIT.failed;
  });
}
