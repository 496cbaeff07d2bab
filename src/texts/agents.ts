import { part, plural } from './catalogue';

const turns = plural('turn', 'turns');

/** Availability of agents. Shares include their percent sign. */
export const agentTexts = part('agents', {
  available: (agent: string, percent: string, answered: number, decided: number, lower: string, upper: string) =>
    `${agent} is available for ${percent} of its turns: ${answered} of ${decided} were answered (95 % bounds ${lower} to ${upper}).`,
  noTurn: (agent: string) => `No turn of ${agent} has ended yet.`,
  unknown: (agent: string, others: string) =>
    `No turn of an agent called ${agent} is recorded in that time. ${others === '' ? 'No agent has any.' : `Agents with turns: ${others}.`}`,
  nobody: 'No agent has a turn in that time.',
  alone: (byLead: number, percent: string) => `Its primary alone answered ${byLead}: ${percent}.`,
  firstTry: (firstTry: number, percent: string) => `Answered without a failed request: ${firstTry}, ${percent}.`,
  noFallback: 'No turn used a fallback model.',
  fallbacks: (count: number, answered: number, percent: string) =>
    `Used a fallback model: ${turns(count)}, ${answered} answered, ${percent}.`,
  requests: (attempts: number, failures: number, retries: number) =>
    `Requests: ${attempts}, of which ${failures} failed and ${retries} were retries of the same model.`,
  waited: (time: string) => `Waited after failures: ${time} in total.`,
  kept: (since: string) => `Attempts are stored since ${since}; these figures exclude earlier ones.`,
  title: 'By agent',
  table: 'Figures of each agent',
  columns: {
    agent: 'Agent',
    turns: 'Turns',
    available: 'Available',
    alone: 'Primary alone',
    firstTry: 'First try',
    fallbacks: 'On fallback',
    waited: 'Waited',
  },
  recently: (percent: string, count: number) => `Available for ${percent} of ${turns(count)} in the last 7 days`,
});
