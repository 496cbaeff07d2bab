import { kindPhrase, shortName } from '../../contract';
import { classify } from '../../engine';
import type { Rejoining } from '../commands';
import { type AsideFor, askAside } from './aside';
import type { Aside } from './instance';
import { throwIfStopped } from './stop';

/** The smallest request: without OpenCode's instructions, tools and history. */
const ASKED = { system: 'You are asked whether you can answer.', text: 'Reply with the single word OK.' };

/**
 * Asks the model that an agent was left out for, once and for real. @returns what to tell the user.
 * @throws the user's reason when they stop it meanwhile.
 */
export async function rejoinedSentence(
  { instance, session, signal }: Omit<AsideFor, 'agent'>,
  { agent, model }: Rejoining,
): Promise<string> {
  const aside: Aside = { system: ASKED.system, isAsked: false, evidence: null };
  const text = await askAside({ instance, session, signal, agent }, { model, asked: ASKED, aside });
  throwIfStopped(signal);
  const name = shortName(model);
  if (text !== null) return `${agent} has rejoined this session: ${name} answers.`;
  return `${agent} is back in this session, but ${name} is still unavailable: ${whyOf(aside)}. You are asked again before another model speaks for it.`;
}

function whyOf({ evidence }: Aside): string {
  if (evidence === null) return 'it gave no answer';
  const { kind, status } = classify(evidence);
  return kindPhrase(kind, status);
}
