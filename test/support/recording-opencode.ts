import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpencodeBinary } from '../../src/node/opencode';
import { eventually } from './eventually';
import { writeProgram } from './write-program';

export type Start = Readonly<{ pid: number; cwd: string; env: Readonly<Record<string, string>> }>;

export type RecordingOpencode = Readonly<{
  binary: OpencodeBinary;
  started(): Promise<Start>;
  /** Requests of all starts, as `METHOD path`. */
  requests(): Promise<readonly string[]>;
}>;

/** @param exitCode Ends the program with this code after its first request. */
export function recordingOpencode(folder: string, version: string, exitCode?: number): RecordingOpencode {
  const path = join(folder, `opencode-${version}`);
  const notes = `${path}.jsonl`;
  writeProgram(
    path,
    `#!${process.execPath}
const { appendFileSync } = require('node:fs');
const note = (value) => appendFileSync(${JSON.stringify(notes)}, JSON.stringify(value) + '\\n');
if (process.argv[2] === '--version') return console.log(${JSON.stringify(version)});
note({ pid: process.pid, cwd: process.cwd(), env: process.env });
const server = require('node:http').createServer(({ method, url }, response) => {
  note({ request: method + ' ' + decodeURIComponent(url) });
  response.end('[]', () => ${exitCode === undefined ? '{}' : `process.exit(${exitCode})`});
});
const port = Number(process.argv.at(-1));
server.listen(port, '127.0.0.1', () => console.log('listening on http://127.0.0.1:' + port));
`,
  );
  const read = async (): Promise<readonly (Start & { request?: string })[]> =>
    (await readFile(notes, 'utf8').catch(() => ''))
      .split('\n')
      .flatMap((line) => (line === '' ? [] : JSON.parse(line)));
  return {
    binary: { path, version },
    async started() {
      await eventually(async () => (await read()).length > 0);
      return (await read())[0] as Start;
    },
    requests: async () => (await read()).flatMap(({ request }) => request ?? []),
  };
}
