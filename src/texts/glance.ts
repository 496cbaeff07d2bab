import { part } from './catalogue';

/** The small window at the tray icon. */
export const glanceTexts = part('glance', {
  noSession: 'No session is running.',
  models: 'Models that are not ready',
  event: 'Last event',
  open: 'Open Understudy',
});
