import type { recordTexts } from '../records';

export const records: ReturnType<typeof recordTexts> = {
  states: {
    running: 'läuft',
    waitsForFirstToken: 'wartet auf das erste Token',
    waitsForPermission: 'wartet auf eine Freigabe',
    waitsForAnswer: 'wartet auf eine Antwort',
    waitsForRetry: 'wartet auf einen neuen Versuch',
    onFallback: 'mit Fallback-Modell',
    allModelsUnavailable: 'kein Modell verfügbar',
    paused: 'pausiert',
    budgetSpent: 'Budget verbraucht',
    idle: 'untätig',
  },
  since: (state, at) => `${state} seit ${at}`,
  reasons: {
    loop: 'mehrere Nachrichten kamen gleich nach einem Fehler',
    spread: (model) => `die nächste Nachricht geht an ${model}`,
    pinned: (model) => `von Hand auf ${model} festgelegt`,
    held: (model) => `${model} ist fixiert`,
    unavailable: (model) => `${model} ist nicht verfügbar`,
    available: (model) => `${model} ist verfügbar; die nächste Nachricht geht dorthin`,
    chosen: (model) => `anstelle von ${model}`,
    stopped: (model) => `die letzte Runde endete ohne Antwort; ${model} nimmt Anfragen an`,
  },
  ends: (left, at, owner) => (owner === null ? `noch ${left}, bis ${at}` : `noch ${left}, bis etwa ${at} (${owner})`),
  sessionOf: (agent, session) => `${agent} (${session})`,
};
