import type { trayTexts } from '../tray';

export const tray: ReturnType<typeof trayTexts> = {
  tooltip: {
    lost: 'Nicht verbunden: OpenCode läuft nicht',
    incompatible: 'Nicht verbunden: Plugin und App haben verschiedene Versionen',
    waiting: 'Wartet auf OpenCode',
    allDown: (agent, count, next) =>
      `${agent}: ${count === 1 ? 'das einzige Modell' : `alle ${count} Modelle`} nicht verfügbar${next && `, das erste in ${next}`}`,
    leftOut: (agent) => `${agent} ist in der Sitzung außen vor`,
    fallback: (agent, model, place, back) =>
      `${agent}: ${model} (${place})${back && `, Erstbesetzung zurück ~${back}`}`,
    cooling: (count, of) => `In Ordnung; ${count} von ${of} in Abkühlung`,
    paused: (until) => `Automatischer Fallback ist pausiert${until && ` bis ${until}`}`,
    attention: (providers) => `In Ordnung; Eingriff nötig bei ${providers}`,
    primary: (agent, model) => `${agent}: ${model} (Erstbesetzung)`,
    others: (said, count) => `${said}; ${count} weitere`,
    armed: 'Bereit: die Ketten stehen',
    unarmed: 'Verbunden, aber ohne Kette',
  },
  place: (position, of) => `${position} von ${of}`,
  primary: 'Erstbesetzung',
  backAt: (at) => `zurück ~${at}`,
  leftOut: 'außen vor',
  noModel: 'kein Modell übrig',
  needsYou: 'Eingriff nötig',
  needs: {
    auth: 'API-Schlüssel abgelehnt',
    permission: 'kein Zugang',
    model_not_found: 'unbekanntes Modell',
    quota: 'Guthaben verbraucht',
    network_permanent: 'Zertifikat oder Proxy abgelehnt',
    other: 'vom Provider abgelehnt',
  },
  more: (count) => `Mehr… (${count})`,
  needYou: (count) => `${count} mit Eingriff`,
  models: (counts) => `Modelle: ${counts}`,
  noModels: 'Modelle: noch keines bekannt',
  last: (at, what) => `Zuletzt ${at}: ${what}`,
  moved: (agent, from, to, why) => `${agent} ${from} → ${to}${why && ` (${why})`}`,
  drill: (at, isPassed) => `Übung um ${at}: ${isPassed ? 'ein anderes Modell sprang ein' : 'niemand sprang ein'}`,
  agent: {
    fix: 'Beheben…',
    probe: (price) => `Erstbesetzung jetzt prüfen${price && ` (etwa ${price})`}`,
    reset: 'Erstbesetzung zurücksetzen',
    hold: '30 min hier halten',
    letGo: (until) => `Freigeben (hier gehalten${until && ` bis ${until}`})`,
    endHold: (until) => `Erstbesetzung lösen${until && ` (fixiert bis ${until})`}`,
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
      model: 'Das Modell',
      minutes: 'Das Modell und die Minuten, bis die Erstbesetzung zurück ist',
    },
  },
  open: 'Understudy öffnen',
  settings: 'Einstellungen…',
  quit: 'Beenden',
  refused: { title: 'Das wurde nicht getan.', close: 'Schließen' },
  notice: {
    name: 'Zum Symbol',
    absent:
      'Diese Arbeitsumgebung zeigt keine Symbole in der Leiste; Schließen verkleinert dieses Fenster deshalb nur. Noch einmal geschlossen beendet es die App.',
    hidden:
      'Das Symbol in der Menüleiste ist verdeckt. Understudy in den Systemeinstellungen unter Menüleiste erlauben oder dort Platz schaffen.',
    dismiss: 'Verstanden',
  },
};
