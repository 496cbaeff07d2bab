import { part } from './catalogue';

/** The frame around every view, and shared texts. */
export const shellTexts = part('shell', {
  views: {
    now: 'Now',
    chains: 'Chains',
    models: 'Models',
    sessions: 'Sessions',
    usage: 'Usage',
    events: 'All events',
    headroom: 'Limits',
    ranking: 'Suggest',
    council: 'Council',
    fleet: 'Fleet',
    setup: 'Setup',
    settings: 'Settings',
  },
  skip: 'Skip to content',
  side: {
    name: 'Main',
    noProject: 'No project yet',
    running: (count: number, version: string) => `${count} OpenCode running${version === '' ? '' : ` · ${version}`}`,
    notRunning: 'OpenCode is not connected',
    theme: 'Switch theme',
  },
  /** The age of the displayed data. */
  stale: { noContact: 'No contact', asOf: (what: string, at: string) => `${what}, as of ${at}` },
  loading: {
    unreachable: 'Understudy does not answer.',
    unreachableLede:
      'No data has arrived yet. This page connects when Understudy runs again; after a restart, open the address that it prints.',
    reading: 'Reading the last snapshot',
  },
  shut: {
    title: {
      'no-key': 'This tab is not connected to the panel.',
      refused: 'This address no longer opens the panel.',
      full: 'Too many panels are open.',
      unreachable: 'Understudy does not answer.',
      restarted: 'This tab is no longer valid.',
      foreign: 'Another program answers at this address.',
    },
    more: {
      'no-key': 'Run "understudy panel" and open the address that it prints.',
      refused: 'Run "understudy panel" and open the address that it prints.',
      full: 'Sixteen tabs are open. Close one of them and open the address again.',
      unreachable: 'Run "understudy panel" and open the address that it prints.',
      restarted:
        'After a restart, only tabs of the last day stay valid, at most sixteen. Run "understudy panel" and open the address that it prints.',
      foreign:
        'It received no access to the panel. Close this tab, run "understudy panel" and open the address that it prints.',
    },
  },
  dialog: { cancel: 'Cancel', close: 'Close' },
  notice: {
    undo: 'Undo',
    undone: 'Undone.',
    dismiss: 'Dismiss',
    refused: (reason: string) => `Not changed: ${reason}`,
    unwritten: (reason: string) =>
      `This applies, but is not saved yet: ${reason}. It is lost if Understudy is killed before that.`,
  },
  copy: {
    copy: 'Copy',
    copied: 'Copied',
    selected: 'Selected: press Ctrl+C',
    refused: 'Copying is not allowed here',
  },
  answers: {
    unreachable: 'Understudy cannot be reached.',
    unreadable: (question: string) => `The panel cannot read Understudy’s answer to "${question}".`,
    notUnderstood: (status: number) => `Understudy rejected the request (${status}).`,
  },
});
