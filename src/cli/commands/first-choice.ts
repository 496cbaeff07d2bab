import { keepAnswered, planFirstChoice } from '../../node/config/first-choice';
import { choiceWords } from '../../wording/choice-words';
import { paintDiff, painter } from '../paint';
import { type CliParts, EXIT } from '../parts';
import { setupPlace } from './place';
import { type WriteOptions, writeShown } from './write';

/** Asks once, on a terminal, for the behaviour of the published designs, and writes it. @returns the exit code. */
export async function askFirstChoice(parts: CliParts, { yes, json }: WriteOptions): Promise<number> {
  if (!parts.isTerminal || yes || json) return EXIT.done;
  const place = setupPlace(parts);
  const plan = await planFirstChoice(place, 'cli');
  if (plan === null) return EXIT.done;
  const words = choiceWords(plan.path);
  const differences = words.differences.map(({ when, here, there }) => `- ${when}: ${here}. There, ${there}.`);
  const diff = paintDiff(plan.diff, painter(parts.hasColour));
  parts.print(['', words.explained, ...differences, words.change, '', diff].join('\n'));
  const isWanted = await parts.ask(`Write this to ${plan.path}? No keeps Understudy’s behaviour.`);
  const code = isWanted ? await writeShown(parts, plan) : EXIT.done;
  if (code !== EXIT.done) return code;
  const written = await keepAnswered(place);
  if (!written.ok) parts.printError(written.reason);
  else if (!isWanted) parts.print(words.kept);
  return EXIT.done;
}
