import { part } from './catalogue';

export const faultTexts = part('faults', {
  broken: (view: string) => `${view} stopped working.`,
  brokenHint: 'Only this view stopped. Fallback and the other views still work.',
  notLoaded: (view: string) => `${view} could not be loaded.`,
  notLoadedHint: 'Three attempts failed. Understudy may have been updated or stopped.',
  loading: 'Loading this view…',
  again: 'Try again',
  reload: 'Reload the panel',
  toNow: 'Go to Now',
  copy: 'Copy the details',
});
