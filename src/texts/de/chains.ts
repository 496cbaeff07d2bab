import type { chainTexts } from '../chains';

export const chains: ReturnType<typeof chainTexts> = {
  page: {
    noChain: 'Keine Kette ist festgelegt.',
    lede: (chains, projects) =>
      `${chains} bereit in ${projects === 1 ? '1 Projekt' : `${projects} Projekten`}, aus model-fallback.json.`,
    missing: (agent) => `${agent} hat keine Kette zum Bearbeiten.`,
    missingMore:
      'Fallback ist im Projekt aus, es ist noch kein Modell bekannt, oder die Kette wurde eben herausgenommen.',
    unprotected: 'Ohne Kette ist nichts geschützt: fällt ein Modell aus, steht die Arbeit still.',
    nextStep: 'Nächster Schritt',
    addChain: 'Eine Kette für jeden Agenten anlegen',
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
    ownLead: 'Hauptmodell, nicht in der Liste',
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
    removed: (model) => `${model} ist nicht mehr im Entwurf.`,
  },
  compare: {
    name: 'Jetzt, eingestellt und Entwurf',
    effective: 'Gerade wirksam',
    noSession: 'Keine laufende Sitzung: die nächste beginnt mit dem ersten.',
    configured: 'Eingestellt',
    firstOf: (count) => `erstes von ${count}`,
    from: ', aus ',
    othersFrom: ', nicht in der Liste. Die anderen stehen in ',
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
    nobody: (agent) => `${agent} hat dann kein Fallback: fällt das Modell aus, steht die Arbeit still.`,
    allNobody: 'Agenten ohne eigene Kette haben dann kein Fallback: fällt ihr Modell aus, steht die Arbeit still.',
    rest: (agent, models) => `${agent} geht dann nach der Kette für jeden anderen Agenten: ${models}.`,
    own: (agent, models) => `Eine andere Datei hat eine Kette für ${agent}, die dann gilt: ${models}.`,
  },
  apply: {
    working: 'Die Änderung wird ermittelt…',
    same: 'So steht es schon in der Datei.',
    consequence: 'Es gilt ab der nächsten Entscheidung, auch in einer laufenden Runde.',
    written: (agent) => `${agent} hat die neue Kette.`,
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
    pattern: (model) => `${model} ist ein Muster: es steht für jedes Modell, auf das es passt.`,
    unknown: (model) => `Hier hat noch niemand ${model} benutzt: stimmt der Name?`,
    needsYou: (model, remedy) => `${model} braucht einen Eingriff. ${remedy}`,
    noVision: (model) => `${model} kann keine Bilder lesen: Runden mit Bild übergehen es.`,
    noTools: (model) => `${model} kann keine Werkzeuge benutzen: Runden, die sie brauchen, übergehen es.`,
    price: (model, times, lead) => `${model} kostet etwa das ${times}-Fache von ${lead}.`,
    shrinks: (from, to, before, after) =>
      `Der Kontext schrumpft von ${from} auf ${to}, wenn ${before} an ${after} übergibt.`,
    leads: (agent, to, from) => `${agent}: Erstbesetzung ist ${to}, nicht ${from}.`,
    empty: 'Eine leere Kette heißt kein Fallback: fällt das Modell aus, steht die Arbeit still.',
  },
};
