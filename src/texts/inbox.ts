import { part, plural } from './catalogue';

/** The notices that were told, or would have been, and why the system shows none. */
export const inboxTexts = part('inbox', {
  title: 'Notices',
  /** The button that opens them. */
  /** `urgent` of the unread ones tell of what still lasts and needs a person. */
  bell: (unread: number, urgent: number) =>
    `Notices${urgent > 0 ? `, ${urgent} ${urgent === 1 ? 'needs' : 'need'} you` : ''}${unread > 0 ? `, ${unread} unread` : ''}`,
  close: 'Close the notices',
  settings: 'What to be told of',
  unread: 'Unread',
  over: 'Over',
  empty: 'Nothing to tell.',
  emptyMore: 'Every notice is kept here, whether or not the system has shown it.',
  asking: 'Looking…',
  newer: 'Newer',
  older: 'Older',
  /** "26 to 50 of 61". */
  span: (from: number, to: number, total: number) => `${from} to ${to} of ${total}`,
  /** What a button has done: "build stays on gpt-5 for 30 minutes." */
  done: {
    pinned: (agent: string, model: string, count: number) => `${agent} stays on ${model} for ${minutes(count)}.`,
    released: (name: string) => `${name} is no longer held.`,
  },
  refused: (why: string) => `Not changed: ${why}`,
  /** Over the whole page, once. */
  trouble: {
    unsupported: 'This system has no service that shows notifications. Every notice is in the panel.',
    failed: (why: string) => `Every notice is in the panel; the system does not show them: ${why}`,
    show: 'Show notices',
    dismiss: 'Do not say this again',
  },
});

const minutes = plural('minute', 'minutes');
