import type { EventWords, eventTexts, Sentence } from '../events';

type Texts = ReturnType<typeof eventTexts>;

const because = ({ model, reason, isHeld }: EventWords): string =>
  reason === '' && !isHeld ? '' : ` – ${model}: ${reason || 'fixiert'}`;
const back = ({ until }: EventWords): string => (until === '' ? '' : `, zurück gegen ${until}`);
const end = ({ until }: EventWords): string => (until === '' ? '' : ` bis ${until}`);
const tallied = ({ tally }: EventWords): string => (tally ? `${tally.count} von ${tally.of}` : '');
const leftOut: Sentence = (said) => `${said.agent} bleibt in dieser Sitzung außen vor${because(said)}`;
const early: Sentence = ({ agent, to }) => `${agent} fragt ${to} vorzeitig: alle Modelle fallen aus`;
const guessed: Sentence = ({ agent, to }) => `${agent} fragt ${to} vorzeitig: nur nach unserer Schätzung fällt es aus`;
const DRAINED = 'er wäre in einem Tag aufgebraucht';
const SPENT = 'ein Budget ist verbraucht';
const ANSWERS = 'Antwort mit /yes oder /no';
const afterRetry = (agent: string): string => `/retry ${agent} holt ihn zurück`;

const exact: Texts['exact'] = {
  'switch.larger': ({ agent, model, to, reason }) => `${agent} wechselte ${model} → ${to}, das mehr fasst: ${reason}`,
  'switch.panic': early,
  'switch.refused': ({ agent, model, to }) =>
    `${agent} wechselte ${model} → ${to}: ${model} lehnte ein Gespräch ab, das ein anderes Modell begann`,
  'redirect.lead': (said) =>
    said.isHeld
      ? `${said.agent} ging gleich zu ${said.to}: ${said.model} ist fixiert${end(said)}`
      : `${said.agent} geht zu ${said.to}, dem ersten der Kette`,
  'redirect.pinned': ({ agent, to }) => `${agent} geht zu ${to}, von Hand festgelegt`,
  'redirect.panic': early,
  'redirect.estimate': guessed,
  'keep.paused': ({ agent, to }) => `${agent} bleibt bei ${to}: das Umschalten ist pausiert`,
  'keep.pinned': ({ agent, to }) => `${agent} bleibt bei ${to}, von Hand festgelegt`,
  'keep.native': ({ agent, to }) => `${agent} bleibt bei ${to}: OpenCode fragt selbst noch einmal`,
  'keep.ask': ({ agent, to }) => `${agent} bleibt bei ${to}: vor einem Wechsel wird gefragt`,
  'hold.loop': ({ agent, to }) =>
    `${agent} hält diese Nachricht 15 s zurück und fragt dann ${to}: mehrere kamen gleich nach einem Fehler`,
  'hold.headroom': (said) =>
    `${said.agent} wartet auf ${said.model}${end(said)}: ${said.near || 'gleich ist wieder Platz'}`,
  'home.answered': ({ agent, to }) => `${agent} ist zurück bei ${to}`,
  'keep.soon': ({ agent, to }) => `${agent} bleibt bei ${to}: ein Modell ist gleich zurück`,
  'keep.blocked': ({ agent, to }) => `${agent} versucht ${to} noch einmal: die Modelle brauchen einen Eingriff`,
  'keep.panic': early,
  'keep.estimate': guessed,
  'hold.soonest': (said) => `${said.agent} wartet${end(said)} auf ${said.to}: es ist als erstes zurück`,
  'hold.local_network': ({ agent }) => `${agent} wartet, bis dieser Rechner wieder ein Netz hat`,
  'exhausted.depth': (said) => `${said.agent} hat die Grenze maxFallbackDepth erreicht${because(said)}`,
  'exhausted.attempts': (said) => `${said.agent} endet nach zu vielen gescheiterten Anfragen${because(said)}`,
  'exhausted.refused': ({ agent }) => `${agent} hat kein Modell mehr: die anderen Modelle lehnten dieses Gespräch ab`,
  'exhausted.degraded': ({ agent }) => `${agent} bleibt in dieser Sitzung außen vor: ${afterRetry(agent)}`,
  'exhausted.paused': (said) =>
    `${said.agent} fragt niemanden: ${said.model} ist von Hand außer Betrieb${end(said)}, und das Umschalten ist pausiert`,
  'exhausted.money': (said) => `${said.agent} sendet nichts mehr${end(said)}: ${said.near || SPENT}`,
  'ask.drain': (said) => `${said.agent} fragt, ob es mit einem anderen Tarif weitergehen soll: ${said.near || DRAINED}`,
  'hold.drain': ({ agent }) => `${agent} macht weiter, nach der Frage zu einem anderen Tarif`,
  'headroom.drains': (said) => `${said.agent} macht mit einem anderen Tarif weiter: ${said.near || DRAINED}`,
  'headroom.spread': ({ agent, to, near, account }) =>
    account === '' ? `${agent} nutzt ${to}, das leerere Konto seines Modells` : `${agent} nutzt ${account}: ${near}`,
  'ask.money': (said) => `${said.agent} fragt, ob es weiter Geld kosten darf: ${said.near || SPENT}`,
  'hold.money': (said) => `${said.agent} fragt wie gewünscht weiter: ${said.near || SPENT}`,
  'declined.money': (said) => `${said.agent} fragt wie gewünscht niemanden mehr: ${said.near || SPENT}`,
  'skipped.money': (said) => `${said.agent} fragt niemanden mehr, denn eine Antwort blieb aus: ${said.near || SPENT}`,
  'money.passed': (said) => `Ein Budget wird knapp: ${said.near || SPENT}`,
  'money.spent': (said) => `Ein Budget ist aufgebraucht: ${said.near || SPENT}`,
  'money.allowed': () => 'Ein Budget darf überschritten werden, bis es neu beginnt',
  'pass.paused': ({ agent, model }) => `${agent} bleibt bei ${model}: das Umschalten ist pausiert`,
  'pass.no_chain': (said) =>
    `${said.agent} hat keine Kette: OpenCode macht mit ${said.model} allein weiter${because(said)}`,
  'pass.budget': (said) =>
    `${said.agent} bleibt bei ${said.model}: die Wiederholungen der Sitzung sind verbraucht, und niemand sonst darf antworten${because(said)}`,
  'pass.pinned': ({ agent, model, reason }) => `${agent} bleibt bei ${model}, von Hand festgelegt: ${reason}`,
  'model.flapping': (said) => `${said.model} fiel immer wieder aus und bleibt außer Betrieb${end(said)}`,
  'instance.lost': () => 'OpenCode ist weg',
  'instance.connected': ({ detail }) => `OpenCode ${detail ?? ''} verbunden`.replace('  ', ' '),
  'drill.passed': ({ agent, model, to, durationMs }) =>
    `Übung: ${agent} wechselte ${model} → ${to} in ${durationMs} ms. Kein Anbieter wurde gefragt`,
  'probe.passed': ({ model, durationMs, detail }) =>
    `${model} von Hand geprüft: Antwort nach ${durationMs} ms${detail ? `, für ${detail}` : ''}`,
  'probe.failed': ({ model, reason, detail }) => `${model} von Hand geprüft: ${reason || (detail ?? '')}`,
  'drill.failed': ({ detail }) => `Übung: ${detail ?? 'niemand hat übernommen'}`,
  'budget.warned': (said) =>
    `${said.agent} hat ${tallied(said)} Wiederholungen der Sitzung verbraucht: ein Blick auf Netz und Anbieter lohnt`,
  'budget.spent': (said) =>
    `${said.agent} hat ${tallied(said)} Wiederholungen der Sitzung verbraucht: kein Modell wird nach einem Fehlschlag noch einmal gefragt, sonst gilt das Regelwerk`,
  'question.put': (said) =>
    said.isOfPlan
      ? `${said.agent} fragt, ob es mit ${said.to} weitergehen soll: ${said.near}. Ohne Antwort geht es nach 10 s dort weiter. ${ANSWERS}`
      : said.near
        ? `${said.agent} fragt, ob es weiter Geld kosten darf: ${said.near}. ${ANSWERS}`
        : `${said.agent} fragt, ob ${said.to || 'es'} weitermachen darf${because(said)}. ${ANSWERS}`,
  'question.nudged': ({ agent, to }) =>
    `${agent} wartet noch auf eine Antwort: darf ${to || 'es'} weitermachen? ${ANSWERS}`,
  'question.skipped': ({ agent }) => `Niemand hat ${agent} rechtzeitig geantwortet`,
  'question.answered': ({ agent }) => `Die Frage von ${agent} ist beantwortet`,
  'question.accepted': ({ agent }) => `Die Frage von ${agent} ist mit Ja beantwortet`,
  'question.declined': ({ agent }) => `Die Frage von ${agent} ist mit Nein beantwortet`,
  'failures.many': () => 'Zehn Anfragen sind binnen fünf Minuten gescheitert',
  'history.notice': ({ detail }) => detail ?? 'Der Verlauf wird nicht aufbewahrt',
  'turn.recovered': ({ agent, model }) => `${agent} kann weitermachen: ${model} hat geantwortet`,
  'session.outage': () => 'Mindestens die Hälfte der letzten Anfragen dieser Sitzung ist gescheitert',
  'session.connected': () => 'Die Anfragen dieser Sitzung werden wieder beantwortet',
  'session.paused': () =>
    'Alle Agenten dieser Sitzung bleiben außen vor: sie pausiert, und nichts ist verloren. Mögliche Ursachen sind das Netz, die Anbieter und ihre Schlüssel; /fallback-status zeigt, wer bereit ist, /retry all holt die Agenten zurück',
  'session.resumed': () => 'Diese Sitzung geht weiter',
  'prompt.warned': ({ agent, model }) =>
    `${agent} fragt ${model}, obwohl mindestens die Hälfte der letzten Anfragen dieser Sitzung scheiterte: /fallback-status zeigt, wer bereit ist`,
  'speaker.degraded': (said) => `${leftOut(said)}. ${tallied(said)} aktiv; ${afterRetry(said.agent)}`,
  'speaker.restored': (said) => `${said.agent} ist zurück: ${tallied(said)} aktiv`,
  'network.down': () => 'Dieser Rechner erreicht keinen Anbieter: keinem Modell wird es angelastet',
  'network.back': ({ model }) => `Dieser Rechner hat wieder ein Netz: ${model} hat sich gemeldet`,
  'breaker.stale': ({ model }) =>
    `Eine Anfrage, die vor dem Öffnen des Breakers an ${model} ging, ist zu Ende; der Breaker ändert sich nicht`,
  'network.stale': ({ model }) =>
    `Eine Anfrage, die an ${model} ging, bevor der Anbieter unerreichbar wurde, ist zu Ende; es ändert sich nichts`,
  'breaker.shadow': ({ model }) => `Nur beobachtet: Der Breaker von ${model} hätte geöffnet`,
  'phrase.unknown': ({ model }) => `${model} ist mit einer noch unbekannten Meldung gescheitert`,
  'pin.set': (said) => `${said.agent} ist von Hand auf ${said.model} festgelegt${end(said)}`,
  'pin.ended': ({ agent }) => `${agent} folgt wieder der Kette`,
  'switching.paused': (said) => `Das Umschalten ist von Hand pausiert${end(said)}`,
  'switching.resumed': () => 'Das Umschalten geht weiter',
  'manual.isolated': ({ model }) => `${model} ist von Hand aus allen Ketten genommen`,
  'manual.released': ({ model }) => `${model} ist zurück in den Ketten`,
  'manual.open': (said) => `${said.model} wird von Hand außer Betrieb gehalten${end(said)}`,
  'manual.closed': (said) => `${said.model} wird von Hand in Betrieb gehalten${end(said)}`,
  'manual.unheld': ({ model }) => `Die Fixierung von ${model} ist beendet`,
  'host.resumed': () => 'Dieser Rechner hat geschlafen; jede Wartezeit lief weiter',
  'lease.answered': ({ model }) => `Ein OpenCode wollte ${model} prüfen`,
  'state.damaged': () => 'Das Gespeicherte ist nicht lesbar: Understudy beginnt neu',
  'state.newer': () => 'Das Gespeicherte ist von einer neueren Version: Understudy beginnt neu',
};

