import type { shellTexts } from '../shell';

export const shell: ReturnType<typeof shellTexts> = {
  views: {
    now: 'Jetzt',
    chains: 'Ketten',
    models: 'Modelle',
    sessions: 'Sitzungen',
    usage: 'Nutzung',
    events: 'Ereignisse',
    setup: 'Einrichtung',
    settings: 'Einstellungen',
  },
};
