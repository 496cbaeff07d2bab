import type { EventWords, eventTexts, Sentence } from '../events';

type Texts = ReturnType<typeof eventTexts>;

const because = ({ model, reason, isHeld }: EventWords): string =>
  reason === '' && !isHeld ? '' : ` – ${model}: ${reason || 'fixiert'}`;
const back = ({ until }: EventWords): string => (until === '' ? '' : `, zurück gegen ${until}`);
const end = ({ until }: EventWords): string => (until === '' ? '' : ` bis ${until}`);
const tallied = ({ tally }: EventWords): string => (tally ? `${tally.count} von ${tally.of}` : '');
const leftOut: Sentence = (event) => `${event.agent} ist in dieser Sitzung pausiert${because(event)}`;
const early: Sentence = ({ agent, to }) => `${agent} versucht ${to} vorzeitig: kein Modell ist verfügbar`;
const guessed: Sentence = ({ agent, to }) =>
  `${agent} verwendet ${to} vorzeitig: nur nach unserer Schätzung ist es nicht verfügbar`;
const DRAINED = 'der Tarif wäre in einem Tag aufgebraucht';
const SPENT = 'ein Budget ist verbraucht';
const ANSWERS = 'Antwort mit /yes oder /no';
const afterRetry = (agent: string): string => `/retry ${agent} setzt ihn fort`;

