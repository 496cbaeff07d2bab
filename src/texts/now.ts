import { part } from './catalogue';

export const nowTexts = part('now', {
  session: {
    live: 'live',
    noAgent: 'No agent has spoken in it yet.',
  },
  none: {
    nextStep: 'Next step',
    title: 'No session is known yet.',
    text: 'Start OpenCode in a project whose configuration loads the companion plugin. It needs no restart of this panel: the session appears here with its first turn.',
    found: (version: string) => `OpenCode ${version} found, not connected.`,
    /** `file` is the name of the one that gets the line; empty where there is none yet. */
    foundText: (file: string) =>
      `Connecting adds one line to ${file || 'its configuration'}. You see it before it is written.`,
    named: (version: string) => `OpenCode ${version} found, and its configuration names the companion.`,
    namedText: 'Start OpenCode, or start it again: the companion comes with it, and this page shows it by itself.',
    absent: 'OpenCode was not found on this computer.',
    absentText: 'Install it, then connect it here.',
    connect: 'Connect OpenCode…',
    addUnderstudy: 'Add a fallback model.',
    propose: 'See proposed chains…',
  },
  /** Which agents go on when their primary fails. */
  map: {
    title: 'Protection',
    caption: 'equal chains share a row',
    all: 'Edit chains',
    columns: { agent: 'Agent', primary: 'Primary', fallback: 'Fallback models, in order', protection: 'Protection' },
    /** An agent of which nobody knows the model. */
    unknown: 'not known yet',
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
      away: (position: number, of: number) => `On ${position} of ${of}`,
    },
  },
  ribbons: {
    title: 'Models, last 24 hours',
    /** `left` of them are not among those below. */
    caption: (ready: number, of: number, left: number) =>
      `${ready} ready of ${of}${left > 0 ? `; ${left} more in the view of models` : ''}`,
    all: 'All models',
    none: 'No model is known yet. Models appear with a chain, or with their first call.',
    now: 'now',
  },
  events: {
    title: 'Last events',
    all: 'All events',
    none: 'Nothing has happened yet. The first turn writes the first line.',
  },
  agent: {
    subAgent: 'sub-agent',
    from: (at: string) => `from ${at}`,
    why: 'Why?',
    whyOn: (agent: string, model: string) => `Why is ${agent} on ${model}?`,
    bringBack: 'Bring back',
    letGo: 'Unpin',
    hold: 'Pin here',
    held: (agent: string, model: string) => `${agent} stays on ${model} for 30 min.`,
    mend: 'Fix',
    mendModel: (model: string) => `Fix ${model}`,
    addOne: 'Add one',
    addTo: (agent: string) => `Add a fallback model for ${agent}`,
    noDecision: 'No decision about it is remembered.',
    firstBack: 'First back',
    returns: 'Returns',
    ends: 'Until',
    /** A position of the chain, for who cannot see its glyph. */
    place: (position: number, state: string, isActive: boolean) => `${position}: ${state}${isActive ? ', active' : ''}`,
  },
  pause: {
    paused: 'Switching paused.',
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
    unanswered: 'then left out',
    yes: 'Yes',
    no: 'No',
  },
});
