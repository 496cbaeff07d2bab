import { execFileSync } from 'node:child_process';

/**
 * Writes the program with a shell: another child of this process could still hold a file that this process wrote open.
 */
export function writeProgram(path: string, text: string): void {
  execFileSync('/bin/sh', ['-c', 'cat > "$0" && chmod 755 "$0"', path], { input: text });
}
