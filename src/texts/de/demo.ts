import type { demoTexts } from '../demo';

export const demo: ReturnType<typeof demoTexts> = {
  mark: 'Vorführung. Jedes Modell hier folgt einem Drehbuch auf diesem Rechner: Kein Anbieter wird gefragt, nichts wird bezahlt. Was hier geschrieben wird, landet im eigenen Ordner der Vorführung, nie in anderen Dateien, und endet mit ihr.',
  recorded:
    'Vorführung, aufgezeichnet. Auf diesem Rechner wurde kein OpenCode gefunden; zu sehen ist immer wieder, was ein echtes in der Vorführung tat: Nichts läuft, kein Anbieter wird gefragt, nichts wird bezahlt. Was hier geschrieben wird, landet im eigenen Ordner der Vorführung, nie in anderen Dateien, und endet mit ihr.',
  title: 'Ansehen, ohne die eigenen Modelle',
  lede: 'Ein echtes OpenCode in einem vorübergehenden Ordner, dessen Modelle einem Drehbuch folgen und nacheinander auf jede Art ausfallen. Das eigene OpenCode und seine Zeilen hier bleiben unberührt.',
  start: 'Vorführung starten',
  starting: 'Ein OpenCode startet. Das dauert einige Sekunden…',
  running: 'Die Vorführung läuft in einer eigenen Ansicht.',
  open: 'Ansicht der Vorführung öffnen',
  copy: 'Adresse der Vorführung kopieren',
  stop: 'Vorführung beenden',
  failed: (reason) => `Die Vorführung konnte nicht laufen: ${reason.replace(/\.$/, '')}.`,
  needs:
    'Sie nutzt das OpenCode auf diesem Rechner, im PATH oder mit OPENCODE_BIN benannt; ohne eines läuft eine Aufzeichnung.',
  again: 'Noch einmal',
  noAnswer: 'Understudy hat nicht geantwortet. Bitte noch einmal versuchen.',
};
