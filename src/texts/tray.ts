import { part } from './catalogue';

/** The icon in the bar: what it says when pointed at, and its menu. Labels are short: a menu cuts what is longer. */
export const trayTexts = part('tray', {
  tooltip: {
    waiting: 'Waiting for OpenCode',
    cooling: (count: number, of: number) => `${count} of ${of} cooling`,
    primary: (agent: string, model: string) => `${agent}: ${model} (primary)`,
    running: (agent: string, model: string, at: string) => `${agent}: ${model}, running since ${at}`,
    others: (said: string, count: number) => `${said}; ${count} more`,
    armed: 'Ready: chains are armed',
    unarmed: 'Connected, but no chain is set',
  },
  place: (position: number, of: number) => `${position} of ${of}`,
  primary: 'primary',
  backAt: (at: string) => `primary ~${at}`,
  running: 'running',
  stopped: 'stopped',
  needsYou: 'needs you',
  /** What a person has to mend, by the reason of a model's state. */
  needs: {
    auth: 'API key rejected',
    login: 'login expired',
    permission: 'no access',
    model_not_found: 'not available',
    quota: 'no credit left',
    network_permanent: 'certificate or proxy refused',
    other: 'its provider refuses',
  },
  more: (count: number) => `More… (${count})`,
  needYou: (count: number) => `${count} ${count === 1 ? 'needs' : 'need'} you`,
  models: (counts: string) => `Models: ${counts}`,
  noModels: 'Models: none known yet',
  last: (at: string, what: string) => `Last ${at}: ${what}`,
  moved: (agent: string, from: string, to: string, why: string) => `${agent} ${from} → ${to}${why && ` (${why})`}`,
  /** Why an agent was moved that no failure has moved. */
  beforeLimit: 'before a limit',
  emptier: (agent: string, account: string) => `${agent} uses ${account} (emptier)`,
  /** Beside how full a limit is, in fewer words than elsewhere. */
  headroom: {
    full: (at: string) => `full ~${at}`,
    refused: 'refused',
  },
  drill: (at: string, isPassed: boolean) =>
    `Drill at ${at}: ${isPassed ? 'another model took over' : 'nobody took over'}`,
  agent: {
    fix: 'Open fix…',
    probe: (price: string) => `Probe primary now${price && ` (about ${price})`}`,
    reset: 'Reset primary',
    hold: 'Pin here 30 min',
    letGo: (until: string) => `Unpin (pinned here${until && ` until ${until}`})`,
    endHold: (until: string) => `End hold of primary${until && ` (until ${until})`}`,
    openChain: 'Open chain…',
  },
  pause: {
    title: 'Pause automatic fallback',
    quarter: '15 min',
    hour: '1 h',
    open: 'Until resumed',
    resume: (until: string) => `Resume automatic fallback${until && ` (until ${until})`}`,
  },
  mute: {
    title: 'Mute notifications',
    hour: '1 h',
    today: 'Today',
    end: (until: string) => `Unmute notifications (until ${until})`,
  },
  exports: {
    title: 'Export last scorecard',
    dialog: 'Save scorecard',
  },
  /** The choice of what stands beside the icon in the menu bar of macOS. */
  title: {
    heading: 'Text in the menu bar',
    choices: {
      off: 'None',
      model: 'The model',
      minutes: 'The model, and the minutes until its primary is back',
      headroom: 'How full the fullest plan is',
    },
  },
  open: 'Open Understudy',
  settings: 'Settings…',
  quit: 'Quit',
  /** Said when something chosen in the menu was not done. */
  refused: { title: 'This was not done.', close: 'Close' },
  notice: {
    name: 'About the icon',
    absent: 'This desktop shows no tray icons, so closing this window only minimizes it. Close it once more to quit.',
    hidden:
      'The icon in the menu bar is hidden. Allow Understudy in System Settings, Menu Bar, or make room for it there.',
    dismiss: 'Understood',
  },
});
