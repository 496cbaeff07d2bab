import type { shellTexts } from '../shell';

export const shell: ReturnType<typeof shellTexts> = {
  views: {
    now: 'Jetzt',
    chains: 'Ketten',
    models: 'Modelle',
    sessions: 'Sitzungen',
    usage: 'Nutzung',
    events: 'Alle Ereignisse',
    headroom: 'Limits',
    ranking: 'Vorschläge',
    council: 'Council',
    fleet: 'Flotte',
    setup: 'Einrichtung',
    settings: 'Einstellungen',
  },
  skip: 'Zum Inhalt',
  side: {
    name: 'Hauptnavigation',
    noProject: 'Noch kein Projekt',
    running: (count, version) =>
      `${count} OpenCode ${count === 1 ? 'läuft' : 'laufen'}${version === '' ? '' : ` · ${version}`}`,
    notRunning: 'OpenCode ist nicht verbunden',
    theme: 'Hell oder dunkel',
  },
  stale: { noContact: 'Kein Kontakt', asOf: (what, at) => `${what}, Stand ${at}` },
  loading: {
    unreachable: 'Understudy antwortet nicht.',
    unreachableLede:
      'Noch keine Daten. Die Seite verbindet sich, sobald Understudy wieder läuft; nach einem Neustart die Adresse öffnen, die es ausgibt.',
    reading: 'Der letzte Stand wird gelesen',
  },
  shut: {
    title: {
      'no-key': 'Dieser Tab ist nicht mit der Ansicht verbunden.',
      refused: 'Diese Adresse öffnet die Ansicht nicht mehr.',
      full: 'Es sind zu viele Ansichten offen.',
      unreachable: 'Understudy antwortet nicht.',
      restarted: 'Dieser Tab ist nicht mehr gültig.',
      foreign: 'An dieser Adresse antwortet ein anderes Programm.',
    },
    more: {
      'no-key': '„understudy panel“ ausführen und die Adresse öffnen, die es ausgibt.',
      refused: '„understudy panel“ ausführen und die Adresse öffnen, die es ausgibt.',
      full: 'Sechzehn Tabs sind offen. Einen davon schließen und die Adresse noch einmal öffnen.',
      unreachable: '„understudy panel“ ausführen und die Adresse öffnen, die es ausgibt.',
      restarted:
        'Nach einem Neustart gelten nur Tabs des letzten Tages, höchstens sechzehn. „understudy panel“ ausführen und die Adresse öffnen, die es ausgibt.',
      foreign:
        'Es hat keinen Zugang zur Ansicht erhalten. Diesen Tab schließen, „understudy panel“ ausführen und die Adresse öffnen, die es ausgibt.',
    },
  },
  dialog: { cancel: 'Abbrechen', close: 'Schließen' },
  notice: {
    undo: 'Rückgängig',
    undone: 'Rückgängig gemacht.',
    dismiss: 'Ausblenden',
    refused: (reason) => `Nicht geändert: ${reason}`,
    unwritten: (reason) =>
      `Das gilt, ist aber noch nicht gespeichert: ${reason}. Endet Understudy vorher gewaltsam, geht es verloren.`,
  },
  copy: {
    copy: 'Kopieren',
    copied: 'Kopiert',
    selected: 'Markiert: Strg+C drücken',
    refused: 'Kopieren ist hier nicht erlaubt',
  },
  answers: {
    unreachable: 'Understudy ist nicht erreichbar.',
    unreadable: (question) => `Die Ansicht kann die Antwort auf „${question}“ nicht lesen.`,
    notUnderstood: (status) => `Understudy hat die Anfrage abgelehnt (${status}).`,
  },
};
