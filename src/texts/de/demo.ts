import type { demoTexts } from '../demo';

export const demo: ReturnType<typeof demoTexts> = {
  mark: 'Vorführung: simulierte Modelle, keine Kosten. Eigene Dateien bleiben unberührt; der Ordner der Vorführung wird am Ende gelöscht.',
  recorded:
    'Vorführung, aufgezeichnet: Auf diesem Rechner wurde kein OpenCode gefunden, daher läuft eine Aufzeichnung in Schleife. Keine Modelle laufen, keine Kosten. Eigene Dateien bleiben unberührt; der Ordner der Vorführung wird am Ende gelöscht.',
  title: 'Ohne eigene Modelle ausprobieren',
  lede: 'Ein echtes OpenCode in einem temporären Ordner mit simulierten Modellen, die auf verschiedene Arten ausfallen. Das eigene OpenCode und seine Daten bleiben unberührt.',
  start: 'Vorführung starten',
  starting: 'OpenCode startet. Das dauert einige Sekunden…',
  running: 'Die Vorführung läuft in einer eigenen Ansicht.',
  open: 'Ansicht der Vorführung öffnen',
  copy: 'Adresse der Vorführung kopieren',
  stop: 'Vorführung beenden',
  failed: (reason) => `Die Vorführung konnte nicht starten: ${reason.replace(/\.$/, '')}.`,
  needs: 'Sie nutzt OpenCode aus dem PATH oder aus OPENCODE_BIN. Ohne OpenCode läuft eine Aufzeichnung.',
  again: 'Noch einmal',
  noAnswer: 'Understudy hat nicht geantwortet. Bitte noch einmal versuchen.',
};