const exact: Texts['exact'] = {
  'switch.larger': ({ agent, model, to, reason }) =>
    `${agent} wechselte ${model} → ${to}, das mehr Kontext hat: ${reason}`,
  'switch.panic': early,
  'switch.refused': ({ agent, model, to }) =>
    `${agent} wechselte ${model} → ${to}: ${model} lehnte ein Gespräch ab, das ein anderes Modell begann`,
  'redirect.lead': (event) =>
    event.isHeld
      ? `${event.agent} verwendete ${event.to}, weil ${event.model} fixiert ist${end(event)}`
      : `${event.agent} verwendet ${event.to}, das erste Modell der Kette`,
  'redirect.pinned': ({ agent, to }) => `${agent} verwendet ${to}, von Hand festgelegt`,
  'redirect.panic': early,
  'redirect.estimate': guessed,
  'keep.paused': ({ agent, to }) => `${agent} bleibt bei ${to}: das Umschalten ist pausiert`,
  'keep.pinned': ({ agent, to }) => `${agent} bleibt bei ${to}, von Hand festgelegt`,
  'keep.native': ({ agent, to }) => `${agent} bleibt bei ${to}: OpenCode wiederholt selbst`,
  'keep.ask': ({ agent, to }) => `${agent} bleibt bei ${to}: vor einem Wechsel wird nachgefragt`,
  'hold.loop': ({ agent, to }) =>
    `${agent} hält diese Nachricht 15 s zurück und verwendet dann ${to}: mehrere Nachrichten kamen gleich nach einem Fehler`,
  'hold.headroom': (event) =>
    `${event.agent} wartet auf ${event.model}${end(event)}: ${event.near || 'gleich ist wieder Platz'}`,
  'home.answered': ({ agent, to }) => `${agent} ist zurück bei ${to}`,
  'keep.soon': ({ agent, to }) => `${agent} bleibt bei ${to}: ein Modell ist gleich zurück`,
  'keep.blocked': ({ agent, to }) => `${agent} versucht ${to} erneut: die Modelle brauchen einen Eingriff`,
  'keep.panic': early,
  'keep.estimate': guessed,
  'hold.soonest': (event) => `${event.agent} wartet${end(event)} auf ${event.to}: es ist als erstes zurück`,
  'hold.local_network': ({ agent }) => `${agent} wartet, bis dieser Rechner wieder online ist`,
  'exhausted.depth': (event) => `${event.agent} hat die Grenze maxFallbackDepth erreicht${because(event)}`,
  'exhausted.attempts': (event) => `${event.agent} hielt nach zu vielen gescheiterten Anfragen an${because(event)}`,
  'exhausted.refused': ({ agent }) => `${agent} hat kein verfügbares Modell: die anderen lehnten dieses Gespräch ab`,
  'exhausted.degraded': ({ agent }) => `${agent} ist in dieser Sitzung pausiert: ${afterRetry(agent)}`,
  'exhausted.paused': (event) =>
    `${event.agent} sendet keine Anfrage: ${event.model} ist von Hand außer Betrieb${end(event)}, und das Umschalten ist pausiert`,
  'exhausted.money': (event) => `${event.agent} sendet keine Anfragen mehr${end(event)}: ${event.near || SPENT}`,
  'ask.drain': (event) => `${event.agent} fragt vor dem Wechsel zu einem anderen Tarif: ${event.near || DRAINED}`,
  'hold.drain': ({ agent }) => `${agent} macht weiter, nach der Frage zu einem anderen Tarif`,
  'headroom.drains': (event) => `${event.agent} macht mit einem anderen Tarif weiter: ${event.near || DRAINED}`,
  'headroom.spread': ({ agent, to, near, account }) =>
    account === ''
      ? `${agent} nutzt ${to}, das Konto seines Modells mit mehr Spielraum`
      : `${agent} nutzt ${account}: ${near}`,
  'ask.money': (event) => `${event.agent} fragt, ob weiter Geld ausgegeben werden darf: ${event.near || SPENT}`,
  'hold.money': (event) => `${event.agent} gibt mit Erlaubnis weiter Geld aus: ${event.near || SPENT}`,
  'declined.money': (event) => `${event.agent} gibt nach der Ablehnung kein Geld mehr aus: ${event.near || SPENT}`,
  'skipped.money': (event) => `${event.agent} gibt kein Geld mehr aus, weil keine Antwort kam: ${event.near || SPENT}`,
  'money.passed': (event) => `Ein Budget wird knapp: ${event.near || SPENT}`,
  'money.spent': (event) => `Ein Budget ist verbraucht: ${event.near || SPENT}`,
  'money.allowed': () => 'Ein Budget darf überschritten werden, bis es neu beginnt',
  'pass.paused': ({ agent, model }) => `${agent} bleibt bei ${model}: das Umschalten ist pausiert`,
  'pass.no_chain': (event) =>
    `${event.agent} hat keine Kette: OpenCode macht selbst mit ${event.model} weiter${because(event)}`,
  'pass.budget': (event) =>
    `${event.agent} bleibt bei ${event.model}: das Wiederholungsbudget der Sitzung ist verbraucht, und kein anderes Modell darf antworten${because(event)}`,
  'pass.pinned': ({ agent, model, reason }) => `${agent} bleibt bei ${model}, von Hand festgelegt: ${reason}`,
  'model.flapping': (event) => `${event.model} fiel immer wieder aus und bleibt außer Betrieb${end(event)}`,
  'instance.lost': () => 'OpenCode ist getrennt',
  'instance.connected': ({ detail }) => `OpenCode ${detail ?? ''} verbunden`.replace('  ', ' '),
  'drill.passed': ({ agent, model, to, durationMs }) =>
    `Übung: ${agent} wechselte ${model} → ${to} in ${durationMs} ms. Kein Anbieter wurde angefragt`,
  'probe.passed': ({ model, durationMs, detail }) =>
    `Probeanfrage an ${model}: Antwort nach ${durationMs} ms${detail ? `, für ${detail}` : ''}`,
  'probe.failed': ({ model, reason, detail }) => `Probeanfrage an ${model}: ${reason || (detail ?? '')}`,
  'drill.failed': ({ detail }) => `Übung: ${detail ?? 'kein Modell hat übernommen'}`,
  'budget.warned': (event) =>
    `${event.agent} hat ${tallied(event)} Wiederholungsversuche der Sitzung verbraucht: Netz und Anbieter prüfen`,
  'budget.spent': (event) =>
    `${event.agent} hat ${tallied(event)} Wiederholungsversuche der Sitzung verbraucht: Kein Modell wird mehr wiederholt, sonst gilt das Regelwerk`,
  'question.put': (event) =>
    event.isOfPlan
      ? `${event.agent} fragt, ob es mit ${event.to} weitergehen soll: ${event.near}. Ohne Antwort geht es nach 10 s dort weiter. ${ANSWERS}`
      : event.near
        ? `${event.agent} fragt, ob weiter Geld ausgegeben werden darf: ${event.near}. ${ANSWERS}`
        : `${event.agent} fragt, ob ${event.to || 'es'} weitermachen darf${because(event)}. ${ANSWERS}`,
  'question.nudged': ({ agent, to }) =>
    `${agent} wartet noch auf eine Antwort: darf ${to || 'es'} weitermachen? ${ANSWERS}`,
  'question.skipped': ({ agent }) => `${agent} bekam nicht rechtzeitig eine Antwort`,
  'question.answered': ({ agent }) => `Die Frage von ${agent} ist beantwortet`,
  'question.accepted': ({ agent }) => `Die Frage von ${agent} ist mit Ja beantwortet`,
  'question.declined': ({ agent }) => `Die Frage von ${agent} ist mit Nein beantwortet`,
  'failures.many': () => 'Zehn Anfragen sind binnen fünf Minuten gescheitert',
  'history.notice': ({ detail }) => detail ?? 'Der Verlauf wird nicht gespeichert',
  'turn.recovered': ({ agent, model }) => `${agent} arbeitet wieder: ${model} hat geantwortet`,
  'session.outage': () => 'Viele Anfragen dieser Sitzung sind fehlgeschlagen',
  'session.connected': () => 'Anfragen dieser Sitzung gelingen wieder',
  'session.paused': () =>
    'Diese Sitzung ist pausiert, weil alle ihre Agenten pausiert sind. Nichts ist verloren. Netz, Anbieter und API-Schlüssel prüfen; /fallback-status zeigt die Modelle, /retry all setzt die Agenten fort',
  'session.resumed': () => 'Sitzung fortgesetzt',
  'prompt.warned': ({ agent, model }) =>
    `${agent} fragt ${model} an, obwohl mindestens die Hälfte der letzten Anfragen dieser Sitzung scheiterte: /fallback-status zeigt die Modelle`,
  'speaker.degraded': (event) => `${leftOut(event)}. ${tallied(event)} aktiv; ${afterRetry(event.agent)}`,
  'speaker.restored': (event) => `${event.agent} ist fortgesetzt: ${tallied(event)} aktiv`,
  'network.down': () => 'Dieser Rechner erreicht keinen Anbieter; kein Modell gilt deshalb als gestört',
  'network.back': ({ model }) => `Dieser Rechner ist wieder online: ${model} hat geantwortet`,
  'breaker.stale': ({ model }) =>
    `Eine Anfrage, die vor dem Öffnen des Breakers an ${model} ging, ist zu Ende; der Breaker ändert sich nicht`,
  'network.stale': ({ model }) =>
    `Eine Anfrage, die an ${model} ging, bevor der Anbieter unerreichbar wurde, ist zu Ende; es ändert sich nichts`,
  'breaker.shadow': ({ model }) => `Nur beobachtet: der Breaker von ${model} hätte geöffnet`,
  'phrase.unknown': ({ model }) => `${model} ist mit einer unbekannten Fehlermeldung gescheitert`,
  'pin.set': (event) => `${event.agent} ist von Hand auf ${event.model} festgelegt${end(event)}`,
  'pin.ended': ({ agent }) => `Die Festlegung von ${agent} ist gelöst`,
  'switching.paused': (event) => `Das Umschalten ist von Hand pausiert${end(event)}`,
  'switching.resumed': () => 'Das Umschalten geht weiter',
  'manual.isolated': ({ model }) => `${model} ist von Hand isoliert`,
  'manual.released': ({ model }) => `${model} ist zurück in den Ketten`,
  'manual.open': (event) => `${event.model} wird von Hand außer Betrieb gehalten${end(event)}`,
  'manual.closed': (event) => `${event.model} wird von Hand in Betrieb gehalten${end(event)}`,
  'manual.unheld': ({ model }) => `Die Fixierung von ${model} ist beendet`,
  'host.resumed': () => 'Dieser Rechner hat geschlafen; jede Wartezeit lief weiter',
  'lease.answered': ({ model }) => `Ein OpenCode hat eine Probeanfrage an ${model} angefordert`,
  'state.damaged': () => 'Der gespeicherte Zustand ist nicht lesbar: Understudy beginnt neu',
  'state.newer': () => 'Der gespeicherte Zustand stammt von einer neueren Version: Understudy beginnt neu',
};

