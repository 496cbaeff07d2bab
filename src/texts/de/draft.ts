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
    noCalls: 'noch keine Aufrufe',
  },
  pattern: {
    allOf: (provider) => `jedes Modell von ${provider}`,
    says: 'ein Muster',
  },
  conflict: {
    title: 'Diese Kette wurde anderswo geändert',
    lede: 'In der Datei steht etwas anderes als zu Beginn. Von Ihrem Entwurf geht nichts verloren: Wählen Sie, was der Entwurf wird, und sehen Sie ihn an, bevor Sie ihn anwenden.',
    theirs: 'Jetzt in der Datei',
    mine: 'Ihr Entwurf',
    merged: 'Beides zusammen',
    was: 'Zu Beginn',
    empty: 'kein Modell',
    keepMine: 'Meinen behalten',
    takeTheirs: 'Die Datei nehmen',
    takeMerged: 'Meinen auf die Datei setzen',
    first: 'Entscheiden Sie zuerst, was der Entwurf wird.',
    changed: (subject) => `Die Kette von ${subject} wurde anderswo geändert, während Sie sie änderten.`,
  },
  whatIfCut: (since) => `Es sind sehr viele Anfragen: Nur die seit ${since} wurden durchgespielt.`,
};
