import type { Command } from 'commander';
import { Argument } from 'commander';
import type { CliParts } from '../parts';

type Next = Readonly<{ word: string; about: string }>;
type Entry = Readonly<{
  path: readonly string[];
  next: readonly Next[];
  /** Has subcommands: offers nothing after one of them. */
  isGroup: boolean;
}>;

export function addCompletion(program: Command, parts: CliParts): void {
  program
    .command('completion')
    .description('print the completion script for bash, zsh or fish')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', EXAMPLES)
    .action((shell: 'bash' | 'zsh' | 'fish') => parts.print(SCRIPTS[shell](entriesOf(program, []))));
}

const EXAMPLES = `
Examples:
  eval "$(understudy completion bash)"                                          in ~/.bashrc
  eval "$(understudy completion zsh)"                                           in ~/.zshrc, after compinit
  understudy completion fish > ~/.config/fish/completions/understudy.fish`;

function entriesOf(command: Command, path: readonly string[]): readonly Entry[] {
  const below = command.commands.filter((one) => one.name() !== 'help');
  const next = [
    ...below.map((one) => ({ word: one.name(), about: one.description() })),
    ...command.registeredArguments.flatMap(({ argChoices, description }) =>
      (argChoices ?? []).map((word) => ({ word, about: description })),
    ),
    ...command.options.flatMap(({ long, description }) => (long ? [{ word: long, about: description }] : [])),
    { word: '--help', about: 'display help for command' },
  ];
  const deeper = below.flatMap((one) => entriesOf(one, [...path, one.name()]));
  return [...deeper, { path, next, isGroup: below.length > 0 }];
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const SCRIPTS = { bash, zsh, fish } as const;

/** Sets `next` to the words that may follow `typed`. */
function cases(entries: readonly Entry[]): string {
  const arms = entries.map(({ path, next }) => {
    const words = quoted(next.map(({ word }) => word).join(' '));
    const line = quoted(path.join(' '));
    return `    ${path.length === 0 ? '*' : `${line}|${line}' '*`}) next=${words} ;;`;
  });
  return ['  case "$typed" in', ...arms, '  esac'].join('\n');
}

function bash(entries: readonly Entry[]): string {
  return `_understudy() {
  local typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}" next=''
${cases(entries)}
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _understudy understudy`;
}

function zsh(entries: readonly Entry[]): string {
  return `_understudy() {
  local typed="\${(j: :)words[2,CURRENT-1]}" next=''
${cases(entries)}
  compadd -- \${(s: :)next} || _files
}
compdef _understudy understudy`;
}

function fish(entries: readonly Entry[]): string {
  const lines = entries.flatMap(({ path, next, isGroup }) => {
    const when = quoted([isGroup ? '__understudy_at' : '__understudy_within', ...path].join(' '));
    return next.map(({ word, about }) => {
      const offer = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${quoted(word)}`;
      return `complete -c understudy -n ${when} ${offer} -d ${quoted(about)}`;
    });
  });
  return [FISH_FUNCTIONS, ...lines].join('\n');
}

const FISH_FUNCTIONS = `function __understudy_words
    set -l words (commandline -opc)
    string match -v -- '-*' $words[2..-1]
end
function __understudy_at
    set -l words (__understudy_words)
    test "$words" = "$argv"
end
function __understudy_within
    set -l words (__understudy_words)
    set -l depth (count $argv)
    test "$words[1..$depth]" = "$argv"
end`;
