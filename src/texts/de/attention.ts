import type { attentionTexts } from '../attention';

export const attention: ReturnType<typeof attentionTexts> = {
  name: 'Zu erledigen',
  inProject: (agent, project) => `${agent} in ${project}`,
  apart: {
    lost: {
      title: 'Nicht mit OpenCode verbunden.',
      detail: 'OpenCode wurde geschlossen oder läuft ohne den Begleiter. Zu sehen ist der letzte bekannte Stand.',
    },
    incompatible: {
      title: 'Begleiter und App haben verschiedene Versionen.',
      detail: 'Beide auf dieselbe Version bringen. Bis dahin zeigt diese Ansicht nur an.',
    },
  },
  question: {
    one: (agent) => `${agent} wartet auf eine Antwort.`,
    many: (agents) => `${agents} warten auf eine Antwort.`,
  },
  waiting: {
    permission: (agent) => `${agent} wartet auf eine Freigabe.`,
    permissions: (agents) => `${agents} warten auf eine Freigabe.`,
    detail: (since) => `In OpenCode antworten. Offen seit ${since}.`,
  },
  silent: {
    one: (agent, model) => `${agent} wartet auf das erste Token von ${model}.`,
    many: (agents) => `${agents} warten auf ihr erstes Token.`,
    detail: (since) => `Anfrage um ${since} gesendet.`,
  },
  stuck: {
    alone: (agent, at) => `${agent} kommt nicht weiter${at && ` bis etwa ${at}`}: kein Fallback-Modell.`,
    held: (agent, at) => (at === '' ? `${agent} kommt nicht weiter.` : `${agent} wartet bis etwa ${at}.`),
    waiting: (agents) => `${agents} warten.`,
    detail: (why, hasEnd) =>
      hasEnd ? `${why}; danach wird die Anfrage erneut gesendet.` : `${why}; OpenCode wiederholt sie immer wieder.`,
  },
  exhausted: {
    one: (agent) => `${agent} hat kein Modell mehr.`,
    many: (agents) => `${agents} haben kein Modell mehr.`,
    stopped: (agent) => `${agent} steht still.`,
    out: (count, at, hasFailed, isYours = false) => {
      const who =
        count === 1 ? 'Das einzige Modell ist' : count === 2 ? 'Beide Modelle sind' : `Alle ${count} Modelle sind`;
      const back = at && `, ${count === 1 ? '' : 'das erste ist '}etwa um ${at} zurück`;
      const one = count === 1 ? 'es' : 'eines';
      const when = at ? 'dann erneut senden' : `erneut senden, sobald ${one} ${isYours ? 'repariert' : 'zurück'} ist`;
      return `${who} nicht verfügbar${back}.${hasFailed ? ` Die Sitzung ist sicher; die Nachricht ${when}.` : ''}`;
    },
    budget: (agents) => `Das Budget für ${agents} ist verbraucht.`,
    halted: (spent, anew) =>
      `${spent}, darum wird nichts gesendet.${anew && ` Neu ab ${anew}.`} Die Sitzung ist sicher.`,
    again: (model) =>
      `Die Runde endete ohne Antwort, aber ${model} nimmt jetzt Anfragen an. Die Sitzung ist sicher; die Nachricht erneut senden.`,
  },
  leftOut: {
    one: (agent) => `${agent} pausiert in dieser Sitzung.`,
    many: (agents) => `${agents} pausieren in ihren Sitzungen.`,
    detail: (isOne) => (isOne ? 'Für neue Antworten zurückholen.' : 'Für neue Antworten alle zurückholen.'),
  },
  failing: {
    title: (project) => `Anfragen in ${project} scheitern.`,
    detail: (failed, requests) => `${failed} der letzten ${requests} sind gescheitert.`,
  },
  unmoved: {
    title: (version) => `OpenCode ${version} kann eine scheiternde Runde nicht mit einem anderen Modell fortsetzen.`,
    again:
      'Fällt ein Modell aus, endet die Runde, und das nächste Modell beantwortet dieselbe Nachricht. Understudy prüft das nach einem Tag erneut.',
    watch:
      'Fällt ein Modell aus, endet die Runde mit dem Fehler. Die nächste Nachricht geht an ein verfügbares Modell. Understudy prüft das nach einem Tag erneut.',
  },
  spent: {
    title: (budgets) => `Budget verbraucht: ${budgets}.`,
    does: {
      warn: 'Die Arbeit geht weiter.',
      degrade: 'Günstigere Modelle antworten.',
      ask: 'Ein anderes Modell antwortet, oder Understudy fragt vor einer Anfrage, die dazu zählt.',
      stop: 'Understudy sendet keine Anfrage, die dazu zählt.',
    },
    detail: (amount, does, anew) => `${amount}. ${does}${anew && ` Es beginnt ${anew} neu.`}`,
  },
  paused: {
    title: (at) => `Der automatische Fallback pausiert${at && ` bis ${at}`}.`,
    detail:
      'Die nächste Nachricht jedes Agenten geht an dessen Primärmodell, verfügbar oder nicht. Fällt ein Modell aus, steht die Arbeit still.',
  },
  unable: {
    title: (agents, isOne) => `${agents} ${isOne ? 'hat' : 'haben'} gerade kein Modell.`,
    detail: (at) => `Kein Modell nimmt die nächste Nachricht an${at && `; das erste ist etwa um ${at} zurück`}.`,
  },
  lastLeft: {
    title: (agents, isOne) => `${agents} ${isOne ? 'hat' : 'haben'} gerade nur ein Modell.`,
    detail: (at) => `Fällt es aus, steht die Arbeit still${at && `; das nächste ist etwa um ${at} zurück`}.`,
  },
  unprotected: {
    one: (agent) => `${agent} hat kein Fallback-Modell.`,
    offFor: (agent) => `Fallback ist für ${agent} aus.`,
    several: (agents) => `${agents} haben kein Fallback-Modell.`,
    many: (count, of) => `${count === 0 ? 'Keiner' : count} von ${of} Agenten ${count < 2 ? 'ist' : 'sind'} geschützt.`,
    covered: (count, of) =>
      `${count === 0 ? 'Keiner' : count} von ${of} Agenten ${count < 2 ? 'hat' : 'haben'} ein Fallback-Modell in der Kette.`,
    detail: (agents, isOne) =>
      isOne ? 'Fällt sein Modell aus, steht die Arbeit still.' : `Ohne Fallback-Modell: ${agents}.`,
    off: 'Fallback ist ausgeschaltet. Fällt ein Modell aus, steht die Arbeit still.',
  },
  needsYou: {
    one: (provider) => `${provider} braucht einen Eingriff.`,
    many: (providers) => `${providers} brauchen einen Eingriff.`,
    detail: (remedy, others) =>
      `${remedy}${others > 0 ? ` Betroffen ${others === 1 ? 'ist 1 weiteres Modell' : `sind ${others} weitere Modelle`} dieses Anbieters.` : ''}`,
  },
  pinned: {
    title: (agent, model) => `${agent} ist auf ${model} festgelegt.`,
    detail: (at) => `Fällt es aus, antwortet kein anderes Modell${at && `, bis ${at}`}.`,
  },
  away: {
    one: (agent, model, position, of) => `${agent} arbeitet mit ${model}, ${position} von ${of}.`,
    many: (agents) => `${agents} arbeiten mit einem Fallback-Modell.`,
    pinned: (model, at) => `Von Hand auf ${model} festgelegt${at && ` bis ${at}`}.`,
    back: (at) => `Primärmodell etwa um ${at} zurück`,
  },
  calm: {
    waiting: {
      title: 'Warten auf OpenCode.',
      lede: 'OpenCode mit dem Begleiter starten. Dann erscheint es hier.',
    },
    one: (agent, isHome) => `${agent} ist geschützt${isHome ? ' und arbeitet mit dem Primärmodell' : ''}.`,
    many: (count, isHome) =>
      `Alle ${count} Agenten sind geschützt${isHome ? ' und arbeiten mit dem Primärmodell' : ''}.`,
    nothing: 'Nichts zu tun.',
    elsewhere: (agents) => `Die nächste Nachricht von ${agents} geht an ein Fallback-Modell.`,
    ready: { title: 'Bereit.', lede: 'Die Ketten sind aktiv.' },
    noChain: {
      title: 'Verbunden, aber ohne Kette.',
      lede: 'Ohne Kette ist kein Agent geschützt.',
    },
  },
  agents: (count) => `${count} Agenten`,
  does: {
    bringBack: 'Zurückholen',
    resume: 'Fortsetzen',
    letGo: 'Festlegung lösen',
    add: 'Hinzufügen…',
    protect: 'Alle schützen…',
    switchOn: 'Einstellungen…',
    fix: 'Beheben…',
    look: 'Ansehen…',
    connect: 'Verbinden…',
    open: 'Öffnen…',
  },
  doesOf: (does, about) => `${does} ${about}`,
  done: {
    bringBack: (agent) => `${agent} ist zurück.`,
    resume: () => 'Umschalten fortgesetzt.',
    letGo: (agent) => `${agent} folgt wieder der Kette.`,
  },
  nextMessage: 'mit der nächsten Nachricht',
};
