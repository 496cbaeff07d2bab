import type { configTexts } from '../config';

export const config: ReturnType<typeof configTexts> = {
  problems: 'Probleme der Konfiguration',
  hasError: 'hat einen Fehler',
  needsALook: 'hat ein Problem',
  place: (line, column) => `Zeile ${line}, Spalte ${column}: `,
  broken:
    'Die letzte gültige Konfiguration gilt weiter. Datei korrigieren und speichern; sie wird automatisch neu gelesen.',
  inForce: 'Alles andere in der Datei gilt.',
  example:
    'Als `.opencode/model-fallback.json` im Projekt speichern, oder für alle Projekte als `model-fallback.json` neben der Konfiguration von OpenCode. `*` bedeutet jeder Agent. Verfügbare Modelle nennen, das beste zuerst. Änderungen gelten mit dem Speichern.',
};
