import { styleText } from 'node:util';

/** Colours a text where colours are wanted. */
export type Paint = (style: 'bold' | 'dim' | 'red' | 'green' | 'yellow', text: string) => string;

/** @param hasColour false leaves every text as it is. */
export const painter =
  (hasColour: boolean): Paint =>
  (style, text) =>
    // The caller has looked at the terminal; what Node thinks of this process's own output is no matter.
    hasColour ? styleText(style, text, { validateStream: false }) : text;

/**
 * Whether output shall have colours: `FORCE_COLOR` wants them anywhere, `NO_COLOR` and a terminal that cannot show them
 * nowhere, else a terminal has them.
 */
export function wantsColour(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return env.FORCE_COLOR !== '0';
  return isTerminal && env.TERM !== 'dumb';
}

/** A unified diff with its lines coloured. */
export function paintDiff(diff: string, paint: Paint): string {
  const styled = diff.split('\n').map((line) => {
    if (line.startsWith('+++') || line.startsWith('---') || line.startsWith('===')) return paint('dim', line);
    if (line.startsWith('+')) return paint('green', line);
    return line.startsWith('-') ? paint('red', line) : line;
  });
  return styled.join('\n').trimEnd();
}