const families: Texts['families'] = {
  switch: (said) => `${said.agent} wechselte ${said.model} → ${said.to}: ${said.reason}${back(said)}`,
  redirect: (said) =>
    `${said.agent} ging gleich zu ${said.to} – ${said.model}: ${said.reason || 'nicht bereit'}${back(said)}`,
  headroom: (said) =>
    `${said.agent} geht vor einem Limit zu ${said.to}: ${said.near || `${said.model} ist nah daran`}${back(said)}`,
  money: (said) => `${said.agent} geht zu ${said.to} wegen eines Budgets: ${said.near || SPENT}${back(said)}`,
  home: ({ agent, to }) => `${agent} kehrt zu ${to} zurück`,
  keep: ({ agent, to }) => `${agent} bleibt bei ${to}`,
  hold: (said) =>
    said.to === '' || said.to === said.model
      ? `${said.agent} wartet auf ${said.model}${said.reason === '' ? '' : `: ${said.reason}`}${back(said)}`
      : `${said.agent} wartet und fragt dann ${said.to}${because(said)}`,
  continue: ({ agent, model }) => `${agent} lässt ${model} weitermachen, wo es aufgehört hat`,
  compact: (said) => `${said.agent} kürzt die Unterhaltung${because(said)}`,
  ask: (said) => `${said.agent} fragt, ob es mit einem anderen Modell weitergehen soll${because(said)}`,
  defer: (said) => `${said.agent} lässt den anderen den Vortritt${because(said)}`,
  degraded: leftOut,
  declined: ({ agent }) => `${agent} bleibt in dieser Sitzung außen vor, wie gewünscht`,
  skipped: ({ agent }) => `${agent} bleibt in dieser Sitzung außen vor: niemand hat geantwortet`,
  exhausted: (said) =>
    said.to === ''
      ? `${said.agent} hat kein Modell mehr${because(said)}${said.until === '' ? '' : `; das erste ist gegen ${said.until} zurück`}`
      : `${said.agent} ist stehen geblieben${because(said)}; die nächste Nachricht geht an ${said.to}`,
  pass: ({ agent, model, reason }) => `${agent} bleibt bei ${model}: ${reason}`,
  turn: ({ agent, model }) => `${agent} hat von ${model} eine Antwort`,
  carry: ({ agent, model, detail }) =>
    `${agent} konnte ${model} nicht verlassen: ${detail ?? 'OpenCode hat das neue Modell nicht übernommen'}`,
  config: ({ detail }) => `Die Ketten von ${detail ?? 'einem Projekt'} sind bereit`,
  reset: ({ model, detail }) => `${model || (detail ?? 'Jedes Modell')} wurde von Hand zurückgesetzt`,
};

export const events: Texts = {
  someone: 'Eine Sitzung',
  repeated: 'der Anbieter hatte davor denselben Fehler',
  exact,
  families,
  model: {
    ready: ({ model }) => `${model} darf wieder gefragt werden`,
    retry: ({ model }) =>
      `${model} darf wieder gefragt werden: OpenCode ist gestartet, oder die Konfiguration ist anders`,
    probing: ({ model }) => `Probeanfrage an ${model}; eine Anfrage darf durch`,
    other: (said, state) =>
      `${said.model} ist jetzt ${state}${said.reason === '' ? '' : `: ${said.reason}`}${back(said)}`,
  },
  gathered: (count, agents, why) =>
    `${count} Agenten haben das Modell gewechselt: ${agents}${why === '' ? '' : `. ${why}`}`,
};
