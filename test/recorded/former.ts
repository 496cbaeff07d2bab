import former from './former-commands.json' with { type: 'json' };

/** Commands and options of version 0.1.0, with their current places. `$1` is the first argument, `=` its default. */
export const FORMER: Readonly<Record<'commands' | 'options', Readonly<Record<string, string>>>> = former;

const PLACEHOLDER = /\$(\d)(?:=(\w+))?/;
const WORDS_MAX = 3;

/** Translates a command line of version 0.1.0; one with a current name stays. */
export function currentLine(line: string): string {
  const words = line.split(' ');
  for (let count = WORDS_MAX; count > 0; count--) {
    const template = FORMER.commands[words.slice(0, count).join(' ')];
    if (template === undefined || count > words.length) continue;
    const given = words.slice(count);
    const first = given.findIndex((word) => word.startsWith('--'));
    const args = given.slice(0, first < 0 ? given.length : first);
    let taken = 0;
    const place = template.split(' ').flatMap((word) => {
      const [, number, other] = PLACEHOLDER.exec(word) ?? [];
      if (number === undefined) return [word];
      taken = Math.max(taken, Number(number));
      return args[Number(number) - 1] ?? other ?? [];
    });
    return [...place, ...given.slice(Math.min(taken, args.length))].join(' ');
  }
  return line;
}
