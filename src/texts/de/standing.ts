import type { standingTexts } from '../standing';

export const standing: ReturnType<typeof standingTexts> = {
  position: {
    lead: (of) => `Primärmodell, 1 von ${of}`,
    understudy: (position, of) => `${position} von ${of}, Fallback-Modell`,
    spread: (position, of) => `${position} von ${of}, dasselbe Modell`,
  },
  agent: {
    oneModel: 'Ein Modell: fällt es aus, steht die Arbeit still',
    firstTurn: 'Erste Runde läuft',
    idle: 'Untätig, Kette bereit',
    onPrimary: (turns) => `${turns}, alle mit dem Primärmodell`,
    switched: (turns, switches) => `${turns}, ${switches}`,
  },
  home: {
    needsYou: (lead) => `${lead} braucht einen Eingriff: erst beheben, dann zurücksetzen`,
    next: 'Zurück mit der nächsten Nachricht',
    spread: 'Zurück, sobald dieses Konto nicht mehr das leerere ist',
    ready: 'Zurück, sobald es wieder bereit ist',
  },
  caution: {
    oneModel: (agent) => `${agent}: nur ein Modell. Fällt es aus, steht die Arbeit still.`,
    sharedFate: (count, provider) =>
      `Gemeinsames Schicksal: ${count === 2 ? 'beide' : `alle ${count}`} Modelle hängen an ${provider}.`,
  },
  models: {
    ready: (count) => `${count} bereit`,
    toLookAt: (count) => `${count} zu prüfen`,
    unseen: (count) => `${count} noch nicht benutzt`,
    order: 'Schlechteste zuerst, dann nach Last.',
  },
  stale: {
    title: 'Diese Ansicht hat die Verbindung zu Understudy verloren.',
    lede: (at) =>
      `Zu sehen ist der Stand von ${at}. Sie verbindet sich wieder, sobald Understudy läuft: „understudy panel“ startet es.`,
  },
};
