import type { councilRunTexts } from '../council-run';

export const councilRun: ReturnType<typeof councilRunTexts> = {
  what: {
    code_review: (repo) => `Code-Review von ${repo}`,
    brainstorm: (problem) => `Brainstorming zu „${problem}“`,
    code_brainstorm: (problem, repo) => `Brainstorming zu „${problem}“ mit ${repo}`,
    nothing: 'Ein Lauf, der nicht gestartet ist',
  },
  states: {
    idle: 'nicht gestartet',
    ai_generating: 'läuft',
    awaiting_fallback_decision: 'wartet auf eine Antwort',
    paused_for_user: 'an der Obergrenze angehalten',
    paused: 'angehalten, alle Stimmen offline',
    finished: 'fertig',
    stopped: 'beendet',
    left: 'unterbrochen',
    fetching: 'wird vorbereitet',
    not_begun: 'nie gestartet',
  },
  told: {
    begun: (council) => `${council} ist gestartet.`,
    notBegun: (council, why) => `${council} ist nicht gestartet: ${why}`,
    question: (speaker, fallback) => `Das Council fragt: ${speaker} mit ${fallback} fortsetzen?`,
    capped: 'Das Council ist an seiner Obergrenze angehalten.',
    allOff: 'Das Council ist angehalten: Alle Stimmen sind offline.',
    finished: 'Das Council ist fertig. Sein Bericht liegt vor.',
    stopped: 'Das Council wurde beendet. Sein Bericht enthält die bisherigen Ergebnisse.',
  },
};
