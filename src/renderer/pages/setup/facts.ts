import type { QueryOutput } from '../../../contract/contract';
import type { Snapshot } from '../../../contract/snapshot';
import { setupTexts } from '../../../texts';
import { protectionOf } from '../../../wording/protection';
import { clock, shortName } from '../../../wording/wording';

export type Detected = QueryOutput<'setup.detect'>;
export type Findings = QueryOutput<'doctor.run'>;

export const STEPS = ['detect', 'connect', 'restart', 'chains', 'drill'] as const;
export type Step = (typeof STEPS)[number];

export const namedIn = (detected: Detected) => detected.files.find(({ companions }) => companions.length > 0) ?? null;

/** True before the first connection of a home without sessions. */
export const isUnused = ({ connection, sessions }: Snapshot): boolean =>
  connection.status !== 'connected' && sessions.length === 0;

export const armedChains = ({ chains }: Snapshot): number => chains.filter(({ chain }) => chain.length > 1).length;

/** Empty for later steps. */
export function factAt(step: Step, next: Step | null, snapshot: Snapshot, detected: Detected | null): string {
  const at = next === null ? STEPS.length : STEPS.indexOf(next);
  const place = STEPS.indexOf(step);
  if (detected === null || place > at) return '';
  const { missing } = setupTexts().steps;
  return place === at ? missing[step] : doneAt(step, snapshot, detected);
}

function doneAt(step: Step, snapshot: Snapshot, detected: Detected): string {
  const texts = setupTexts().steps.facts;
  const connected = snapshot.instances.find(({ status }) => status === 'connected');
  const drill = snapshot.lastDrill;
  const { protected: covered, of } = protectionOf(snapshot);
  const version = detected.opencodes[0] ?? connected?.opencode;
  const file = namedIn(detected)?.path.split(/[\\/]/).at(-1);
  switch (step) {
    case 'detect':
      return version ? texts.found(version) : '';
    case 'connect':
      return file ? texts.named(file) : '';
    case 'restart':
      return connected ? texts.connected(connected.opencode, clock(connected.since)) : '';
    case 'chains':
      return covered > 0 ? texts.covered(covered, of) : '';
    case 'drill':
      return drill?.model && drill.to ? texts.drilled(shortName(drill.model), shortName(drill.to)) : '';
  }
}

/** Null when all steps are done. A removed companion stays connected until OpenCode ends. */
export function nextStep(snapshot: Snapshot, detected: Detected, findings: Findings | null): Step | null {
  const isConnected = snapshot.connection.status === 'connected';
  const fails = (name: string) => findings?.some(({ check, verdict }) => check === name && verdict === 'fail') ?? false;
  if (fails('opencode.found') && !isConnected) return 'detect';
  // OpenCode may load it from a place that no configuration names: the doctor detects that.
  if (namedIn(detected) === null && (findings === null || fails('companion.listed'))) return 'connect';
  if (!isConnected) return 'restart';
  // A companion reads a new chain before its next decision; the doctor reads it at once.
  if (armedChains(snapshot) === 0 && (findings === null || fails('chains.set'))) return 'chains';
  return snapshot.lastDrill === null ? 'drill' : null;
}
