import { classify } from '../../../engine';
import { kindPhrase } from '../../../wording/wording';
import { NO_ANSWER, type Rejoining, rejoinedText, TRIAL, untriedText } from '../../user/commands';
import { type AsideFor, askAside } from '../memory/aside';
import type { Aside, Instance } from '../memory/instance';
import { throwIfStopped } from '../memory/stop';

/** @throws the user's reason for a stop. */
export async function rejoinedSentence(
  { instance, session, signal }: Omit<AsideFor, 'agent'>,
  rejoining: Rejoining,
): Promise<string> {
  const { agent, model } = rejoining;
  const aside: Aside = { system: TRIAL.system, isAsked: false, evidence: null };
  const text = await askAside({ instance, session, signal, agent }, { model, asked: TRIAL, aside });
  throwIfStopped(signal);
  if (text === undefined) return untriedText(rejoining);
  return rejoinedText(rejoining, text === null ? whyOf(instance, rejoining, aside) : null);
}

function whyOf({ companion }: Instance, met: Rejoining, { evidence }: Aside): string {
  if (evidence === null) return NO_ANSWER;
  const { kind, status } = classify(companion.named(met, evidence));
  return kindPhrase(kind, status);
}
