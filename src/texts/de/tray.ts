import type { trayTexts } from '../tray';

export const tray: ReturnType<typeof trayTexts> = {
  tooltip: {
    waiting: 'Wartet auf OpenCode',
    cooling: (count, of) => `${count} von ${of} in Abkühlzeit`,
    primary: (agent, model) => `${agent}: ${model} (Primärmodell)`,
    running: (agent, model, at) => `${agent}: ${model}, läuft seit ${at}`,
    others: (text, count) => `${text}; ${count} weitere`,
    armed: 'Bereit: die Ketten sind aktiv',
    unarmed: 'Verbunden, aber ohne Kette',
  },
  place: (position, of) => `${position} von ${of}`,
  primary: 'Primärmodell',
  backAt: (at) => `zurück ~${at}`,
  running: 'läuft',
  stopped: 'steht still',
  needsYou: 'Eingriff nötig',
  needs: {
    auth: 'API-Schlüssel abgelehnt',
    login: 'Anmeldung abgelaufen',
    permission: 'kein Zugang',
    model_not_found: 'nicht verfügbar',
    quota: 'Guthaben verbraucht',
    network_permanent: 'Zertifikat oder Proxy abgelehnt',
    other: 'Anbieter lehnt Anfragen ab',
  },
  more: (count) => `Mehr… (${count})`,
  needYou: (count) => `${count} mit Eingriff`,
  models: (counts) => `Modelle: ${counts}`,
  noModels: 'Modelle: noch keine',
  last: (at, what) => `Zuletzt ${at}: ${what}`,
  moved: (agent, from, to, why) => `${agent} ${from} → ${to}${why && ` (${why})`}`,
  beforeLimit: 'vor dem Limit',
  emptier: (agent, account) => `${agent} nutzt ${account} (leerer)`,
  headroom: {
    full: (at) => `voll ~${at}`,
    refused: 'abgelehnt',
  },
  drill: (at, isPassed) =>
    `Übung um ${at}: ${isPassed ? 'ein anderes Modell hat übernommen' : 'kein Modell hat übernommen'}`,
  agent: {
    fix: 'Beheben…',
    probe: (price) => `Primärmodell jetzt prüfen${price && ` (etwa ${price})`}`,
    reset: 'Primärmodell zurücksetzen',
    hold: '30 min hier festlegen',
    letGo: (until) => `Festlegung lösen (hier festgelegt${until && ` bis ${until}`})`,
    endHold: (until) => `Primärmodell lösen${until && ` (fixiert bis ${until})`}`,
    openChain: 'Kette öffnen…',
  },
  pause: {
    title: 'Automatischen Fallback pausieren',
    quarter: '15 Minuten',
    hour: '1 Stunde',
    open: 'Bis zum Fortsetzen',
    resume: (until) => `Automatischen Fallback fortsetzen${until && ` (bis ${until})`}`,
  },
  mute: {
    title: 'Benachrichtigungen stummschalten',
    hour: '1 Stunde',
    today: 'Heute',
    end: (until) => `Benachrichtigungen einschalten (bis ${until})`,
  },
  exports: {
    title: 'Letzte Auswertung exportieren',
    dialog: 'Auswertung speichern',
  },
  title: {
    heading: 'Text in der Menüleiste',
    choices: {
      off: 'Keiner',
      model: 'Modell',
      minutes: 'Modell und Minuten, bis das Primärmodell zurück ist',
      headroom: 'Verbrauch des vollsten Tarifs',
    },
  },
  open: 'Understudy öffnen',
  settings: 'Einstellungen…',
  quit: 'Beenden',
  refused: { title: 'Diese Aktion wurde abgelehnt.', close: 'Schließen' },
  notice: {
    name: 'Zum Symbol',
    absent:
      'Dieser Desktop zeigt keine Symbole in der Leiste; Schließen verkleinert dieses Fenster nur. Noch einmal schließen beendet die App.',
    hidden:
      'Das Symbol in der Menüleiste ist verdeckt. Understudy in den Systemeinstellungen unter Menüleiste erlauben oder dort Platz schaffen.',
    dismiss: 'Ausblenden',
  },
};
