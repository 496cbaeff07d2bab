import type { glanceTexts } from '../glance';

export const glance: ReturnType<typeof glanceTexts> = {
  noSession: 'Keine Sitzung läuft.',
  models: 'Modelle, die nicht bereit sind',
  event: 'Letztes Ereignis',
  open: 'Understudy öffnen',
};
