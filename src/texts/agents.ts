import { part, plural } from './catalogue';

const turns = plural('turn', 'turns');

/** How available an agent is. Shares come as text with their sign. */
export const agentTexts = part('agents', {
  available: (agent: string, percent: string, answered: number, decided: number, lower: string, upper: string) =>
    `${agent} is available for ${percent} of its turns: ${answered} of ${decided} were answered (95 % bounds ${lower} to ${upper}).`,
  noTurn: (agent: string) => `No turn of ${agent} has ended yet.`,
  unknown: (agent: string, known: string) =>
    `No turn of an agent called ${agent} is recorded in that time. ${known === '' ? 'No agent has any.' : `Agents with turns: ${known}.`}`,
  nobody: 'No agent has had a turn in that time.',
  alone: (byLead: number, percent: string) => `Its primary alone answered ${byLead}: ${percent}.`,
  firstTry: (firstTry: number, percent: string) => `Without any failed request: ${firstTry}, ${percent}.`,
  noFallback: 'No turn left its primary.',
  fallbacks: (count: number, answered: number, percent: string) =>
    `Taken on by another model: ${turns(count)}, of which ${answered} ended in an answer, ${percent}.`,
  requests: (attempts: number, failures: number, retries: number) =>
    `Requests: ${attempts}, of which ${failures} failed and ${retries} tried the same model again.`,
  waited: (time: string) => `After failures, nobody was asked for ${time} in all.`,
  kept: (since: string) => `Single attempts are kept since ${since}: what agents did before is not in these figures.`,
  title: 'By agent',
  table: 'Figures of each agent',
  columns: {
    agent: 'Agent',
    turns: 'Turns',
    available: 'Available',
    alone: 'Primary alone',
    firstTry: 'First try',
    fallbacks: 'Taken on',
    waited: 'Waited',
  },
  recently: (percent: string, count: number) => `Available for ${percent} of ${turns(count)} in the last 7 days`,
});
