import type { timeTexts } from '../time';

export const time: ReturnType<typeof timeTexts> = {
  label: 'Zeitraum',
  today: 'Heute',
  days: (days: number) => `${days} T`,
  all: 'Alles',
  custom: 'Eigener',
  from: 'Von',
  to: 'Bis',
  backwards: 'Der Zeitraum endet, bevor er beginnt. Der vorige wird weiter angezeigt.',
  wider: 'Weiter fassen',
  ever: 'seit Beginn der Aufzeichnung',
  withinToday: 'heute',
  withinDays: (days: number) => `in den letzten ${days} Tagen`,
};
