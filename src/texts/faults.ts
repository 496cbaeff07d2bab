import { part } from './catalogue';

export const faultTexts = part('faults', {
  broken: (view: string) => `${view} stopped working.`,
  brokenHint: 'Only what is shown here stopped: switching goes on, and so do the other views.',
  notLoaded: (view: string) => `${view} could not be loaded.`,
  notLoadedHint: 'Understudy was asked for it three times. It may have been updated, or have gone away meanwhile.',
  loading: 'This view is being loaded.',
  again: 'Try again',
  reload: 'Load the panel again',
  toNow: 'Go to Now',
  copy: 'Copy the details',
});
