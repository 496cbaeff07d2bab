import type { whatIfTexts } from '../what-if';

export const whatIf: ReturnType<typeof whatIfTexts> = {
  caution:
    'Eine Schätzung: jedes Modell antwortet, wie es im Protokoll steht, in derselben Runde oder zur nächstgelegenen Zeit.',
  rows: {
    turns: 'Runden',
    answered: 'beantwortet',
    failed: 'gescheitert',
    unknown: 'unbekannt',
    switches: 'Wechsel',
    lost: 'verlorene Zeit',
    cost: 'Kosten',
  },
  noTurn: 'Noch gibt es keine Runde, die sich nachspielen ließe.',
  asMany: 'Genauso viele Runden beantwortet.',
  more: (count) => `${count} ${count === 1 ? 'Runde' : 'Runden'} mehr beantwortet.`,
  fewer: (count) => `${count} ${count === 1 ? 'Runde' : 'Runden'} weniger beantwortet.`,
  noPrice: 'kein Preis bekannt',
  cost: (money, percent) => `${money} für ${percent} % davon`,
  ask: 'Was hätte der Entwurf bewirkt?',
  playing: 'Wird nachgespielt…',
  sides: 'Wie es ist, und mit diesem Entwurf',
  asItIs: 'wie es ist',
  thisDraft: 'dieser Entwurf',
  note: (agent, caution) => `Jede aufgezeichnete Runde, mit dieser Kette (${agent}) in allen Projekten. ${caution}`,
};
