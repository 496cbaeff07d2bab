import type { actTexts } from '../acts';

export const acts: ReturnType<typeof actTexts> = {
  reset: {
    nothing: 'Nichts ist zurückzusetzen.',
    one: (name) => `${name} gilt als bereit; die nächste Anfrage darf es versuchen.`,
    many: (names) => `${names} gelten als bereit; die nächsten Anfragen dürfen sie versuchen.`,
    ignores: (provider, name, until) =>
      `${provider} hat gebeten, ${name}${until && ` bis ${until}`} in Ruhe zu lassen. Das Zurücksetzen übergeht das.`,
    otherwise: (remedy) => `${remedy} Sonst scheitert es wieder.`,
  },
  out: {
    nobody: (name) => `Kein laufender Agent arbeitet gerade mit ${name}.`,
    moves: (agents, isOne) => `${agents} ${isOne ? 'geht' : 'gehen'} mit der nächsten Anfrage weiter.`,
    stops: (agents) => `Für ${agents} bleibt nichts Nutzbares übrig: die Arbeit stünde still.`,
    others: 'Agenten ohne eigene Kette',
  },
  in: {
    ready: (name) => `${name} gilt immer als bereit; ein Fehlschlag betrifft nur seine eigene Runde.`,
    ignores: (provider, until) =>
      `${provider} hat gebeten, es${until && ` bis ${until}`} in Ruhe zu lassen. Die Fixierung übergeht das.`,
  },
  returns: (agent, lead) => `${agent} kehrt mit der nächsten Nachricht zu ${lead} zurück.`,
  remedies: {
    none: 'Nichts zu tun.',
    auth: (provider) =>
      `Für ${provider} einen gültigen API-Schlüssel hinterlegen (opencode auth login), dann zurücksetzen.`,
    login: (provider) => `Bei ${provider} neu anmelden: opencode auth login.`,
    permission: (_provider, name) => `Im Konto Zugang zu ${name} beantragen, dann zurücksetzen.`,
    model_not_found: (_provider, name) => `Name und Paket von ${name} prüfen oder das Modell aus der Kette entfernen.`,
    quota: (provider) => `Das Konto bei ${provider} aufladen, dann zurücksetzen.`,
    network_permanent: (provider) =>
      `Zertifikat oder Proxy auf dem Weg zu ${provider} in Ordnung bringen, dann zurücksetzen.`,
    other: (provider) => `Beheben, was ${provider} meldet, dann zurücksetzen.`,
  },
  states: {
    ready: 'Antwortet. Nichts zu tun.',
    unproven: (failed, phrase) =>
      `Darf gefragt werden. ${failed === 1 ? 'Die einzige Anfrage ist' : `Alle ${failed} Anfragen sind`} gescheitert${phrase && `, zuletzt: ${phrase}`}.`,
    unseen: 'Noch nie gefragt.',
    degraded: (failures, threshold) => `Nutzbar. ${failures} von ${threshold}, die den Breaker auslösen würden.`,
    cooling: (phrase) => `Keine Anfrage wird gesendet: ${phrase || 'begrenzt'}.`,
    resting: (phrase) => `Nutzbar, aber nur, wenn nichts Besseres bereit ist${phrase && `; zuletzt: ${phrase}`}.`,
    open: (phrase) =>
      `Keine Anfrage wird gesendet: zu oft gescheitert${phrase && `, zuletzt: ${phrase}`}. Danach darf eine Probeanfrage durch.`,
    probing: 'Eine Anfrage läuft; ihr Ausgang entscheidet.',
    blocked: (phrase, remedy) => `${phrase && `Zuletzt: ${phrase}. `}${remedy}`,
    isolated: 'Aus allen Ketten genommen, bis jemand es wieder zulässt.',
    held: 'Fixiert.',
    flapping: 'Fiel immer wieder aus und bleibt darum eine Weile außer Betrieb.',
    heldOut: (until) => `Außer Betrieb gehalten ${until ? `bis ${until}` : 'bis auf Weiteres'}.`,
    outBeyond: 'Danach bleibt es außer Betrieb.',
    heldIn: (until) => `In Betrieb gehalten ${until ? `bis ${until}` : 'bis auf Weiteres'}, was auch der Breaker sagt.`,
  },
  question: {
    again: (model, agent) => `${model} für ${agent} noch einmal fragen?`,
    other: (to, agent) => `Darf ${to} für ${agent} antworten?`,
    spend: (agent) => `Darf ${agent} weiter Geld kosten?`,
    spentLede: (spent, model) =>
      `${spent}. Mit einem Ja wird ${model} gefragt, und bis das Budget neu beginnt, fragt niemand mehr nach; ohne eines endet die Nachricht.`,
    drainLede: (used, to, from) =>
      `${used}. Ohne Antwort macht nach 10 s ${to} weiter; mit einem Nein ein anderes Modell, oder ${from}, wenn das geht.`,
    out: 'außer Betrieb',
    lede: (model, phrase, agent) =>
      `${model}: ${phrase}. Ohne ein Ja bleibt ${agent} in dieser Sitzung außen vor, bis man ihn zurückholt.`,
  },
};
