import { part } from './catalogue';

/** The frame around every view, and what all of them use. */
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
  /** How old what is shown is. */
  stale: { noContact: 'No contact', asOf: (what: string, at: string) => `${what}, as of ${at}` },
  loading: {
    unreachable: 'Understudy does not answer.',
    unreachableLede:
      'Nothing is known yet, so nothing is shown. This page connects by itself when Understudy runs again; if it was started anew, open the address it printed.',
    reading: 'Reading the last snapshot',
  },
  shut: {
    title: {
      'no-key': 'This tab is not connected to the panel.',
      refused: 'This address no longer opens the panel.',
      full: 'Too many panels are open.',
      unreachable: 'Understudy does not answer.',
      restarted: 'Understudy no longer knows this tab.',
      foreign: 'Another program answers at this address.',
    },
    more: {
      'no-key': 'Run "understudy panel" and open the address that it prints.',
      refused: 'Run "understudy panel" and open the address that it prints.',
      full: 'Sixteen tabs are open. Close one of them and open the address again.',
      unreachable: 'Run "understudy panel" and open the address that it prints.',
      restarted:
        'Only tabs of the last day go on, at most sixteen. Run "understudy panel" and open the address that it prints.',
      foreign:
        'It got nothing that opens the panel. Close this tab, run "understudy panel" and open the address that it prints.',
    },
  },
  dialog: { cancel: 'Cancel', close: 'Close' },
  notice: {
    undo: 'Undo',
    undone: 'Undone.',
    dismiss: 'Dismiss',
    refused: (reason: string) => `Not changed: ${reason}`,
    unwritten: (reason: string) =>
      `This counts, but is not on the disk yet: ${reason}. Until it is, it is lost if Understudy is killed.`,
  },
  copy: {
    copy: 'Copy',
    copied: 'Copied',
    selected: 'Selected: press Ctrl+C',
    refused: 'Copying is not allowed here',
  },
  answers: {
    unreachable: 'Understudy cannot be reached.',
    unreadable: (question: string) => `Understudy answered "${question}" in a way this panel cannot read.`,
    notUnderstood: (status: number) => `Understudy did not understand the question (${status}).`,
  },
});
