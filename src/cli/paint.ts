import { styleText } from 'node:util';

export type Paint = (style: 'bold' | 'dim' | 'red' | 'green' | 'yellow', text: string) => string;

/** @param hasColour false leaves texts unchanged. */
export const painter =
  (hasColour: boolean): Paint =>
  (style, text) =>
    // The caller checked the terminal; Node's check of this process's output does not apply.
    hasColour ? styleText(style, text, { validateStream: false }) : text;

/** `NO_COLOR` disables colours, `FORCE_COLOR` enables them even without a terminal. */
export function wantsColour(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return env.FORCE_COLOR !== '0';
  return isTerminal && env.TERM !== 'dumb';
}

export function paintDiff(diff: string, paint: Paint): string {
  const styled = diff.split('\n').map((line) => {
    if (line.startsWith('+++') || line.startsWith('---') || line.startsWith('===')) return paint('dim', line);
    if (line.startsWith('+')) return paint('green', line);
    return line.startsWith('-') ? paint('red', line) : line;
  });
  return styled.join('\n').trimEnd();
}
