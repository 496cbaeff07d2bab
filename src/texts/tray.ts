import { part } from './catalogue';

/** Tooltip and menu of the tray icon. Labels are short, as menus truncate longer ones. */
export const trayTexts = part('tray', {
  tooltip: {
    waiting: 'Waiting for OpenCode',
    cooling: (count: number, of: number) => `${count} of ${of} cooling`,
    primary: (agent: string, model: string) => `${agent}: ${model} (primary)`,
    running: (agent: string, model: string, at: string) => `${agent}: ${model}, running since ${at}`,
    others: (text: string, count: number) => `${text}; ${count} more`,
    armed: 'Ready: chains are active',
    unarmed: 'Connected, but no chain is set',
  },
  place: (position: number, of: number) => `${position} of ${of}`,
  primary: 'primary',
  backAt: (at: string) => `primary ~${at}`,
  running: 'running',
  stopped: 'stopped',
  needsYou: 'needs you',
  /** Problems that the user has to fix, by the reason of a model's state. */
  needs: {
    auth: 'API key rejected',
    login: 'login expired',
    permission: 'no access',
    model_not_found: 'not available',
    quota: 'no credit left',
    network_permanent: 'certificate or proxy refused',
    other: 'provider refuses requests',
  },
  more: (count: number) => `More… (${count})`,
  needYou: (count: number) => `${count} ${count === 1 ? 'needs' : 'need'} you`,
  models: (counts: string) => `Models: ${counts}`,
  noModels: 'Models: none yet',
  last: (at: string, what: string) => `Last ${at}: ${what}`,
  moved: (agent: string, from: string, to: string, why: string) => `${agent} ${from} → ${to}${why && ` (${why})`}`,
  /** The reason of a switch without a failure. */
  beforeLimit: 'before a limit',
  emptier: (agent: string, account: string) => `${agent} uses ${account} (emptier)`,
  /** Shorter than elsewhere. */
  headroom: {
    full: (at: string) => `full ~${at}`,
    refused: 'refused',
  },
  drill: (at: string, isPassed: boolean) =>
    `Drill at ${at}: ${isPassed ? 'another model took over' : 'no model took over'}`,
  agent: {
    fix: 'Fix…',
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
  /** The text beside the icon in the menu bar of macOS. */
  title: {
    heading: 'Text in the menu bar',
    choices: {
      off: 'None',
      model: 'Model',
      minutes: 'Model, and minutes until the primary is back',
      headroom: 'Usage of the fullest plan',
    },
  },
  open: 'Open Understudy',
  settings: 'Settings…',
  quit: 'Quit',
  /** The message after a refused action of the menu. */
  refused: { title: 'This action was refused.', close: 'Close' },
  notice: {
    name: 'About the icon',
    absent: 'This desktop shows no tray icons, so closing this window only minimizes it. Close it again to quit.',
    hidden:
      'The icon in the menu bar is hidden. Allow Understudy in System Settings, Menu Bar, or make room for it there.',
    dismiss: 'Dismiss',
  },
});
