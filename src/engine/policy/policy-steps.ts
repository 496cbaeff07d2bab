import { type PolicyStep, STEP_CONDITIONS, type StepName } from '../base/policy';

export type RowProblem = Readonly<{ at: number; message: string }>;
export type ParsedRow = Readonly<{ steps: readonly PolicyStep[]; problems: readonly RowProblem[] }>;

const STEPS_MAX = 10;
const TIMES_MAX = 99;
const WAIT_MAX_MS = 86_400_000;

const PLAIN: readonly StepName[] = ['switch', 'switchLarger', 'compact', 'ask', 'defer', 'hold', 'return'];
const COUNTED: readonly StepName[] = ['retry', 'continue'];
const TIMED: readonly StepName[] = ['wait', 'waitHint'];
const NAMES: readonly StepName[] = [...COUNTED, ...TIMED, ...PLAIN];
const EXAMPLES = '"retry:3", "wait:30000", "continue:1", "switch", "return"';

/** Parses a row: `["retry:1", "wait:30000", "switch"]`. Invalid steps are skipped and reported. */
export function parseSteps(words: readonly unknown[]): ParsedRow {
  const steps: PolicyStep[] = [];
  const problems: RowProblem[] = [];
  words.forEach((word, at) => {
    const parsed = stepOf(word);
    if (typeof parsed === 'string') problems.push({ at, message: parsed });
    else if (steps.at(-1)?.step === 'return' && !steps.at(-1)?.when) {
      problems.push({ at, message: `"${String(word)}" is never reached: "return" ends the row before it.` });
    } else if (steps.length === STEPS_MAX) {
      problems.push({ at, message: `A row has at most ${STEPS_MAX} steps; "${String(word)}" is ignored.` });
    } else steps.push(parsed);
  });
  return { steps, problems };
}

export function formatStep(step: PolicyStep): string {
  const when = step.when ? `:${step.when}` : '';
  if ('n' in step) return `${step.step}:${step.n}${when}`;
  if ('ms' in step) return `wait:${step.ms}${when}`;
  return ('maxMs' in step ? `waitHint:${step.maxMs}` : step.step) + when;
}

function stepOf(word: unknown): PolicyStep | string {
  if (typeof word !== 'string') return `A step must be a string such as ${EXAMPLES}.`;
  const [name = '', ...parts] = word.trim().split(':');
  const when = STEP_CONDITIONS.find((condition) => condition === parts.at(-1));
  const [amount, ...rest] = when ? parts.slice(0, -1) : parts;
  const conditional = when ? { when } : {};
  const stepName = NAMES.find((candidate) => candidate === name);
  if (stepName === undefined) return unknownStep(word, name);
  const isCounted = COUNTED.includes(stepName);
  if (!isCounted && !TIMED.includes(stepName)) {
    return amount === undefined
      ? ({ step: stepName, ...conditional } as PolicyStep)
      : `"${word}": "${stepName}" does not take a number.`;
  }
  if (amount === undefined) {
    return isCounted
      ? `"${stepName}" needs a count, such as "${stepName}:3".`
      : `"${stepName}" needs a time in milliseconds, such as "${stepName}:5000".`;
  }
  const [min, max] = isCounted ? [1, TIMES_MAX] : [0, WAIT_MAX_MS];
  const figure = rest.length === 0 && /^\d{1,9}$/.test(amount) ? Number(amount) : -1;
  if (figure < min || figure > max) {
    const unit = isCounted ? '' : ` Times are in milliseconds, such as "${stepName}:5000".`;
    return `"${word}": the number must be an integer from ${min} to ${max}.${unit}`;
  }
  if (isCounted) return { step: stepName as 'retry' | 'continue', n: figure, ...conditional };
  return {
    ...(stepName === 'wait' ? { step: stepName, ms: figure } : { step: 'waitHint', maxMs: figure }),
    ...conditional,
  };
}

function unknownStep(word: string, name: string): string {
  const shown = word.slice(0, 40);
  const near = NAMES.map((candidate) => ({ candidate, off: distance(name.slice(0, 20), candidate) }));
  const best = near.reduce((a, b) => (b.off < a.off ? b : a));
  const hint = best.off <= 2 ? ` Did you mean "${best.candidate}"?` : '';
  return `"${shown}" is not a step.${hint} Steps are ${NAMES.join(', ')}.`;
}

function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1]?.toLowerCase() === to[j - 1]?.toLowerCase() ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
