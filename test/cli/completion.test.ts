import { execFile, execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../node/temp-folder';
import { cliUser } from './real-cli';

type Shell = 'bash' | 'zsh' | 'fish';

/** How each shell is asked what may follow a line, with the generated script in `$SCRIPT` and the line in `$LINE`. */
const ASKING: Readonly<Record<Shell, readonly string[]>> = {
  bash: [
    '--norc',
    '-c',
    `source "$SCRIPT"; read -ra COMP_WORDS <<<"$LINE"; [[ $LINE == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _understudy; printf "%s\\n" "\${COMPREPLY[@]}"`,
  ],
  // A terminal of its own, where the line is typed and completed; the command tells what it was called with.
  zsh: [
    '-f',
    '-c',
    `zmodload zsh/zpty
zpty terminal zsh -f -i
zpty -w terminal 'PS1= PS2=; autoload -Uz compinit; compinit -u -D; source "$SCRIPT"; setopt no_list_beep; bindkey "^I" expand-or-complete-prefix'
zpty -w terminal 'tell() { compadd -O found "$@"; print -rl -- "\${found[@]}" > "$TOLD"; builtin compadd "$@" }; functions[_understudy]="\${functions[_understudy]//compadd/tell}"; print REA''DY'
zpty -r -m terminal line '*READY*'
zpty -w -n terminal "$LINE"$'\\t'
repeat 100 { [[ -s "$TOLD" ]] && break; sleep 0.1 }
cat "$TOLD"; zpty -d terminal`,
  ],
  fish: ['--no-config', '-c', 'source "$SCRIPT"; complete -C "$LINE" | string replace -r "\\t.*" ""; true'],
};

const isThere = (shell: Shell): boolean => {
  try {
    execFileSync(shell, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** What a shell offers after a line; `LINE` ends where the cursor stands. */
async function offered(shell: Shell, line: string): Promise<readonly string[]> {
  const folder = await tempFolder();
  const script = join(folder, 'completion');
  const { run } = await cliUser();
  await writeFile(script, (await run(['completion', shell])).said);
  const env = { ...process.env, HOME: folder, TERM: 'xterm', SCRIPT: script, LINE: line, TOLD: join(folder, 'told') };
  const output = await new Promise<string>((resolve, reject) => {
    execFile(shell, [...ASKING[shell]], { env, cwd: folder }, (error, out, said) =>
      error ? reject(new Error(`${error.message}\n${said}`)) : resolve(out),
    );
  });
  return output.split(/\r?\n/).filter((word) => word !== '');
}

describe.each(['bash', 'zsh', 'fish'] as const)('given %s and its completion', (shell) => {
  it.for([
    ['understudy st', ['status']],
    ['understudy log', ['logs']],
    ['understudy re', ['report', 'resume']],
    ['understudy chains ', ['get', 'set', 'move', 'remove', 'suggest', 'data']],
    ['understudy chains --json s', ['set', 'suggest']],
    ['understudy completion ', ['bash', 'zsh', 'fish']],
    ['understudy chains data re', ['remove', 'refresh']],
    ['understudy limits ', ['show', 'set']],
  ] as const)('when "%s" is typed, then %j are offered', async ([line, words], { skip }) => {
    skip(!isThere(shell), `${shell} is not installed here`);
    const all = await offered(shell, line);
    expect(all.filter((word) => !word.startsWith('-')).toSorted()).toEqual(words.toSorted());
  });

  it.for([
    ['understudy chains set build a/1 --', ['--global', '--project', '--create', '--dry-run', '--json', '--help']],
    ['understudy data log --', ['--out', '--help']],
    ['understudy logs --', ['--lines', '--since', '--agent', '--session', '--follow', '--json', '--help']],
  ] as const)(
    'when "%s" is typed, then exactly the options of that command are offered',
    async ([line, options], { skip }) => {
      skip(!isThere(shell), `${shell} is not installed here`);
      expect((await offered(shell, line)).toSorted()).toEqual(options.toSorted());
    },
  );
});
