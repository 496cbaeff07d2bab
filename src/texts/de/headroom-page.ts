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
    fullest: (limit, used) => `Am vollsten ist ${limit}: ${used}.`,
    calm: 'Kein Tarif ist nahe am Limit.',
    calmOfKnown: 'Kein bekannter Tarif ist nahe am Limit.',
    unknown: 'Wie voll die Tarife sind, ist nicht bekannt.',
    short: 'Bekannt sind nur Limits, die sich in Minuten wieder füllen.',
    none: 'Noch ist kein Limit bekannt.',
  },
  lede: {
    band: (from, to) => `Zwischen ${from} und ${to}, je nachdem, wie das Tempo schwankt.`,
    from: (from) => `Frühestens ${from}, je nachdem, wie das Tempo schwankt.`,
    overdraws: 'Der Anbieter geht darüber hinaus, gegen Geld.',
    more: (count) =>
      count === 1
        ? 'Ein weiteres ist voll oder wird es vor seinem Neubeginn.'
        : `${count} weitere sind voll oder werden es vor ihrem Neubeginn.`,
    unknown: (count) =>
      `Von ${count === 1 ? 'einem Tarif' : `${count} Tarifen`} ist seit dem letzten Neubeginn nichts bekannt: Die nächste Antwort sagt es.`,
    fullestShort: (limit, used) => `Am vollsten ist ${limit}: ${used}.`,
  },
  accounts: {
    title: 'Konten',
    legend: '│ ist gleichmäßiges Tempo; schraffiert liegt davor',
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
    isAhead: 'schneller als gleichmäßig',
  },
  course: {
    title: 'Verlauf',
    pick: 'Welcher Tarif',
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
    lasts: (used) => `In diesem Tempo sind bis zum Neubeginn ${used} verbraucht.`,
    moved: (all, ours, others) =>
      all === ours
        ? `Er stieg um ${all}, während hier Anfragen liefen.`
        : `Er stieg um ${all} des Tarifs: um ${ours}, während hier Anfragen liefen, und um ${others}, während keine liefen.`,
    byAgent: 'Nach Agent',
    bySession: 'Nach Sitzung',
    estimate: 'Teile des Tarifs, aus Token geschätzt',
    others: 'andere',
    elsewhere: 'nicht über Understudy',
    looking: 'Wird nachgesehen …',
    none: 'Von diesem Tarif ist noch nichts aufgezeichnet.',
  },
  moved: {
    title: 'Vor einem Limit gewechselt',
    caption: 'oder darauf gewartet',
    none: 'Unter den letzten Ereignissen hat niemand vor einem Limit gewechselt.',
    all: 'Alle Ereignisse',
  },
  how: {
    title: 'Was geschieht',
    plan: 'Wenn es nicht anders eingestellt ist, beginnt mit einem fast verbrauchten Tarif keine Runde: Das nächste Modell der Kette antwortet, und die Erstbesetzung ist mit der ersten Nachricht nach dem Neubeginn zurück.',
    short:
      'Eine Anfrage, für die im Limit einer Minute kein Platz ist, wartet ein paar Sekunden oder geht an das nächste Modell der Kette.',
    unknown: 'Was nicht bekannt ist, bewegt niemanden.',
  },
  set: {
    titles: { headroom: 'Einstellungen', budget: 'Budgets festlegen' },
    caption: 'für alle Projekte, in der eigenen Datei',
    applied: 'Einstellungen der Limits geändert.',
    unread: 'Die eigene Datei ist nicht zu verstehen: Erst wenn sie in Ordnung ist, lässt sie sich hier ändern.',
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
      'headroom.drain': 'Ein Tarif, den fremde Arbeit an einem Tag verbrauchen würde',
      'headroom.spread': 'Zwei Konten eines Modells',
      'headroom.trustEstimates': 'Auch Schätzungen bewegen Agenten',
      'budget.day': 'Budget am Tag',
      'budget.week': 'Budget in der Woche',
      'budget.session': 'Budget einer Sitzung',
      'budget.action': 'Wenn es verbraucht ist',
    },
    choices: {
      'headroom.act': { move: 'das nächste Modell wird gefragt', warn: 'es wird gemeldet', off: 'nichts' },
      'headroom.drain': { auto: 'andere zuerst', ask: 'mich fragen', never: 'nie dorthin' },
      'headroom.spread': { false: 'in der Reihenfolge der Kette', true: 'das leerere zuerst' },
      'budget.action': {
        warn: 'es wird mir gemeldet',
        degrade: 'billigere Modelle',
        ask: 'mich fragen',
        stop: 'nichts wird gesendet',
      },
      yesNo: { false: 'nein', true: 'ja' },
    },
  },
  begin: {
    title: 'Woher die Zahlen kommen',
    read: 'Die meisten Anbieter sagen mit jeder Antwort, wie voll die Limits des Kontos sind: die fünf Stunden oder die Woche eines Tarifs, die Anfragen und Token einer Minute. Das wird im Vorbeigehen gelesen. Es ist nichts einzurichten, und niemand wird danach gefragt.',
    silent:
      'Von einem Anbieter, der nichts sagt, ist nichts zu sehen, und niemand wechselt deswegen. Seine Limits lassen sich in der eigenen `model-fallback.json` unter `headroom.limits` eintragen: Sie werden aus der eigenen Nutzung gezählt, als Schätzung.',
  },
  near: { title: 'Spielraum', all: 'Alle Konten' },
};
