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
    refusals: 'abgelehnt',
    lost: 'verlorene Zeit',
    cost: 'Kosten',
  },
  noTurn: 'Noch gibt es keine Runde, die sich nachspielen ließe.',
  asMany: 'Genauso viele Runden beantwortet.',
  more: (count) => `${count} ${count === 1 ? 'Runde' : 'Runden'} mehr beantwortet.`,
  fewer: (count) => `${count} ${count === 1 ? 'Runde' : 'Runden'} weniger beantwortet.`,
  noPrice: 'kein Preis bekannt',
  likely: {
    better: (from, to) => `Besser: von 100 künftigen Runden würden ${from} bis ${to} mehr beantwortet.`,
    worse: (from, to) => `Schlechter: von 100 künftigen Runden würden ${from} bis ${to} weniger beantwortet.`,
    even: (most) => `Gleich gut: von 100 künftigen Runden würden höchstens ${most} mehr oder weniger beantwortet.`,
    unclear: (fewer, more) =>
      `Unklar: von 100 künftigen Runden würden zwischen ${fewer} weniger und ${more} mehr beantwortet.`,
    few: 'Zu wenige Runden sind bekannt, um zu sagen, was kommt.',
    shares: (before, after) => `Künftig beantwortet: ${after}; wie es ist, ${before}.`,
    share: (value, lower, upper) => `${value} (${lower} bis ${upper})`,
    known: (known, turns) =>
      `Von ${known} der ${turns} Runden ist das Ende bekannt; die übrigen werden beantwortet oder nicht.`,
  },
  cost: (money, percent) => `${money} für ${percent} % davon`,
  ask: 'Was hätte der Entwurf bewirkt?',
  playing: 'Wird nachgespielt…',
  sides: 'Wie es ist, und mit diesem Entwurf',
  asItIs: 'wie es ist, nachgespielt',
  thisDraft: 'dieser Entwurf',
  note: (agent, caution) => `Jede aufgezeichnete Runde, mit dieser Kette (${agent}) in allen Projekten. ${caution}`,
};
