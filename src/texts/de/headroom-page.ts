import type { headroomPageTexts } from '../headroom-page';

const back = (at: string): string => (at === '' ? '' : `, neu ab ${at}`);

export const headroomPage: ReturnType<typeof headroomPageTexts> = {
  limit: {
    ofPlan: (account, plan) => `das ${plan}-Limit von ${account}`,
    counted: (account, what) => `das Limit von ${account} für ${what}`,
    ofModel: (limit, model) => `${limit} (${model})`,
  },
  title: {
    refused: (limit, until) => `Anfragen werden abgelehnt: ${limit}${back(until)}.`,
    all: (limit, until) => `Ganz verbraucht: ${limit}${back(until)}.`,
    nearly: (limit, used, until) => `Zu ${used} verbraucht: ${limit}${back(until)}.`,
    ahead: (limit, at, before) =>
      `In diesem Tempo ist ${limit} gegen ${at} voll${before === '' ? '' : `, ${before} vor dem Neubeginn`}.`,
    fullest: (limit, used) => `Am stärksten verbraucht ist ${limit}: ${used}.`,
    calm: 'Kein Tarif ist nahe am Limit.',
    calmOfKnown: 'Kein bekannter Tarif ist nahe am Limit.',
    unknown: 'Der Verbrauch der Tarife ist unbekannt.',
    short: 'Bekannt sind nur Limits, die sich binnen Minuten auffüllen.',
    none: 'Noch ist kein Limit bekannt.',
  },
  lede: {
    band: (from, to) => `Zwischen ${from} und ${to}, je nach Tempo.`,
    from: (from) => `Frühestens ${from}, je nach Tempo.`,
    overdraws: 'Darüber hinaus berechnet der Anbieter die Nutzung.',
    more: (count) =>
      count === 1
        ? 'Ein weiteres ist voll oder wird es vor dem Zurücksetzen.'
        : `${count} weitere sind voll oder werden es vor dem Zurücksetzen.`,
    unknown: (count) =>
      count === 1
        ? 'Für einen Tarif fehlen Daten seit dem Zurücksetzen; die nächste Antwort liefert sie.'
        : `Für ${count} Tarife fehlen Daten seit dem Zurücksetzen; die nächste Antwort liefert sie.`,
    fullestShort: (limit, used) => `Am stärksten verbraucht ist ${limit}: ${used}.`,
  },
  accounts: {
    title: 'Konten',
    legend: '│ bis jetzt erwartet; schraffiert = darüber',
    table: 'Tabelle',
    bars: 'Balken',
    asTable: 'Konten als Tabelle',
    asBars: 'Konten als Balken',
    columns: {
      account: 'Konto',
      limit: 'Zeitfenster',
      used: 'Verbraucht',
      passed: 'Zeit vergangen',
      pace: 'Tempo',
      full: 'Voll gegen',
      back: 'Neu ab',
      heard: 'Alter',
    },
    perHour: (part) => `${part} pro Stunde`,
  },
  bar: {
    used: (part) => `${part} verbraucht`,
    passed: (part) => `${part} der Zeit vergangen`,
    isAhead: 'über Plan',
  },
  course: {
    title: 'Verlauf',
    pick: 'Tarif',
    earlier: '‹ Früher',
    later: 'Später ›',
    chart: 'Diagramm',
    table: 'Tabelle',
    asChart: 'Der Verlauf des Tarifs als Diagramm',
    asTable: 'Der Verlauf des Tarifs als Tabelle',
    time: 'Zeit',
    used: 'Verbraucht',
    legend: { used: 'verbraucht', ahead: 'in diesem Tempo', even: 'gleichmäßiges Tempo' },
    full: (at) => `In diesem Tempo ist er gegen ${at} voll.`,
    lasts: (used) => `In diesem Tempo sind beim Zurücksetzen ${used} verbraucht.`,
    moved: (all, ours, others) =>
      all === ours
        ? `Der Verbrauch stieg um ${all}, während hier Anfragen liefen.`
        : `Der Verbrauch stieg um ${all} des Tarifs: davon ${ours} durch Anfragen dieses Rechners, ${others} durch andere.`,
    byAgent: 'Nach Agent',
    bySession: 'Nach Sitzung',
    estimate: 'geschätzter Anteil am Limit',
    others: 'andere',
    elsewhere: 'nicht über Understudy',
    looking: 'Wird geladen…',
    none: 'Noch keine Daten zu diesem Tarif.',
  },
  moved: {
    title: 'Vor einem Limit gewechselt',
    caption: 'oder darauf gewartet',
    none: 'Kein Wechsel vor einem Limit unter den letzten Ereignissen.',
    all: 'Alle Ereignisse',
  },
  how: {
    title: 'Wann gewechselt wird',
    plan: 'Normalerweise beginnt mit einem fast verbrauchten Tarif keine Runde: Das nächste Modell der Kette antwortet. Das Primärmodell kehrt mit der ersten Nachricht nach dem Zurücksetzen zurück.',
    short:
      'Eine Anfrage, die ein Minutenlimit überschreitet, wartet einige Sekunden oder geht an das nächste Modell der Kette.',
    unknown: 'Unbekannte Limits lösen nie einen Wechsel aus.',
  },
  set: {
    titles: { headroom: 'Einstellungen', budget: 'Budgets festlegen' },
    caption: 'für alle Projekte, in der Datei des Benutzers',
    applied: 'Einstellungen der Limits geändert.',
    unread: 'Die eigene Konfigurationsdatei hat Fehler. Erst nach der Korrektur lässt sie sich hier ändern.',
    none: 'keins',
    more: {
      headroom:
        'Eine Reserve für einen Agenten (`reserve`) und Limits, die ein Anbieter nicht meldet (`limits`), stehen in der Datei.',
      budget: 'Budgets für einen Anbieter, einen Agenten oder ein Projekt stehen in der Datei.',
    },
    byKind: 'nach Art des Fehlers, in der Datei',
    fields: {
      'headroom.act': 'Kurz vor einem Limit',
      'headroom.moveAt': 'Ein Tarif gilt als verbraucht ab',
      'headroom.drain': 'Wenn diese Arbeit einen anderen Tarif binnen eines Tages verbrauchen würde',
      'headroom.spread': 'Zwei Konten eines Modells',
      'headroom.trustEstimates': 'Auch bei Schätzungen wechseln',
      'budget.day': 'Tagesbudget',
      'budget.week': 'Wochenbudget',
      'budget.session': 'Budget je Sitzung',
      'budget.action': 'Wenn es verbraucht ist',
    },
    choices: {
      'headroom.act': { move: 'nächstes Modell verwenden', warn: 'benachrichtigen', off: 'nichts' },
      'headroom.drain': { auto: 'andere Modelle zuerst verwenden', ask: 'nachfragen', never: 'nie verwenden' },
      'headroom.spread': { false: 'in der Reihenfolge der Kette', true: 'das leerere zuerst verwenden' },
      'budget.action': {
        warn: 'benachrichtigen',
        degrade: 'billigere Modelle verwenden',
        ask: 'nachfragen',
        stop: 'nichts mehr senden',
      },
      yesNo: { false: 'nein', true: 'ja' },
    },
  },
  begin: {
    title: 'Quelle der Zahlen',
    read: 'Die meisten Anbieter melden mit jeder Antwort den Stand ihrer Limits: fünf Stunden oder Woche eines Tarifs, Anfragen und Token pro Minute. Understudy liest diese Meldungen. Es ist nichts einzurichten, und es gibt keine zusätzlichen Anfragen.',
    silent:
      'Anbieter, die nichts melden, sind nicht zu sehen und lösen nie einen Wechsel aus. Ihre Limits lassen sich in der eigenen `model-fallback.json` unter `headroom.limits` eintragen: Understudy schätzt sie dann aus der eigenen Nutzung.',
  },
  near: { title: 'Spielraum', all: 'Alle Konten' },
};
