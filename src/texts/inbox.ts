import { part, plural } from './catalogue';

/** The list of notices, and problems of the system’s notifications. */
export const inboxTexts = part('inbox', {
  title: 'Notices',
  /** The button that opens the list; `urgent` unread notices still need the user. */
  bell: (unread: number, urgent: number) =>
    `Notices${urgent > 0 ? `, ${urgent} ${urgent === 1 ? 'needs' : 'need'} you` : ''}${unread > 0 ? `, ${unread} unread` : ''}`,
  close: 'Close the notices',
  settings: 'Choose notices',
  unread: 'Unread',
  over: 'Resolved',
  empty: 'No notices.',
  emptyMore: 'All notices appear here, even those that the system did not show.',
  asking: 'Loading…',
  newer: 'Newer',
  older: 'Older',
  /** "26 to 50 of 61". */
  span: (from: number, to: number, total: number) => `${from} to ${to} of ${total}`,
  /** The result of a button: "build stays on gpt-5 for 30 minutes." */
  done: {
    pinned: (agent: string, model: string, count: number) => `${agent} stays on ${model} for ${minutes(count)}.`,
    released: (name: string) => `${name} is no longer held.`,
  },
  refused: (why: string) => `Not changed: ${why}`,
  /** A banner above the page. */
  trouble: {
    unsupported: 'This system cannot show notifications. All notices are in the panel.',
    failed: (why: string) => `All notices are in the panel; the system does not show them: ${why}`,
    show: 'Show notices',
    dismiss: 'Do not show again',
  },
});

const minutes = plural('minute', 'minutes');
