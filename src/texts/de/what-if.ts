import type { whatIfTexts } from '../what-if';

export const whatIf: ReturnType<typeof whatIfTexts> = {
  caution:
    'Eine Schätzung: Jedes Modell antwortet wie aufgezeichnet, in derselben Runde oder zur nächstgelegenen Zeit.',
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
  noTurn: 'Es gibt noch keine Runde zum Nachspielen.',
  asMany: 'Genauso viele Runden beantwortet.',
  more: (count) => `${count} ${count === 1 ? 'Runde' : 'Runden'} mehr beantwortet.`,
  fewer: (count) => `${count} ${count === 1 ? 'Runde' : 'Runden'} weniger beantwortet.`,
  noPrice: 'kein Preis bekannt',
  likely: {
    better: (from, to) => `Besser: Von den nächsten 100 Runden würden ${from} bis ${to} mehr beantwortet.`,
    worse: (from, to) => `Schlechter: Von den nächsten 100 Runden würden ${from} bis ${to} weniger beantwortet.`,
    even: (most) => `Gleich gut: Von den nächsten 100 Runden würden höchstens ${most} mehr oder weniger beantwortet.`,
    unclear: (fewer, more) =>
      `Unklar: Von den nächsten 100 Runden würden zwischen ${fewer} weniger und ${more} mehr beantwortet.`,
    few: 'Für eine Vorhersage sind zu wenige Runden aufgezeichnet.',
    shares: (before, after) => `Erwarteter Anteil beantworteter Runden: ${after}; ohne diesen Entwurf ${before}.`,
    share: (value, lower, upper) => `${value} (${lower} bis ${upper})`,
    known: (ended, turns) =>
      `Bei ${ended} von ${turns} Runden ist das Ergebnis klar; die übrigen werden beantwortet oder nicht.`,
  },
  cost: (money, percent) => `${money} für ${percent} % davon`,
  ask: 'Entwurf simulieren',
  playing: 'Runden werden nachgespielt…',
  sides: 'Jetzige Kette und dieser Entwurf',
  asItIs: 'jetzige Kette, nachgespielt',
  thisDraft: 'dieser Entwurf',
  note: (agent, caution) => `Alle aufgezeichneten Runden, mit dieser Kette (${agent}) in allen Projekten. ${caution}`,
};
