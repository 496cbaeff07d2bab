import { part } from './catalogue';

/** States of models and of the connection, and verdicts of decisions. */
export const stateTexts = part('states', {
  labels: {
    ready: 'Ready',
    degraded: 'Degraded',
    cooling: 'Cooling',
    resting: 'Resting',
    open: 'Open',
    probing: 'Probing',
    blocked: 'Needs you',
    held: 'Held',
    unseen: 'Not used yet',
  },
  /** Within a sentence: "it is now …". */
  within: {
    ready: 'ready',
    degraded: 'degraded',
    cooling: 'cooling',
    resting: 'resting',
    open: 'open',
    probing: 'probing',
    blocked: 'needs you',
    held: 'held',
    unseen: 'not used yet',
  },
  owners: { provider: 'provider says', estimate: 'our estimate' },
  knownFrom: (machine: string) => `reported by ${machine}`,
  connection: {
    waiting: 'Waiting for OpenCode',
    connected: 'Connected',
    lost: 'Not connected',
    incompatible: 'Versions differ',
  },
  verdicts: { chosen: 'Chosen', skipped: 'Skipped', failed: 'Failed' },
});
