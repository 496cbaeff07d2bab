import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { textOf } from '../../../src/node/opencode';
import { configured } from '../../core/virtual-core';
import { builtPlugin } from '../built-companion';
import { openTeller, type Teller } from '../companion';
import { send } from '../panel-client';
import { type PanelProcess, startPanel } from '../panel-process';
import { grownMib, residentMib } from '../resident';
import { type App, type Case, openStage, type Stage } from '../stage';
import { AS_USERS_HAVE_IT } from '../thrift';
import { placeAt, type Shape } from './place';
import { keepsReads, markUnread, readSince } from './unread';

/**
 * What a stranger's project may take: of the first answer beyond an ordinary project's, of the panel, and of memory.
 * `ofUsual`: how many times what an ordinary one takes comes on top, where the machine is not ours alone.
 */
export type Limits = Readonly<{ lateMs: number; freezeMs: number; mb: number; ofUsual: number }>;

export const ALONE: Limits = { lateMs: 1_000, freezeMs: 200, mb: 200, ofUsual: 0 };
/** What it may take beside other tests: work that does not end is found, and no machine is too slow. */
export const BESIDE: Limits = { lateMs: 15_000, freezeMs: 5_000, mb: 200, ofUsual: 1 };

const TRIES = 3;
const LOOK_MS = 20;

type Taken = Readonly<{ ms: number; freezeMs: number; mb: number }>;

/** One OpenCode with the built companion and one built panel, for many projects of strangers. */
export type Products = Readonly<{
  /** OpenCode opens such a project and is asked something; fails where that takes more than it may. */
  playInOpenCode(shape: Shape): Promise<void>;
  /** The panel is told that an OpenCode has opened such a project; fails where that takes more than it may. */
  playInPanel(shape: Shape): Promise<void>;
  close(): Promise<void>;
}>;

/** Starts them, and learns how long an ordinary project takes. */
export async function openProducts(limits: Limits): Promise<Products> {
  // Its memory is looked at.
  const stage = await openStage([builtPlugin()], AS_USERS_HAVE_IT);
  const panel = await startPanel(stage.home, { ...process.env, ...stage.sandbox.env });
  const app = await stage.openApp();
  const teller = await openTeller(stage.home);
  const canTell = await keepsReads(join(stage.sandbox.root, 'read'));
  const usual = { ms: 0, freezeMs: 0 };
  for (let round = 0; round < 4; round++) {
    const project = await stage.makeCase({ models: 1, git: false });
    const watch = watchPanel(panel);
    const ms = await firstAnswer(stage, project);
    const freezeMs = await watch();
    // The first of all warms everybody up; of the others the slowest tells what the machine has to do besides.
    if (round > 0) Object.assign(usual, { ms: Math.max(usual.ms, ms), freezeMs: Math.max(usual.freezeMs, freezeMs) });
  }
  const isWell = ({ ms, freezeMs, mb }: Taken): boolean =>
    ms < (1 + limits.ofUsual) * usual.ms + limits.lateMs &&
    freezeMs < 2 * limits.ofUsual * usual.freezeMs + limits.freezeMs &&
    mb < limits.mb;
  const play = async (shape: Shape, open: (project: Case) => Promise<number>): Promise<void> => {
    const seen: Taken[] = [];
    // What the project itself takes, it takes each time; what others do on this machine, it does not.
    while (seen.length < TRIES && !seen.some(isWell)) {
      const project = await stage.makeCase({ models: 1, git: false });
      const outside = `${project.directory}-outside`;
      await mkdir(outside);
      await shape.make(placeAt(project.directory, outside));
      await markUnread(outside);
      const before = [stage.server.pid, panel.pid].map(residentMib);
      const watch = watchPanel(panel);
      const ms = await open(project);
      const freezeMs = await watch();
      const mb = Math.max(...[stage.server.pid, panel.pid].map((pid, at) => grownMib(pid, before[at] ?? null)));
      expect(canTell ? await readSince(outside) : []).toEqual([]);
      seen.push({ ms: Math.round(ms), freezeMs: Math.round(freezeMs), mb: Math.round(mb) });
    }
    if (seen.length > 1) console.log(`${shape.name}: ${JSON.stringify(seen)}, elsewhere ${JSON.stringify(usual)}`);
    expect(seen.at(-1)).toSatisfy(isWell);
  };
  return {
    playInOpenCode: (shape) => play(shape, (project) => firstAnswer(stage, project)),
    playInPanel: (shape) => play(shape, (project) => shownInPanel({ app, teller, stage }, project)),
    async close() {
      teller.close();
      await app.close();
      await panel.stop();
      await stage.close();
    },
  };
}

/** Asks a lead that is well. @returns how long the answer took, in ms. */
async function firstAnswer({ provider, server }: Stage, { directory, ids }: Case): Promise<number> {
  provider.script(ids[0] ?? '', [{ kind: 'text', text: 'THE LEAD ANSWERS' }]);
  const from = performance.now();
  const answer = await server.prompt(await server.createSession(directory), { text: 'One' });
  expect(textOf(answer)).toBe('THE LEAD ANSWERS');
  await server.dispose(directory);
  return performance.now() - from;
}

/** Opens a project and, after it, an ordinary one with a mistake in it. @returns how long until that is shown, in ms. */
async function shownInPanel(
  { app, teller, stage }: Readonly<{ app: App; teller: Teller; stage: Stage }>,
  { directory }: Case,
): Promise<number> {
  const { directory: after } = await stage.makeCase({ models: 1, git: false, fallback: '{"mistake":1}' });
  const from = performance.now();
  for (const each of [directory, after]) teller.tell(configured(each));
  await app.until(({ config }) => config.some((row) => row.directory === after));
  return performance.now() - from;
}

/** Asks the panel for its page again and again. @returns what stops that, and tells the longest wait, in ms. */
export function watchPanel({ url }: PanelProcess): () => Promise<number> {
  const { port, host } = new URL(url);
  let isOver = false;
  const watched = (async () => {
    let longest = 0;
    while (!isOver) {
      const from = performance.now();
      await send(Number(port), '/', { headers: { host } });
      longest = Math.max(longest, performance.now() - from);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return longest;
  })();
  return () => {
    isOver = true;
    return watched;
  };
}
