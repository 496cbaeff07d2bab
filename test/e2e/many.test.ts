import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OpencodeServer, startOpencode } from '../../src/node/opencode';
import { NIGHTLY } from '../support/nightly';
import { textOf } from '../support/said';
import { sharedStage } from '../support/shared-stage';
import type { Case, Stage } from '../support/stage';

let stage: Stage;
/** The shared OpenCode, and those that this file starts and may kill. */
const servers: OpencodeServer[] = [];

const start = async (): Promise<OpencodeServer> => {
  const { binary, sandbox, home } = stage;
  const server = await startOpencode({ binary, sandbox, env: { UNDERSTUDY_HOME: home } });
  servers.push(server);
  return server;
};

beforeAll(async () => {
  stage = await sharedStage();
  servers.push(stage.server);
  await start();
});
afterAll(async () => {
  await Promise.all(servers.slice(1).map((server) => server.stop()));
  await stage?.close();
});
beforeEach(() => stage.provider.clear());

const LIMITED = { kind: 'status', status: 429, headers: { 'retry-after': '3600' } } as const;
const ANSWER = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;

/** A project whose lead is limited for an hour, and answers should it be asked again. */
async function limitedLead(): Promise<Case> {
  const place = await stage.makeCase();
  const [lead = '', understudy = ''] = place.ids;
  stage.provider.script(lead, [LIMITED, { kind: 'text', text: 'LEAD ANSWERS' }]);
  stage.provider.script(understudy, [ANSWER]);
  return place;
}

/** One message in a session of its own. */
async function ask(server: OpencodeServer | undefined, { directory }: Case): Promise<string> {
  if (!server) throw new Error('no such server');
  return textOf(await server.prompt(await server.createSession(directory), { text: 'One' }));
}

const leadRequests = ({ ids }: Case): number => stage.provider.requests(ids[0]).length;

describe('given two OpenCode processes and an app', () => {
  it('when one finds its lead limited, then the other does not ask it with its very next message', async () => {
    const app = await stage.openApp();
    try {
      const place = await limitedLead();
      // A companion is there once its OpenCode has opened a project.
      for (const server of servers) await server.createSession(place.directory);
      await app.until(({ instances }) => instances.filter(({ status }) => status === 'connected').length === 2);
      const answers = [await ask(servers[0], place), await ask(servers[1], place)];
      expect([answers, leadRequests(place)]).toEqual([[ANSWER.text, ANSWER.text], 1]);
    } finally {
      await app.close();
    }
  });
});

describe('given two OpenCode processes and no app', () => {
  it('when one finds its lead limited, then the other does not ask it with its very next message', async () => {
    const place = await limitedLead();
    const answers = [await ask(servers[0], place), await ask(servers[1], place)];
    expect([answers, leadRequests(place)]).toEqual([[ANSWER.text, ANSWER.text], 1]);
  });

  it(
    'when one is killed, also while it holds the lock, then the other goes on and a new one remembers',
    NIGHTLY,
    async () => {
      const [known, fresh] = [await limitedLead(), await limitedLead()];
      const [other, victim] = servers;
      expect(await ask(victim, known)).toBe(ANSWER.text);
      process.kill(victim?.pid ?? 0, 'SIGKILL');
      await victim?.exited;
      // What it would leave behind had it died while it wrote.
      await mkdir(join(stage.home, 'health.json.lock'), { recursive: true });
      expect([await ask(other, known), await ask(other, fresh)]).toEqual([ANSWER.text, ANSWER.text]);
      const file = join(stage.home, 'health.json');
      await expect.poll(() => readFile(file, 'utf8'), { timeout: 60_000 }).toContain(fresh.ids[0]);
      const next = await start();
      const answers = [await ask(next, known), await ask(next, fresh)];
      expect([answers, leadRequests(known), leadRequests(fresh)]).toEqual([[ANSWER.text, ANSWER.text], 1, 1]);
    },
  );
});
