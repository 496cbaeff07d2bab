import type { draftTexts } from '../draft';

export const draft: ReturnType<typeof draftTexts> = {
  columns: {
    order: 'Platz',
    model: 'Modell',
    state: 'Zustand',
    firstWord: 'p50',
    price: 'Ein / aus 1 Mio.',
    context: 'Kontext',
    firstWordTitle: 'Median bis zum ersten Token, letzte 24 Stunden',
    priceTitle: 'Preis einer Million Token, Eingabe / Ausgabe',
    contextTitle: 'Kontextfenster in Token',
    noCalls: 'keine Aufrufe',
    noAnswer: 'keine Antwort',
  },
  pattern: {
    allOf: (provider) => `jedes Modell von ${provider}`,
    says: 'Muster',
  },
  conflict: {
    title: 'Diese Kette wurde anderswo geändert',
    lede: 'Die Datei hat sich seit Beginn geändert. Der Entwurf geht nicht verloren: den neuen Entwurf wählen, prüfen, dann anwenden.',
    theirs: 'Jetzt in der Datei',
    mine: 'Eigener Entwurf',
    merged: 'Beides kombiniert',
    empty: 'kein Modell',
    keepMine: 'Meinen behalten',
    takeTheirs: 'Datei verwenden',
    takeMerged: 'Beide kombinieren',
    news: (agent) => `Die Kette von ${agent} in der Datei hat sich seit Beginn geändert.`,
  },
  whatIfCut: (since) => `Nur Runden seit ${since} wurden nachgespielt, weil es zu viele sind.`,
};
