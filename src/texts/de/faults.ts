import type { faultTexts } from '../faults';

export const faults: ReturnType<typeof faultTexts> = {
  broken: (view) => `${view} ist ausgefallen.`,
  brokenHint: 'Ausgefallen ist nur, was hier zu sehen ist: Gewechselt wird weiter, und die anderen Ansichten gehen.',
  notLoaded: (view) => `${view} ließ sich nicht laden.`,
  notLoadedHint: 'Understudy wurde dreimal danach gefragt. Vielleicht wurde es erneuert oder ist inzwischen fort.',
  loading: 'Diese Ansicht wird geladen.',
  again: 'Noch einmal versuchen',
  reload: 'Das Fenster neu laden',
  toNow: 'Zu Jetzt',
  copy: 'Einzelheiten kopieren',
};
