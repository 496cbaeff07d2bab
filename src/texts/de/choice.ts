import type { choiceTexts } from '../choice';

export const choice: ReturnType<typeof choiceTexts> = {
  title: 'Welches Verhalten?',
  caption: 'wird einmal gefragt',
  explained:
    'Fällt ein Modell aus, tut Understudy vier Dinge anders, als es veröffentlichte Entwürfe für OpenCode vorsehen.',
  table: 'Was anders ist',
  when: 'Wann',
  here: 'Bei Understudy',
  there: 'Wie veröffentlicht',
  differences: {
    limit: {
      when: 'Ratenlimit, gestörtes Netz',
      here: 'das nächste Modell antwortet sofort',
      there: 'dasselbe Modell wird erst noch einmal gefragt, in wachsenden Abständen',
    },
    permission: {
      when: 'Zugriff verweigert (403)',
      here: 'das nächste Modell antwortet',
      there: 'der Fehler ist endgültig',
    },
    unknown: {
      when: 'Ein Fehler, den niemand benennen kann',
      here: 'OpenCode bekommt ihn, wie er ist',
      there: 'das nächste Modell antwortet',
    },
    exhausted: {
      when: 'Niemand ist mehr da',
      here: 'ein Satz sagt es, und die Runde endet',
      there: 'OpenCode versucht es selbst weiter',
    },
  },
  change: (path) => `Damit diese vier wie veröffentlicht sind, wird dies in ${path} geschrieben:`,
  keep: 'Understudys Verhalten behalten',
  write: 'Veröffentlichtes Verhalten nehmen',
  kept: 'Understudys Verhalten bleibt. Danach wird nicht noch einmal gefragt.',
  written: 'Understudy verhält sich wie veröffentlicht.',
};
