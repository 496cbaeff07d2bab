import type { ScriptedStep } from '../../../src/demo/scripted-provider';

/** Cooldown after a limit without a time, in ms; long enough that a request within it is no coincidence. */
export const COOLDOWN_MS = 4_000;
const FAULT_SHARE = 0.4;
/** Chance that a response begins with a tool call that writes a file. */
const TOOL_SHARE = 0.1;

/** Provider faults from which the next model can recover. */
const FAULTS: readonly ScriptedStep[] = [
  { kind: 'status', status: 429 },
  { kind: 'status', status: 429 },
  { kind: 'status', status: 429, headers: { 'retry-after': '6' } },
  { kind: 'status', status: 401 },
  { kind: 'status', status: 402 },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503 },
  { kind: 'status', status: 529 },
  { kind: 'reset' },
  { kind: 'hang' },
  { kind: 'hangAfterHeaders' },
  { kind: 'stall', text: 'It may be that' },
  { kind: 'cut', text: 'It seems that' },
  { kind: 'cut', text: 'A long beginning. '.repeat(40) },
  { kind: 'noFinish', text: 'Half of' },
  { kind: 'emptyBody' },
  { kind: 'emptyStop' },
  { kind: 'thinking', text: 'Let me see.' },
  { kind: 'html' },
  { kind: 'jsonError' },
  { kind: 'sseError', message: 'The model is overloaded' },
  { kind: 'sseError', message: 'something nobody has heard of', text: 'Well,' },
];

export function anyStep(random: () => number, file: string): ScriptedStep {
  if (random() < FAULT_SHARE) return FAULTS[Math.floor(random() * FAULTS.length)] as ScriptedStep;
  if (random() < TOOL_SHARE)
    return { kind: 'toolCall', name: 'write', arguments: { filePath: file, content: `${random()}\n` } };
  return { kind: 'text', text: 'Here is the answer.', paceMs: Math.floor(random() * 40) };
}

const GOOD: readonly ScriptedStep['kind'][] = ['text', 'toolCall'];

export const isGood = (step: ScriptedStep): boolean => GOOD.includes(step.kind);

/**
 * Time that the model is unavailable after this step, in ms; infinite if only a person can restore it, null if a later
 * request is allowed.
 */
export function outFor(step: ScriptedStep): number | null {
  if (step.kind !== 'status') return null;
  if (step.status === 401 || step.status === 402) return Number.POSITIVE_INFINITY;
  if (step.status !== 429) return null;
  return Math.max(COOLDOWN_MS, Number(step.headers?.['retry-after'] ?? 0) * 1_000);
}

export const wordOf = (step: ScriptedStep): string =>
  step.kind === 'status' ? `${step.status}${step.headers ? '+hint' : ''}` : step.kind;
