import { part } from './catalogue';

/** The frame around every view. */
export const shellTexts = part('shell', {
  views: {
    now: 'Now',
    chains: 'Chains',
    models: 'Models',
    sessions: 'Sessions',
    usage: 'Usage',
    events: 'Events',
    setup: 'Setup',
    settings: 'Settings',
  },
});
