import type { configTexts } from '../config';

export const config: ReturnType<typeof configTexts> = {
  problems: 'Probleme der Konfiguration',
  hasError: 'hat einen Fehler',
  needsALook: 'ist zu prüfen',
  place: (line, column) => `Zeile ${line}, Spalte ${column}: `,
  broken:
    'Nichts steht still: die letzte gute Konfiguration gilt weiter. Erneut gespeichert, wird die Datei neu gelesen.',
  inForce: 'Der Rest der Datei gilt.',
  example:
    'Als `.opencode/model-fallback.json` im Projekt speichern, oder für alle Projekte als `model-fallback.json` neben der Konfiguration von OpenCode. `*` steht für jeden Agenten; verfügbare Modelle nennen, das beste zuerst. Die Datei wird gelesen, sobald sie gespeichert ist.',
};
