import type { councilRunTexts } from '../council-run';

export const councilRun: ReturnType<typeof councilRunTexts> = {
  what: {
    code_review: (repo) => `Durchsicht von ${repo}`,
    brainstorm: (problem) => `Ideen zu „${problem}“`,
    code_brainstorm: (problem, repo) => `Ideen zu „${problem}“ mit ${repo}`,
    nothing: 'Ein Lauf, der nicht begonnen hat',
  },
  states: {
    idle: 'nicht begonnen',
    ai_generating: 'im Gang',
    awaiting_fallback_decision: 'wartet auf eine Antwort',
    paused_for_user: 'an der Obergrenze angehalten',
    paused: 'angehalten, niemand zu erreichen',
    finished: 'fertig',
    stopped: 'beendet',
    left: 'verlassen',
    fetching: 'wird vorbereitet',
    not_begun: 'nie begonnen',
  },
  told: {
    begun: (council) => `${council} hat begonnen.`,
    notBegun: (council, why) => `${council} hat nicht begonnen: ${why}`,
    question: (speaker, fallback) => `Das Council fragt: ${speaker} mit ${fallback} fortsetzen?`,
    capped: 'Das Council ist an seiner Obergrenze angehalten.',
    allOff: 'Das Council ist angehalten: niemand ist zu erreichen.',
    finished: 'Das Council ist fertig. Sein Bericht liegt vor.',
    stopped: 'Das Council wurde beendet. Sein Bericht enthält, was bis dahin gefunden war.',
  },
};
