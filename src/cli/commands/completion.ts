import type { Command } from 'commander';
import { Argument } from 'commander';
import type { CliParts } from '../parts';

/** A command as a shell has to know it: its words, what may follow, and what it is for. */
type Entry = Readonly<{ words: readonly string[]; next: readonly string[]; about: string }>;

/** Adds the command that prints a completion script. */
export function addCompletion(program: Command, parts: CliParts): void {
  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', EXAMPLES)
    .action((shell: 'bash' | 'zsh' | 'fish') => parts.print(SCRIPTS[shell](entriesOf(program, []))));
}

const EXAMPLES = `
Examples:
  eval "$(understudy completion bash)"                                          in ~/.bashrc
  eval "$(understudy completion zsh)"                                           in ~/.zshrc, after compinit
  understudy completion fish > ~/.config/fish/completions/understudy.fish`;

function entriesOf(command: Command, words: readonly string[]): Entry[] {
  const commands = command.commands.filter((one) => one.name() !== 'help');
  const options = command.options.flatMap(({ long }) => long ?? []);
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const next = [...commands.map((one) => one.name()), ...choices, ...options, '--help'];
  const own = { words, next, about: command.description() };
  return [own, ...commands.flatMap((one) => entriesOf(one, [...words, one.name()]))];
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const SCRIPTS = { bash, zsh, fish } as const;

/** The longest words of a command win: `chains set` before `chains`. */
function cases(entries: readonly Entry[]): string {
  const sorted = entries.toSorted((a, b) => b.words.length - a.words.length);
  return sorted
    .map(
      ({ words, next }) =>
        `    ${quoted(words.join(' '))}${words.length > 0 ? '*' : ''}) words=${quoted(next.join(' '))} ;;`,
    )
    .join('\n');
}

function bash(entries: readonly Entry[]): string {
  return `_understudy() {
  local line="\${COMP_WORDS[*]:1:COMP_CWORD-1}" words=''
  case "$line" in
${cases(entries)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _understudy understudy`;
}

function zsh(entries: readonly Entry[]): string {
  return `_understudy() {
  local line="\${(j: :)words[2,CURRENT-1]}" known=''
  case "$line" in
${cases(entries).replaceAll(') words=', ') known=')}
  esac
  compadd -- \${(s: :)known}
}
compdef _understudy understudy`;
}

function fish(entries: readonly Entry[]): string {
  const lines = entries.flatMap(({ words, next, about }) => {
    const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    const when = words.length === 0 ? '__fish_use_subcommand' : seen;
    const plainWords = next.filter((word) => !word.startsWith('--'));
    const offered =
      plainWords.length === 0
        ? []
        : [`complete -c understudy -f -n ${quoted(when)} -a ${quoted(plainWords.join(' '))} -d ${quoted(about)}`];
    const options = next.filter((word) => word.startsWith('--'));
    return [...offered, ...options.map((word) => `complete -c understudy -n ${quoted(when)} -l ${word.slice(2)}`)];
  });
  return lines.join('\n');
}
