import type { explanationTexts } from '../explanation';

export const explanation: ReturnType<typeof explanationTexts> = {
  facts: {
    failure: 'Fehlschlag',
    limit: 'Limit',
    said: 'Meldung',
    rule: 'Regel',
    until: 'Bis',
    took: 'Dauer',
    agent: 'Agent',
    session: 'Sitzung',
  },
  considered: 'Erwogene Modelle',
  columns: { order: 'Platz', model: 'Modell', verdict: 'Urteil', state: 'Zustand damals', reason: 'Grund' },
};
