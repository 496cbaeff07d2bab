import type { rankingTexts } from '../ranking';

export const ranking: ReturnType<typeof rankingTexts> = {
  roles: {
    oracle: 'Oracle',
    orchestrator: 'Orchestrator',
    explorer: 'Explorer',
    librarian: 'Librarian',
    designer: 'Designer',
    fixer: 'Fixer',
    builder: 'Builder',
  },
  tiers: { premium: 'Spitze', standard: 'Standard', alternative: 'Ausweich', local: 'Lokal' },
  places: {
    score: 'höchste Wertung der übrigen',
    apart: 'bestes, das über ein anderes Konto läuft als das davor',
    vendor: 'bestes eines Herstellers, der noch nicht in der Kette ist',
    region: 'Hersteller und Region noch nicht in der Kette',
    ends: 'damit das erste und das letzte gehostete Modell von verschiedenen Herstellern sind',
    kept: 'behält diesen Platz',
    'kept.last': 'behalten, so weit hinten, wie diese Kette reicht',
    primary: 'jetzt Erstbesetzung, nicht einzustufen: behält den Platz',
    present: 'jetzt in der Kette: bleibt',
    bridge: 'kostenlos, vor den Modellen dieses Rechners gefragt',
    local: 'auf diesem Rechner',
  },
  unranked: {
    few: (percent) => `ohne Rang: ${percent} % der Gewichte bekannt, 50 % nötig`,
    none: 'ohne Rang: die Formel ergibt hier keine Zahl',
    silent: 'ohne Rang: auf die Probeanfrage kam keine Antwort',
    cap: 'ohne Rang: teurer, als der kleine Rest des Tarifs erlaubt',
    unscored: 'ohne Wertung: auf diesem Rechner oder kostenlos',
  },
  budget: {
    medium: (percent) => `vom Tarif ist die Hälfte übrig: zählt ${percent} %`,
    low: (percent) => `vom Tarif ist wenig übrig: zählt ${percent} %`,
    critical: (percent) => `vom Tarif ist fast nichts übrig: zählt ${percent} %`,
  },
  known: (percent) => `${percent} % der Gewichte bekannt`,
  estimated: (benchmarks) => `${benchmarks} ist geschätzt`,
  missing: (benchmarks) => `fehlt: ${benchmarks}`,
  notes: {
    short: (tier, found, wanted) =>
      found === 0 ? `${tier}: nichts passt` : `${tier}: ${found} von ${wanted}, mehr passen nicht`,
    share: (first, second, account) =>
      `${first} und ${second} folgen aufeinander und laufen beide über ${account}: ein Limit hält beide auf.`,
    ends: (model, vendor) =>
      `${model}, das letzte gehostete Modell, ist von ${vendor} wie das erste: fällt der Hersteller aus, fallen beide aus.`,
  },
  depth: (now, models, needed) =>
    `defaults.maxFallbackDepth ${now} endet nach ${now + 1} von ${models} Modellen; ${needed} reicht bis ans Ende dieser Kette.`,
  leads: (from, to) => `Die Erstbesetzung wechselt: ${from} → ${to}.`,
  leadsFirst: (to) => `${to} wäre Erstbesetzung.`,
  live: {
    share: (percent, count) => `${percent} % beantwortet, n ${count}`,
    none: 'noch nicht gefragt',
  },
  unrankable: (role, benchmarks) => `Für ${role} ist niemand einzustufen: ${benchmarks}.`,
  missingFor: (benchmark, models, of) => `${benchmark} fehlt bei ${models} von ${of} Modellen`,
  complete:
    'Was es vollständig macht: Werte aus einer Datei, von Hand oder hier gemessen, oder ein Schlüssel von Artificial Analysis (ein kostenloser liest nur deren Indizes).',
  noRole: (agent) => `${agent} hat noch keine Rolle: eine wählen, um die Modelle einzustufen.`,
  codes: {
    new: 'neu in dieser Kette',
    primary: 'wäre Erstbesetzung',
    estimated: 'mit einer Schätzung eingestuft',
    found: 'Werte dafür gefunden',
  },
  choices: { approved: 'gebilligt', denied: 'jetzt nicht', ignored: 'nie' },
  phases: {
    pre_check: 'Prüfung davor',
    models: 'Modelle',
    headroom: 'Was noch übrig ist',
    artificial_analysis: 'Artificial Analysis',
    local_runs: 'Läufe auf diesem Rechner',
    research: 'Nachforschung',
    estimate: 'Schätzung',
    review: 'Durchsicht',
    normalization: 'Normierung',
    optimization: 'Reihenfolge',
    post_check: 'Prüfung danach',
  },
  phaseStates: {
    waiting: 'wartet',
    running: 'läuft',
    open: 'wartet auf eine Entscheidung',
    done: 'fertig',
    skipped: 'nicht gewünscht',
    failed: 'gescheitert',
  },
};
