import { execFileSync } from 'node:child_process';

/** Writes a program that can be run at once: a file that this process writes could be open in another child of it. */
export function writeProgram(path: string, text: string): void {
  execFileSync('/bin/sh', ['-c', 'cat > "$0" && chmod 755 "$0"', path], { input: text });
}
