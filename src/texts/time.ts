import { part } from './catalogue';

export const timeTexts = part('time', {
  label: 'Time',
  today: 'Today',
  days: (days: number) => `${days} d`,
  all: 'All',
  custom: 'Custom',
  from: 'From',
  to: 'To',
  backwards: 'The range ends before it begins. The last range is still shown.',
  wider: 'Zoom out',
  /** Within a sentence. */
  ever: 'since figures are kept',
  withinToday: 'today',
  withinDays: (days: number) => `in the last ${days} days`,
});
