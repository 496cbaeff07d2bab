import { part } from './catalogue';

export const timeTexts = part('time', {
  label: 'Time',
  today: 'Today',
  days: (days: number) => `${days} d`,
  all: 'All',
  custom: 'Custom',
  from: 'From',
  to: 'To',
  backwards: 'The range ends before it begins. The previous range is still displayed.',
  wider: 'Zoom out',
  /** Within a sentence. */
  ever: 'since recording began',
  withinToday: 'today',
  withinDays: (days: number) => `in the last ${days} days`,
});
