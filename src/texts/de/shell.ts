import type { shellTexts } from '../shell';

export const shell: ReturnType<typeof shellTexts> = {
  views: {
    now: 'Jetzt',
    chains: 'Ketten',
    models: 'Modelle',
    sessions: 'Sitzungen',
    usage: 'Nutzung',
    events: 'Ereignisse',
    setup: 'Einrichtung',
    settings: 'Einstellungen',
  },
  skip: 'Zum Inhalt',
  side: {
    name: 'Hauptnavigation',
    noProject: 'Noch kein Projekt',
    running: (count, version) =>
      `${count} OpenCode ${count === 1 ? 'läuft' : 'laufen'}${version === '' ? '' : ` · ${version}`}`,
    notRunning: 'OpenCode läuft nicht',
    theme: 'Hell oder dunkel',
  },
  stale: { noContact: 'Kein Kontakt', asOf: (what, at) => `${what}, Stand ${at}` },
  loading: {
    unreachable: 'Understudy antwortet nicht.',
    unreachableLede:
      'Noch ist nichts bekannt, also ist nichts zu sehen. Die Seite verbindet sich von selbst, sobald Understudy wieder läuft; nach einem Neustart die Adresse öffnen, die es ausgegeben hat.',
    reading: 'Der letzte Stand wird gelesen',
  },
  dialog: { cancel: 'Abbrechen', close: 'Schließen' },
  notice: {
    undo: 'Rückgängig',
    undone: 'ist wie zuvor.',
    dismiss: 'Ausblenden',
    refused: (reason) => `bleibt unverändert: ${reason}`,
  },
  copy: {
    copy: 'Kopieren',
    copied: 'Kopiert',
    selected: 'Markiert: Strg+C drücken',
    refused: 'Kopieren ist hier nicht erlaubt',
  },
  answers: {
    unreachable: 'Understudy ist nicht erreichbar.',
    unreadable: (question) => `Understudy hat „${question}“ so beantwortet, dass diese Ansicht es nicht lesen kann.`,
    notUnderstood: (status) => `Understudy hat die Frage nicht verstanden (${status}).`,
  },
};
