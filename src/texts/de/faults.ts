import type { faultTexts } from '../faults';

export const faults: ReturnType<typeof faultTexts> = {
  broken: (view) => `${view} funktioniert nicht mehr.`,
  brokenHint: 'Nur diese Ansicht ist ausgefallen. Der Fallback und die anderen Ansichten arbeiten weiter.',
  notLoaded: (view) => `${view} ließ sich nicht laden.`,
  notLoadedHint: 'Drei Versuche sind gescheitert. Vielleicht wurde Understudy aktualisiert oder beendet.',
  loading: 'Diese Ansicht wird geladen…',
  again: 'Erneut versuchen',
  reload: 'Fenster neu laden',
  toNow: 'Zu Jetzt',
  copy: 'Einzelheiten kopieren',
};