const families: Texts['families'] = {
  switch: (event) => `${event.agent} wechselte ${event.model} → ${event.to}: ${event.reason}${back(event)}`,
  redirect: (event) =>
    `${event.agent} verwendete ${event.to} – ${event.model}: ${event.reason || 'nicht bereit'}${back(event)}`,
  headroom: (event) =>
    `${event.agent} wechselt vor einem Limit zu ${event.to}: ${event.near || `${event.model} ist nah daran`}${back(event)}`,
  money: (event) => `${event.agent} wechselt wegen eines Budgets zu ${event.to}: ${event.near || SPENT}${back(event)}`,
  home: ({ agent, to }) => `${agent} kehrt zu ${to} zurück`,
  keep: ({ agent, to }) => `${agent} bleibt bei ${to}`,
  hold: (event) =>
    event.to === '' || event.to === event.model
      ? `${event.agent} wartet auf ${event.model}${event.reason === '' ? '' : `: ${event.reason}`}${back(event)}`
      : `${event.agent} wartet und verwendet dann ${event.to}${because(event)}`,
  continue: ({ agent, model }) => `${agent} lässt ${model} weitermachen, wo es aufgehört hat`,
  compact: (event) => `${event.agent} kürzt die Unterhaltung${because(event)}`,
  ask: (event) => `${event.agent} fragt, ob es mit einem anderen Modell weitergehen soll${because(event)}`,
  defer: (event) => `${event.agent} lässt den anderen Agenten den Vortritt${because(event)}`,
  degraded: leftOut,
  declined: ({ agent }) => `${agent} ist nach der Ablehnung in dieser Sitzung pausiert`,
  skipped: ({ agent }) => `${agent} ist in dieser Sitzung pausiert: es kam keine Antwort`,
  exhausted: (event) =>
    event.to === ''
      ? `${event.agent} hat kein verfügbares Modell${because(event)}${event.until === '' ? '' : `; das erste ist gegen ${event.until} zurück`}`
      : `${event.agent} ist stehen geblieben${because(event)}; die nächste Nachricht geht an ${event.to}`,
  pass: ({ agent, model, reason }) => `${agent} bleibt bei ${model}: ${reason}`,
  turn: ({ agent, model }) => `${agent} bekam von ${model} eine Antwort`,
  carry: ({ agent, model, detail }) =>
    `${agent} konnte nicht von ${model} wechseln: ${detail ?? 'OpenCode hat das neue Modell nicht übernommen'}`,
  config: ({ detail }) => `Ketten geladen für ${detail ?? 'ein Projekt'}`,
  reset: ({ model, detail }) => `${model || (detail ?? 'Jedes Modell')} wurde von Hand zurückgesetzt`,
};

export const events: Texts = {
  someone: 'Eine Sitzung',
  repeated: 'der Anbieter hatte davor denselben Fehler',
  exact,
  families,
  model: {
    ready: ({ model }) => `${model} ist wieder verwendbar`,
    retry: ({ model }) =>
      `${model} ist wieder verwendbar: OpenCode ist gestartet, oder die Konfiguration hat sich geändert`,
    probing: ({ model }) => `Probeanfrage an ${model}; eine Anfrage darf durch`,
    other: (event, state) =>
      `${event.model} ist jetzt ${state}${event.reason === '' ? '' : `: ${event.reason}`}${back(event)}`,
  },
  gathered: (count, agents, why) =>
    `${count} Agenten haben das Modell gewechselt: ${agents}${why === '' ? '' : `. ${why}`}`,
};
