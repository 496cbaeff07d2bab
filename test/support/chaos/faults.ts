import type { ScriptedStep } from '../../../src/demo/scripted-provider';

/** How long a model is out after a limit that names no time, in ms: long enough that a request in it cannot be chance. */
export const COOLDOWN_MS = 4_000;
/** Chance that a request fails. */
const FAULT_SHARE = 0.4;
/** Chance that an answer begins with a tool that writes a file. */
const TOOL_SHARE = 0.1;

/** Everything a provider can do wrong that the next model can make good. */
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

/** What a model does with one request: a whole answer, a tool call, or a fault. */
export function anyStep(random: () => number, file: string): ScriptedStep {
  if (random() < FAULT_SHARE) return FAULTS[Math.floor(random() * FAULTS.length)] as ScriptedStep;
  if (random() < TOOL_SHARE)
    return { kind: 'toolCall', name: 'write', arguments: { filePath: file, content: `${random()}\n` } };
  return { kind: 'text', text: 'Here is the answer.', paceMs: Math.floor(random() * 40) };
}

const GOOD: readonly ScriptedStep['kind'][] = ['text', 'toolCall'];

export const isGood = (step: ScriptedStep): boolean => GOOD.includes(step.kind);

/**
 * How long after this step the model is out, in ms; infinite when only a person can bring it back, null when a later
 * request to it is no wrong.
 */
export function outFor(step: ScriptedStep): number | null {
  if (step.kind !== 'status') return null;
  if (step.status === 401 || step.status === 402) return Number.POSITIVE_INFINITY;
  if (step.status !== 429) return null;
  return Math.max(COOLDOWN_MS, Number(step.headers?.['retry-after'] ?? 0) * 1_000);
}

/** The step in a word, for counting. */
export const wordOf = (step: ScriptedStep): string =>
  step.kind === 'status' ? `${step.status}${step.headers ? '+hint' : ''}` : step.kind;
