import type { shellTexts } from '../shell';

export const shell: ReturnType<typeof shellTexts> = {
  views: {
    now: 'Jetzt',
    chains: 'Ketten',
    models: 'Modelle',
    sessions: 'Sitzungen',
    usage: 'Nutzung',
    events: 'Ereignisse',
    headroom: 'Spielraum',
    ranking: 'Rangfolge',
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
      'Noch ist nichts bekannt, also ist nichts zu sehen. Die Seite verbindet sich von selbst, sobald Understudy wieder läuft; nach einem Neustart die Adresse öffnen, die es ausgegeben hat.',
    reading: 'Der letzte Stand wird gelesen',
  },
  shut: {
    title: {
      'no-key': 'Dieser Tab hat keinen Schlüssel zur Ansicht.',
      refused: 'Diese Adresse öffnet die Ansicht nicht mehr.',
      full: 'Es sind zu viele Ansichten offen.',
      unreachable: 'Understudy antwortet nicht.',
    },
    more: {
      'no-key':
        'Die Adresse öffnen, die Understudy im Terminal ausgegeben hat: Jeder Tab bekommt durch sie einen eigenen Schlüssel. Wer Understudy noch einmal startet, bekommt die Adresse wieder genannt; es läuft nicht doppelt.',
      refused:
        'Understudy wurde neu gestartet, oder die Adresse galt nur einmal. Die zuletzt ausgegebene Adresse öffnen; ein weiterer Start nennt sie noch einmal.',
      full: 'Sechzehn Tabs haben eine. Einen davon schließen und die Adresse noch einmal öffnen.',
      unreachable: 'Vielleicht ist es beendet. Neu starten und die Adresse öffnen, die es ausgibt.',
    },
  },
  dialog: { cancel: 'Abbrechen', close: 'Schließen' },
  notice: {
    undo: 'Rückgängig',
    undone: 'ist wie zuvor.',
    dismiss: 'Ausblenden',
    refused: (reason) => `bleibt unverändert: ${reason}`,
    unwritten: (reason) =>
      `Das gilt, steht aber noch nicht auf der Platte: ${reason}. Bis dahin ist es verloren, wenn Understudy gewaltsam endet.`,
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
