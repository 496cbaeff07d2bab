/** @module-tag nightly */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROVED, UNPROVED } from '../../src/features/council/demo/answers';
import { opencodeBinary } from '../support/opencode-binary';

const script = join(import.meta.dirname, '..', '..', 'scripts', 'demo.mjs');

type Demo = Readonly<{
  child: ChildProcessWithoutNullStreams;
  /** What it has said so far, its lines not broken. */
  said(): string;
  errors(): string;
  until(text: string): Promise<void>;
  ended: Promise<number | null>;
}>;

let folder: string;
let temporary: string;
let demo: Demo | null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'us-'));
  temporary = join(folder, 't');
  await mkdir(temporary);
  demo = null;
});
afterEach(async () => {
  demo?.child.kill('SIGTERM');
  await demo?.ended;
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function startDemo(args: readonly string[], binary?: string): Promise<Demo> {
  const home = { TMPDIR: temporary, TEMP: temporary, TMP: temporary, UNDERSTUDY_HOME: join(folder, 'users-own') };
  const env = { ...process.env, ...home, NO_COLOR: '1', OPENCODE_BIN: binary ?? (await opencodeBinary()).path };
  const child = spawn(process.execPath, [script, 'council', ...args], { env });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  const said = (): string => output.replace(/\s+/g, ' ');
  demo = {
    ...{ child, said },
    errors: () => errors,
    until: (text) => expect.poll(said, { timeout: 90_000 }).toContain(text),
    ended: new Promise((resolve) => child.on('close', resolve)),
  };
  return demo;
}

/** What the demo left in its temporary folder; `opencode --version` itself leaves a folder of that name, and a library. */
const leftovers = async (): Promise<string[]> =>
  (await readdir(temporary)).filter((name) => name !== 'opencode' && !/^\.bun-.*\.so$/.test(name));

/** Both generations; a machine where no OpenCode 2 can be had plays on the first alone. */
const GENERATIONS = [1, ...(process.env.OPENCODE2_BIN ? [2] : [])];

describe.each(GENERATIONS)('given the demo of a council on a real OpenCode %i', (generation) => {
  it('when it runs once, then a dying speaker costs nothing, it ends with 0 and leaves nothing behind', async () => {
    const run = await startDemo(['--once'], generation === 1 ? undefined : process.env.OPENCODE2_BIN);
    expect([await run.ended, run.errors()]).toEqual([0, '']);
    const said = run.said();
    const story = [
      `starting OpenCode ${generation}.`,
      'Stage 1 of 6: Reconnaissance',
      'Stage 2 of 6: Deep Analysis',
      'Gpt error, retrying in 2s... (attempt 2/3)',
      '(Gpt skipped due to error, will retry after round)',
      'Retrying failed speakers…',
      'Let scripted/openai/gpt-small speak for it? /yes or /no',
      'Routing Gpt to scripted/openai/gpt-small',
      'scripted/openai/gpt-small speaks for Gpt now.',
      'Stage 3 of 6: Cross-Reference',
      'Stage 6 of 6: Presentation',
      'gpt-large answered 2 and refused 6',
      '# Council report',
      ...PROVED.slice(0, 1),
      '## Unproved claims',
      UNPROVED,
      '`scripted/openai/gpt-small` took over from `scripted/openai/gpt-large` as Gpt',
    ];
    let read = 0;
    for (const text of story) {
      const at = said.indexOf(text, read);
      expect([text, at >= read]).toEqual([text, true]);
      read = at;
    }
    expect(PROVED.filter((title) => !said.includes(`#### ${title} (f`))).toEqual([]);
    expect(await leftovers()).toEqual([]);
  });
});

describe('given the demo of a council on a real OpenCode', () => {
  it('when somebody types, then it is heard, and a run that they stop ends with what was found', async () => {
    const run = await startDemo(['--no-open']);
    await run.until('Type yes or no, and Enter.');
    run.child.stdin.write('maybe\n');
    await run.until('There is yes or no to a question');
    const [address = ''] = /http:\S+/.exec(run.said()) ?? [];
    expect((await fetch(address)).status).toBe(200);
    run.child.stdin.write('/stop\n');
    await run.until('The panel stays at the address above until Ctrl+C.');
    run.child.kill('SIGTERM');
    expect([await run.ended, run.errors()]).toEqual([0, '']);
    expect(run.said()).toContain('The run was stopped. This report shows the results until then.');
    expect(run.said()).toContain('#### A discount code is run as a program (f');
    expect(run.said()).toContain('Demo ended: OpenCode is stopped, and its folder is deleted.');
    expect(await leftovers()).toEqual([]);
  });

  it('when it is ended in the middle, then it says so with 1 and leaves nothing behind', async () => {
    const run = await startDemo(['--no-open']);
    await run.until('Stage 1 of 6: Reconnaissance');
    run.child.kill('SIGTERM');
    expect([await run.ended, run.errors()]).toEqual([
      1,
      'The demo failed: it was stopped before the end of its run.\n',
    ]);
    expect(await leftovers()).toEqual([]);
  });
});
