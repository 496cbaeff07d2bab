import { appendFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMPANION, configured, failed, openTestCore, prompted, started } from '../core/virtual-core';
import { tempFolder } from '../node/temp-folder';
import { noticeRow } from '../support/sample-notices';
import { runCli } from './run-cli';

const KEY = 'sk-proj-abcdefghijklmnop0123456789';
const SECRET_PROJECT = join(homedir(), 'work', 'secret-project');

/** A state home with the log of a failure in a project nobody shall hear of. */
async function recorded() {
  const root = await tempFolder();
  const home = join(root, 'u');
  const directory = join(root, 'p');
  const { core, log, tell } = openTestCore();
  core.connected(COMPANION);
  tell(configured(SECRET_PROJECT));
  tell(prompted({ directory: SECRET_PROJECT }));
  tell(started({ directory: SECRET_PROJECT }));
  tell(failed('a1', { phase: 'body', status: 500, message: `no luck with ${KEY} in ${SECRET_PROJECT}/a.ts` }));
  await mkdir(home);
  await mkdir(join(directory, '.opencode'), { recursive: true });
  await writeFile(join(home, 'events.jsonl'), log.map((record) => `${JSON.stringify(record)}\n`).join(''));
  await writeFile(
    join(directory, '.opencode', 'model-fallback.json'),
    JSON.stringify({ agents: { build: { fallbackModels: ['acme/one'] } } }),
  );
  const said: string[] = [];
  const run = (...args: string[]): Promise<number> =>
    runCli(['data', 'bug-report', ...args], {
      env: { UNDERSTUDY_HOME: home, XDG_CONFIG_HOME: join(root, 'config'), PATH: '' },
      directory,
      print: (text) => said.push(text),
      printError: (text) => said.push(text),
    });
  return { root, directory, run, said };
}

describe('given a recorded failure in a project, and no app that runs', () => {
  it('when a bug report is asked for, then one private file has versions, findings, configuration and log', async () => {
    const { root, run, said } = await recorded();
    const file = join(root, 'report.json');
    expect([await run('--out', file), said]).toEqual([
      0,
      [`Written: ${file}. Nothing was sent. Read it before you share it.`],
    ]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const report = JSON.parse(await readFile(file, 'utf8'));
    expect(report).toMatchObject({
      schema: 'bug-report/1',
      versions: { understudy: '0.1.0', node: process.version, opencode: ['1.18.33'], companion: ['0.1.0'] },
    });
    expect(report.doctor.map(({ check }: { check: string }) => check)).toContain('opencode.found');
    expect(JSON.stringify(report.config)).toContain('acme/one');
    expect(report.log.map(({ event }: { event: { type: string } }) => event.type)).toContain('attempt.failed');
  });

  it('when it is read, then no key, no project and no home of the user stands in it', async () => {
    const { root, directory, run } = await recorded();
    const file = join(root, 'report.json');
    await run('--out', file);
    const text = await readFile(file, 'utf8');
    for (const name of [KEY, 'secret-project', homedir(), directory]) expect(text).not.toContain(name);
    expect(text).toContain('no luck with [key] in /project-1/a.ts');
  });

  it('when notices name the project by its folder, then neither their key nor any other field of the report does', async () => {
    const { root, run } = await recorded();
    const path = join(root, 'u', 'events.jsonl');
    const notice = {
      ...{
        id: 1,
        at: 5,
        notice: 'N1',
        agents: ['build'],
        session: 's1',
        model: 'acme/one',
        to: 'acme/two',
        kind: null,
      },
      ...{
        project: 'secret-project',
        key: 'N1|secret-project|build|acme/one|5.1',
        status: null,
        until: null,
        read: false,
      },
    };
    const told = { v: 1, at: 5, from: null, event: { type: 'notice.told', notice: { ...noticeRow(), ...notice } } };
    const erased = {
      type: 'data.erased',
      heard: [{ instance: 'i', seq: 1, directories: ['/srv/hidden-work'] }],
      scopes: [],
    };
    const lines = [told, { ...told, event: erased }].map((record) => `${JSON.stringify(record)}\n`);
    await appendFile(path, lines.join(''));
    const file = join(root, 'report.json');
    await run('--out', file);
    const text = await readFile(file, 'utf8');
    const { log } = JSON.parse(text) as { log: { event: { notice?: { key: string; project: string } } }[] };
    expect(log.find(({ event }) => event.notice)?.event.notice).toMatchObject({ project: '[project]', key: 'N1|5.1' });
    for (const name of ['secret-project', 'hidden-work']) expect(text).not.toContain(name);
  });

  it('when the file is there already, then it stays, and it is refused', async () => {
    const { root, run, said } = await recorded();
    const file = join(root, 'report.json');
    await writeFile(file, 'mine');
    expect([await run('--out', file), await readFile(file, 'utf8')]).toEqual([1, 'mine']);
    expect(said[0]).toContain('EEXIST');
  });

  it('when no place is named, then it lies in this folder', async () => {
    const { directory, run, said } = await recorded();
    expect(await run()).toBe(0);
    expect(said[0]).toMatch(new RegExp(`^Written: ${directory}/understudy-bug-report-[\\dT-]+\\.json`));
  });
});
