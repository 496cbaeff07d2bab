import { part } from './catalogue';

/** The small window at the icon in the bar. */
export const glanceTexts = part('glance', {
  noSession: 'No session is live.',
  models: 'Models that are not ready',
  event: 'Last event',
  open: 'Open Understudy',
});
