import { isAgentName, isModelRef } from '../../protocol';
import type { Complain, HostModels } from './sources';

const SHOWN = 40;

/** One name that is too long would make the app reject the whole project. */
export function soundHost(host: HostModels, complain: Complain): HostModels {
  const { models, defaultModel, others } = host;
  const agents = Object.entries(host.leads);
  const named = agents.filter(([name]) => isAgentName(name));
  const nameless = agents.find(([name]) => !isAgentName(name))?.[0];
  if (nameless !== undefined) {
    const count = agents.length - named.length;
    const others = count === 1 ? '' : ` and ${count - 1} more`;
    complain('host.wrong', ['agents'], `The agent ${shown(nameless)}${others} is skipped: its name is too long.`);
  }
  const isWrong = (lead: string | null): lead is string => lead !== null && !isModelRef(lead);
  const odd = named.find(([, lead]) => isWrong(lead));
  if (odd !== undefined) {
    const message = `OpenCode has ${shown(odd[1] ?? '')} as the model of ${odd[0]}, which is not a valid model: it is ignored.`;
    complain('host.wrong', ['agents', odd[0]], message);
  }
  return {
    ...host,
    leads: Object.fromEntries(named.map(([name, lead]) => [name, isWrong(lead) ? null : lead] as const)),
    defaultModel: isWrong(defaultModel) ? null : defaultModel,
    ...(others === undefined ? {} : { others: others.filter(isAgentName) }),
    ...(models === undefined ? {} : { models: models.filter(isModelRef) }),
  };
}

const shown = (text: string): string => JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
