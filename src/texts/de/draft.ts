import type { draftTexts } from '../draft';

export const draft: ReturnType<typeof draftTexts> = {
  columns: {
    order: 'Platz',
    model: 'Modell',
    state: 'Zustand',
    firstWord: 'p50',
    price: 'Ein / aus 1 Mio.',
    context: 'Kontext',
    firstWordTitle: 'Die Hälfte der Antworten der letzten 24 Stunden begann früher',
    priceTitle: 'Preis einer Million Token, Eingabe / Ausgabe',
    contextTitle: 'Kontextfenster in Token',
    noCalls: 'nie gefragt',
    noAnswer: 'keine Antwort',
  },
  pattern: {
    allOf: (provider) => `jedes Modell von ${provider}`,
    says: 'ein Muster',
  },
  conflict: {
    title: 'Diese Kette wurde anderswo geändert',
    lede: 'In der Datei steht etwas anderes als zu Beginn. Vom eigenen Entwurf geht nichts verloren: erst wählen, was der Entwurf wird, dann ansehen und anwenden.',
    theirs: 'Jetzt in der Datei',
    mine: 'Eigener Entwurf',
    merged: 'Beides zusammen',
    empty: 'kein Modell',
    keepMine: 'Meinen behalten',
    takeTheirs: 'Die Datei nehmen',
    takeMerged: 'Meinen auf die Datei setzen',
    news: (agent) => `${agent} hat in der Datei eine andere Kette als zu Beginn.`,
  },
  whatIfCut: (since) => `Es sind sehr viele Runden: Nur die seit ${since} wurden durchgespielt.`,
};
