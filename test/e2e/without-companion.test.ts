/** @module-tag nightly */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RecordedRequest, ScriptedStep, Wire } from '../../src/demo/scripted-provider';
import { startOpencode, startOpencode2 } from '../../src/node/opencode';
import { builtPlugin } from '../support/built-companion';
import { WIRES } from '../support/matrix/places';
import { WRITE } from '../support/matrix/row';
import { BACK_S, untilBack } from '../support/matrix/sends';
import { opencodeBinary } from '../support/opencode-binary';
import { opencode2Binary, openRealStage } from '../support/opencode2/real';
import {
  type Bench,
  callsEachTime,
  callsThen,
  caseOf,
  type Sitting,
  sealedBy,
  sit1,
  sit2,
  strict,
} from '../support/readers';
import { openStage } from '../support/stage';
import { issuersIn } from '../support/strict-provider';

const ANSWER = { kind: 'text', text: 'AN ANSWER' } as const;
const LIMITED: ScriptedStep = { kind: 'status', status: 429, headers: { 'retry-after': String(BACK_S) } };

/** An OpenCode of its own. */
type Host = Omit<Bench, 'sit'> &
  Readonly<{
    root: string;
    sit(directory: string, id?: string): Promise<Sitting>;
    /** Removes the companion from the user's configuration and starts OpenCode again. */
    restartWithout(): Promise<void>;
  }>;

async function removePlugins(folder: string): Promise<void> {
  const path = join(folder, 'opencode.json');
  const { plugin: _, plugins: __, ...rest } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  await writeFile(path, JSON.stringify(rest));
}

type Server = Readonly<{ stop(): Promise<unknown> }>;
type Stage<S> = Omit<Bench, 'sit'> & Readonly<{ server: S; sandbox: { root: string; configDirectory: string } }>;

function hostOf<S extends Server>(
  stage: Stage<S>,
  sit: (server: S, directory: string, id?: string) => Promise<Sitting>,
  start: () => Promise<S>,
): Host {
  let { server } = stage;
  return {
    ...stage,
    root: stage.sandbox.root,
    sit: (directory, id) => sit(server, directory, id),
    async restartWithout() {
      await server.stop();
      await removePlugins(stage.sandbox.configDirectory);
      server = await start();
    },
    async close() {
      await server.stop();
      await stage.close();
    },
  };
}

async function openHost1(hasCompanion: boolean): Promise<Host> {
  const stage = await openStage(hasCompanion ? [builtPlugin()] : []);
  const binary = await opencodeBinary();
  return hostOf(stage, sit1, () => startOpencode({ binary, sandbox: stage.sandbox }));
}

async function openHost2(hasCompanion: boolean): Promise<Host> {
  const stage = await openRealStage(hasCompanion ? 'plugins' : null);
  return hostOf(stage, sit2, () => startOpencode2({ binary: opencode2Binary(), sandbox: stage.sandbox }));
}

/** A request's size and body, with each random id replaced by its place in the conversation. */
function bodyOf({ headers, body }: RecordedRequest, root: string, ids: Map<string, string>): unknown {
  const text = JSON.stringify(body).replaceAll(root, 'ROOT');
  const numbered = text.replaceAll(/\b(?:ses|msg|prt|rs|fc|call|toolu?|0)_[\w-]+/g, (id) => {
    const number = ids.get(id) ?? `ID-${ids.size}`;
    ids.set(id, number);
    return number;
  });
  return [headers['content-length'], numbered];
}

/** Models that require a thought or a seal of each turn, where the wire has one. */
const DEMANDING: Partial<Record<Wire, string>> = { anthropic: 'claude-sonnet', google: 'gemini-3-pro' };

/** Two messages to one model, with a sealed tool call and a plain one, and a title by another: the requests that come of them. */
async function requestsOf(host: Host, wire: Wire): Promise<readonly unknown[]> {
  const { provider } = host;
  const config = (chain: readonly string[]) => ({ agent: { title: { disable: false, model: chain[1] } } });
  const { directory, ids } = await caseOf(host, { wires: [wire, 'openrouter'], config }, [DEMANDING[wire]]);
  const [lead = '', titles = ''] = ids;
  provider.script(lead, [sealedBy('one'), ANSWER, { kind: 'toolCall', name: 'write', arguments: WRITE }, ANSWER]);
  provider.script(titles, [{ kind: 'text', text: 'A TITLE' }]);
  const session = await host.sit(directory);
  for (const text of ['One', 'Two']) {
    expect(await session.ask(text, { hasImage: true })).toBe(ANSWER.text);
    await provider.waitForRequest(({ model }) => model === titles);
  }
  const seen = new Map<string, string>();
  return provider.requests(lead).map((request) => bodyOf(request, host.root, seen));
}

const GENERATIONS = [
  { name: 'OpenCode 1', open: openHost1, isHere: true },
  { name: 'OpenCode 2', open: openHost2, isHere: opencode2Binary().path !== '' },
];

for (const { name, open, isHere } of GENERATIONS)
  describe.skipIf(!isHere)(`given ${name} with the companion and without it`, () => {
    const hosts: Host[] = [];
    const opened = async (hasCompanion: boolean): Promise<Host> => {
      const host = await open(hasCompanion);
      hosts.push(host);
      return host;
    };
    afterEach(async () => {
      for (const host of hosts.splice(0)) await host.close();
    });

    it('when no model fails, then each request of a session is the same with it, on all five wires', async () => {
      const [beside, alone] = [await opened(true), await opened(false)];
      for (const wire of WIRES) {
        const requests = await requestsOf(beside, wire);
        expect([wire, requests]).toEqual([wire, await requestsOf(alone, wire)]);
        expect([wire, requests.length]).toEqual([wire, 4]);
      }
    });

    it('when a session has switched ten times, then it is the same without the companion, and its first model answers', async () => {
      const host = await opened(true);
      const { provider } = host;
      const { directory, ids } = await caseOf(host, { wires: ['anthropic', 'openai-responses'] });
      const [lead = '', next = ''] = ids;
      provider.script(lead, strict('one', callsEachTime('one', LIMITED)));
      provider.script(next, strict('two', callsEachTime('two', ANSWER)));
      const session = await host.sit(directory);
      for (let turn = 1; turn <= 5; turn++) {
        expect([turn, await session.ask(`Message ${turn}`), provider.requests(lead).length]).toEqual([
          turn,
          ANSWER.text,
          turn * 2,
        ]);
        await untilBack(provider.requests(lead).at(-1));
      }
      // Each message goes home to the first model and leaves it again.
      expect(
        provider.requests().flatMap(({ model }, at, all) => (all[at - 1]?.model === model ? [] : [model])),
      ).toEqual(Array.from({ length: 10 }, (_, at) => [lead, next][at % 2]));
      expect(provider.requests(next).flatMap(issuersIn)).not.toContain('one');
      const messages = await session.messages();
      expect(await session.toolsRun()).toBe(10);
      await host.restartWithout();
      const alone = await host.sit(directory, session.id);
      expect(await alone.messages()).toEqual(messages);
      provider.script(lead, callsThen('one', ANSWER));
      expect(await alone.ask('Message 6')).toBe(ANSWER.text);
      expect(provider.requests().at(-1)?.model).toBe(lead);
    });
  });
