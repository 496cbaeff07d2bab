import type { actTexts } from '../acts';

export const acts: ReturnType<typeof actTexts> = {
  reset: {
    nothing: 'Kein Modell braucht ein Zurücksetzen.',
    one: (name) => `${name} gilt als bereit; die nächste Anfrage darf es versuchen.`,
    many: (names) => `${names} gelten als bereit; die nächsten Anfragen dürfen sie versuchen.`,
    ignores: (provider, name, until) =>
      `${provider} hat für ${name} eine Abkühlzeit${until && ` bis ${until}`} vorgegeben. Das Zurücksetzen ignoriert sie.`,
    otherwise: (remedy) => `${remedy} Sonst scheitert es wieder.`,
  },
  out: {
    nobody: (name) => `Kein laufender Agent arbeitet gerade mit ${name}.`,
    moves: (agents, isOne) => `${agents} ${isOne ? 'wechselt' : 'wechseln'} mit der nächsten Anfrage das Modell.`,
    stops: (agents) => `Für ${agents} bleibt kein nutzbares Modell: Die Arbeit stünde still.`,
    others: 'Agenten ohne eigene Kette',
  },
  in: {
    ready: (name) => `${name} gilt immer als bereit; ein Fehlschlag betrifft nur seine eigene Runde.`,
    ignores: (provider, until) =>
      `${provider} hat dafür eine Abkühlzeit${until && ` bis ${until}`} vorgegeben. Die Fixierung ignoriert sie.`,
  },
  returns: (agent, lead) => `${agent} kehrt mit der nächsten Nachricht zu ${lead} zurück.`,
  remedies: {
    none: 'Nichts zu tun.',
    auth: (provider) =>
      `Für ${provider} einen gültigen API-Schlüssel hinterlegen (opencode auth login), dann das Modell zurücksetzen.`,
    login: (provider) => `Bei ${provider} neu anmelden: opencode auth login.`,
    permission: (_provider, name) => `Im Konto Zugang zu ${name} beantragen, dann das Modell zurücksetzen.`,
    model_not_found: (_provider, name) =>
      `Name und npm-Paket von ${name} prüfen oder das Modell aus der Kette entfernen.`,
    quota: (provider) => `Das Konto bei ${provider} aufladen, dann das Modell zurücksetzen.`,
    network_permanent: (provider) =>
      `Zertifikat oder Proxy auf dem Weg zu ${provider} korrigieren, dann das Modell zurücksetzen.`,
    other: (provider) => `Das von ${provider} gemeldete Problem beheben, dann zurücksetzen.`,
  },
  states: {
    ready: 'Verfügbar. Nichts zu tun.',
    unproven: (failed, phrase) =>
      `Verfügbar, aber ${failed === 1 ? 'die einzige Anfrage ist' : `alle ${failed} Anfragen sind`} gescheitert${phrase && `, zuletzt: ${phrase}`}.`,
    unseen: 'Noch keine Anfrage.',
    degraded: (failures, threshold) => `Nutzbar. ${failures} von ${threshold}, die den Breaker auslösen würden.`,
    cooling: (phrase) => `Keine Anfrage wird gesendet: ${phrase || 'begrenzt'}.`,
    resting: (phrase) => `Nutzbar, aber nur, wenn kein besseres Modell bereit ist${phrase && `; zuletzt: ${phrase}`}.`,
    open: (phrase) =>
      `Keine Anfrage wird gesendet: zu oft gescheitert${phrase && `, zuletzt: ${phrase}`}. Danach prüft es eine Probeanfrage.`,
    probing: 'Eine Probeanfrage läuft; ihr Ergebnis entscheidet.',
    blocked: (phrase, remedy) => `${phrase && `Zuletzt: ${phrase}. `}${remedy}`,
    isolated: 'Aus allen Ketten isoliert, bis es freigegeben wird.',
    held: 'Fixiert.',
    flapping: 'Es fiel wiederholt aus und erholte sich; darum bleibt es eine Weile außer Betrieb.',
    heldOut: (until) => `Außer Betrieb gehalten ${until ? `bis ${until}` : 'bis auf Weiteres'}.`,
    outBeyond: 'Danach bleibt es nicht verfügbar.',
    heldIn: (until) => `In Betrieb gehalten ${until ? `bis ${until}` : 'bis auf Weiteres'}, auch bei offenem Breaker.`,
  },
  question: {
    again: (model, agent) => `${model} für ${agent} erneut versuchen?`,
    other: (to, agent) => `Darf ${to} für ${agent} antworten?`,
    spend: (agent) => `Darf ${agent} das Budget überschreiten?`,
    spentLede: (spent, model) =>
      `${spent}. Ja: ${model} wird verwendet, ohne weitere Rückfrage bis zum Neubeginn des Budgets. Nein: Die Runde endet.`,
    drainLede: (used, to, from) =>
      `${used}. Ohne Antwort macht nach 10 s ${to} weiter. Bei Nein ein anderes Modell, oder ${from}, wenn möglich.`,
    out: 'außer Betrieb',
    lede: (model, phrase, agent) =>
      `${model}: ${phrase}. Ohne ein Ja wird ${agent} in dieser Sitzung pausiert, bis zum Zurückholen.`,
  },
};
