import type { stateTexts } from '../states';

export const states: ReturnType<typeof stateTexts> = {
  labels: {
    ready: 'Bereit',
    degraded: 'Beeinträchtigt',
    cooling: 'Abkühlzeit',
    resting: 'Ruhepause',
    open: 'Gesperrt',
    probing: 'Prüfung',
    blocked: 'Eingriff nötig',
    held: 'Fixiert',
    unseen: 'Noch nicht benutzt',
  },
  within: {
    ready: 'bereit',
    degraded: 'beeinträchtigt',
    cooling: 'in Abkühlzeit',
    resting: 'in Ruhepause',
    open: 'gesperrt',
    probing: 'in Prüfung',
    blocked: 'auf einen Eingriff angewiesen',
    held: 'fixiert',
    unseen: 'noch nicht benutzt',
  },
  owners: { provider: 'laut Anbieter', estimate: 'geschätzt' },
  knownFrom: (machine) => `gemeldet von ${machine}`,
  connection: {
    waiting: 'Wartet auf OpenCode',
    connected: 'Verbunden',
    lost: 'Nicht verbunden',
    incompatible: 'Versionen verschieden',
  },
  verdicts: { chosen: 'Gewählt', skipped: 'Übergangen', failed: 'Gescheitert' },
};
