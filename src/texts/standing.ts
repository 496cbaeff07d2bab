import { part } from './catalogue';

/** The state of agents, chains and models, in one sentence each. */
export const standingTexts = part('standing', {
  position: {
    lead: (of: number) => `primary, 1 of ${of}`,
    understudy: (position: number, of: number) => `${position} of ${of}, fallback model`,
    spread: (position: number, of: number) => `${position} of ${of}, the same model`,
  },
  /** The turns of an agent without a problem. */
  agent: {
    oneModel: 'One model: if it fails, work stops',
    firstTurn: 'First turn in progress',
    idle: 'Idle, chain ready',
    onPrimary: (turns: string) => `${turns}, all on the primary`,
    switched: (turns: string, switches: string) => `${turns}, ${switches}`,
  },
  home: {
    needsYou: (lead: string) => `${lead} needs you: fix its problem, then reset it`,
    next: 'Returns with the next message',
    spread: 'Returns once this account is no longer emptier',
    ready: 'Returns when it is ready again',
  },
  caution: {
    oneModel: (agent: string) => `${agent} has one model. If it fails, work stops.`,
    sharedFate: (count: number, provider: string) =>
      `Shared fate: ${count === 2 ? 'both' : `all ${count}`} models use ${provider}.`,
  },
  models: {
    ready: (count: number) => `${count} ready`,
    toLookAt: (count: number) => `${count} to check`,
    unseen: (count: number) => `${count} not used yet`,
    order: 'Worst first, then busiest.',
  },
  stale: {
    title: 'This view lost its connection to Understudy.',
    lede: (at: string) =>
      `You see the state as of ${at}. It reconnects when the panel runs again: "understudy panel" starts it.`,
  },
});
