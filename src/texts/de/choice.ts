import type { choiceTexts } from '../choice';

export const choice: ReturnType<typeof choiceTexts> = {
  title: 'Welches Verhalten?',
  caption: 'einmalige Frage',
  explained: 'Understudy weicht in vier Punkten von veröffentlichten Entwürfen für OpenCode ab.',
  table: 'Unterschiede',
  when: 'Fall',
  here: 'Bei Understudy',
  there: 'Wie veröffentlicht',
  differences: {
    limit: {
      when: 'Ratenlimit, Netzfehler',
      here: 'das nächste Modell antwortet sofort',
      there: 'dasselbe Modell wird zuerst wiederholt, in wachsenden Abständen',
    },
    permission: {
      when: 'Zugriff verweigert (403)',
      here: 'das nächste Modell antwortet',
      there: 'der Fehler ist endgültig',
    },
    unknown: {
      when: 'Unbekannter Fehler',
      here: 'OpenCode bekommt ihn unverändert',
      there: 'das nächste Modell antwortet',
    },
    exhausted: {
      when: 'Kein Modell verfügbar',
      here: 'eine Meldung erklärt es, und die Runde endet',
      there: 'OpenCode wiederholt weiter',
    },
  },
  change: (path) => `Das veröffentlichte Verhalten schreibt dies in ${path}:`,
  keep: 'Understudys Verhalten behalten',
  write: 'Veröffentlichtes Verhalten nutzen',
  kept: 'Understudys Verhalten bleibt. Die Frage kommt nicht wieder.',
  written: 'Understudy nutzt jetzt das veröffentlichte Verhalten.',
};
