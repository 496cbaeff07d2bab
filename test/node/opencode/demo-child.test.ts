import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDemoChild } from '../../../src/node/opencode/demo-child';
import { writeProgram } from '../../support/write-program';
import { tempFolder } from '../temp-folder';

/** A demo whose program runs this once it is asked for. */
async function demoOf(script: string) {
  const folder = await tempFolder();
  const program = join(folder, 'program');
  writeProgram(
    program,
    `#!${process.execPath}\nconst note = (text) => require('node:fs').appendFileSync(${JSON.stringify(`${program}.txt`)}, text + '\\n');\n${script}\n`,
  );
  const demo = createDemoChild({ commandLine: [program], env: process.env });
  onTestFinished(() => demo.close());
  return { demo, notes: () => readFile(`${program}.txt`, 'utf8') };
}

describe('given a demo that runs as a process of its own', () => {
  it('when it is started twice and stopped, then it ran once, opened its panel and cleaned up', async () => {
    const { demo, notes } = await demoOf(`
      note(process.argv.slice(2).join(' '));
      process.send({ url: 'http://127.0.0.1:1/?t=a' });
      process.once('disconnect', () => { note('cleaned up'); process.exit(0); });`);
    const running = { state: 'running', url: 'http://127.0.0.1:1/?t=a' };
    expect([await demo.start(), await demo.start(), demo.status()]).toEqual([running, running, running]);
    expect([await demo.stop(), demo.status()]).toEqual([{ state: 'off' }, { state: 'off' }]);
    expect(await notes()).toBe('demo --loop\ncleaned up\n');
  });

  it('when it fails, then its reason is told, and it can be started again', async () => {
    const { demo, notes } = await demoOf(`note('run'); console.error('The demo failed: no stage'); process.exit(1);`);
    const failed = { state: 'failed', reason: 'no stage' };
    expect([await demo.start(), await demo.start()]).toEqual([failed, failed]);
    expect(await notes()).toBe('run\nrun\n');
  });
});
