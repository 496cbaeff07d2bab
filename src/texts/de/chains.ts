import type { chainTexts } from '../chains';

export const chains: ReturnType<typeof chainTexts> = {
  page: {
    noChain: 'Keine Kette ist eingerichtet.',
    lede: (chains, projects) =>
      `${chains} in ${projects === 1 ? '1 Projekt' : `${projects} Projekten`}, aus model-fallback.json.`,
    missing: (agent) => `${agent} hat keine Kette zum Bearbeiten.`,
    missingMore: 'Fallback ist im Projekt aus, es ist noch kein Modell bekannt, oder die Kette wurde eben entfernt.',
    unprotected: 'Ohne Kette steht die Arbeit still, wenn ein Modell ausfällt.',
    nextStep: 'Nächster Schritt',
    addChain: 'Kette für alle Agenten anlegen',
  },
  agents: {
    list: 'Agenten',
    find: 'Agent suchen',
    usable: (count, of) => `${count}/${of} nutzbar`,
    noFallback: 'kein Fallback',
  },
  list: {
    name: (agent) => `Kette: ${agent}`,
    empty: 'Kein Modell: dieser Agent hat kein Fallback.',
    ownLead: 'Primärmodell, nicht in der Liste',
    tier: (index) => `Stufe ${index}`,
    copy: 'Als OpenCode-Konfiguration kopieren',
  },
  row: {
    grip: (model, position, of) => `${model} verschieben, Platz ${position} von ${of}`,
    active: 'aktiv',
    unknown: 'hier unbekannt',
    remove: (model) => `${model} entfernen`,
    removeHint: 'Entfernen (Entf)',
    position: (model) => `Platz von ${model}`,
    moveUp: (model) => `${model} nach oben`,
    moveDown: (model) => `${model} nach unten`,
    upHint: 'Nach oben (Alt+↑)',
    downHint: 'Nach unten (Alt+↓)',
    isNew: 'neu',
    was: (position) => `war ${position}`,
    removed: (model) => `${model} wurde aus dem Entwurf entfernt.`,
  },
  compare: {
    name: 'Aktuell, eingestellt und Entwurf',
    effective: 'Jetzt in Gebrauch',
    noSession: 'Keine Sitzung läuft.',
    configured: 'Eingestellt',
    firstOf: (count) => `erstes von ${count}`,
    from: ', aus ',
    othersFrom: ', in OpenCode gesetzt. Die Fallback-Modelle stehen in ',
    draft: 'Entwurf',
    draftOf: (count) => `erstes von ${count}, noch nicht angewendet`,
    draftEmpty: 'kein Fallback, noch nicht angewendet',
  },
  draft: {
    name: 'Entwurf',
    changes: (count) => `${count} ${count === 1 ? 'Änderung' : 'Änderungen'}, nicht angewendet`,
    undo: 'Rückgängig',
    discard: 'Verwerfen',
    apply: 'Anwenden',
    remove: (model) => `${model} aus dem Entwurf entfernen`,
    removeIt: 'Entfernen',
  },
  removal: {
    nobody: (agent) => `${agent} hat dann kein Fallback-Modell: Fällt das Modell aus, steht die Arbeit still.`,
    allNobody:
      'Agenten ohne eigene Kette haben dann kein Fallback-Modell: Fällt ihr Modell aus, steht die Arbeit still.',
    rest: (agent, models) => `${agent} nutzt dann die Kette für alle anderen Agenten: ${models}.`,
    own: (agent, models) => `Für ${agent} gilt dann eine Kette aus einer anderen Datei: ${models}.`,
  },
  apply: {
    working: 'Die Änderung wird berechnet…',
    same: 'Die Datei enthält diese Kette schon.',
    consequence: 'Gilt sofort, auch in laufenden Runden.',
    written: (agent) => `Die neue Kette von ${agent} ist gespeichert.`,
    diff: 'Die Änderung',
  },
  moving: {
    instructions:
      'Leertaste hebt an, Pfeiltasten, Pos1 oder Ende verschieben, Leertaste legt ab, Esc bricht ab. Alt und eine Pfeiltaste verschieben ohne Anheben.',
    lifted: (model, position, of) => `${model}, Platz ${position} von ${of}. Angehoben.`,
    over: (model, position, of, tier) =>
      `${model}, über Platz ${position} von ${of}${tier === null ? '' : `, ${tier}`}.`,
    moved: (model, position, of, to, tier) =>
      `${model}, Platz ${position} von ${of}. Auf Platz ${to}${tier === null ? '' : `, ${tier},`} verschoben. Noch nicht angewendet.`,
    putBack: (model, position, of) => `${model}, Platz ${position} von ${of}. Zurückgelegt.`,
  },
  notes: {
    malformed: (model) => `${model} ist kein Modell: provider/modell schreiben.`,
    twice: (model) => `${model} steht zweimal in der Kette.`,
    pattern: (model) => `${model} ist ein Muster: Es umfasst jedes passende Modell.`,
    unknown: (model) => `${model} wurde hier noch nie verwendet: Namen prüfen.`,
    needsYou: (model, remedy) => `${model} braucht einen Eingriff. ${remedy}`,
    noVision: (model) => `${model} kann keine Bilder lesen: Runden mit Bildern überspringen es.`,
    noTools: (model) => `${model} kann keine Werkzeuge benutzen: Runden, die sie brauchen, überspringen es.`,
    price: (model, times, lead) => `${model} kostet etwa das ${times}-Fache von ${lead}.`,
    shrinks: (from, to, before, after) =>
      `Der Kontext schrumpft von ${from} auf ${to}, wenn ${after} von ${before} übernimmt.`,
    leads: (agent, to, from) => `${to} wird statt ${from} Primärmodell von ${agent}.`,
    empty: 'Eine leere Kette hat kein Fallback-Modell: Fällt das Modell aus, steht die Arbeit still.',
  },
};
