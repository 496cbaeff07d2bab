import { part } from './catalogue';

export const nowTexts = part('now', {
  session: {
    live: 'live',
    noAgent: 'No agent has run yet.',
  },
  none: {
    nextStep: 'Next step',
    title: 'No session yet.',
    text: 'Open a project in OpenCode. It appears here with its first message.',
    found: (version: string) => `OpenCode ${version} found, not connected.`,
    /** `file` is the name of the file that gets the line; empty if it does not exist yet. */
    foundText: (file: string) =>
      `Connecting adds one line to ${file || 'its configuration'}. You see it before it is written.`,
    named: (version: string) => `OpenCode ${version} found; the companion is installed.`,
    namedText: 'Start or restart OpenCode. This page then shows it.',
    absent: 'OpenCode was not found on this computer.',
    absentText: 'Install it, then connect it here.',
    connect: 'Connect OpenCode…',
    addUnderstudy: 'Add a fallback model.',
    propose: 'See proposed chains…',
  },
  map: {
    title: 'Protection',
    caption: 'equal chains share a row',
    all: 'Edit chains',
    columns: { agent: 'Agent', primary: 'Primary', fallback: 'Fallback models, in order', protection: 'Protection' },
    /** The model of an agent is unknown. */
    unknown: 'unknown',
    none: 'none',
    more: (count: number) => `+${count}`,
    state: (state: string, isActive: boolean) => `, ${state}${isActive ? ', active' : ''}`,
    standing: {
      protected: 'Protected',
      question: 'Waits for you',
      spent: 'Budget spent',
      stopped: 'Stopped',
      unprotected: 'No fallback',
      off: 'Fallback off',
      paused: 'Paused',
      unable: 'No model now',
      lastLeft: 'One model left',
      pinned: 'Pinned',
      away: (position: number, of: number) => `Model ${position} of ${of}`,
    },
  },
  ribbons: {
    title: 'Models, last 24 hours',
    /** `left` models are not shown below. */
    caption: (ready: number, of: number, left: number) =>
      `${ready} of ${of} ready${left > 0 ? `; ${left} more under Models` : ''}`,
    all: 'All models',
    none: 'No models yet. They appear with a chain or with their first call.',
    now: 'now',
  },
  events: {
    title: 'Last events',
    all: 'All events',
    none: 'No events yet. The first turn adds the first one.',
  },
  agent: {
    subAgent: 'sub-agent',
    from: (at: string) => `from ${at}`,
    why: 'Why?',
    whyOn: (agent: string, model: string) => `Why does ${agent} use ${model}?`,
    bringBack: 'Bring back',
    letGo: 'Unpin',
    hold: 'Pin here',
    held: (agent: string, model: string) => `${agent} stays on ${model} for 30 min.`,
    mend: 'Fix',
    mendModel: (model: string) => `Fix ${model}`,
    addOne: 'Add one',
    addTo: (agent: string) => `Add a fallback model for ${agent}`,
    noDecision: 'No decision about it is stored.',
    firstBack: 'First back',
    returns: 'Returns',
    ends: 'Until',
    /** The accessible name of a position of the chain. */
    place: (position: number, state: string, isActive: boolean) => `${position}: ${state}${isActive ? ', active' : ''}`,
  },
  pause: {
    paused: 'Switching is paused.',
    isPaused: 'Paused',
    isPausedUntil: (at: string) => `Paused until ${at}`,
    resume: 'Resume',
    ask: 'Pause…',
    title: 'Pause all switching?',
    action: 'Pause',
    consequence:
      'The next message of each agent goes to its primary, available or not. When a model fails, work stops.',
    howLong: 'How long',
    times: { quarter: 'For 15 minutes', hour: 'For 1 hour', open: 'Until I resume it' },
  },
  question: {
    yesSaid: (agent: string) => `${agent} continues, as you chose.`,
    noSaid: (agent: string) => `${agent} is paused in this session, as you chose.`,
    more: (questions: string) => ` ${questions} more.`,
    unanswered: 'then paused',
    yes: 'Yes',
    no: 'No',
  },
});
