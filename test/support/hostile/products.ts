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
 * Limits for a stranger's project compared with an ordinary one: delay of the first response, freeze of the panel,
 * memory. `ofUsual` adds a multiple of an ordinary project's time on a shared machine.
 */
export type Limits = Readonly<{ lateMs: number; freezeMs: number; mb: number; ofUsual: number }>;

export const ALONE: Limits = { lateMs: 1_000, freezeMs: 200, mb: 200, ofUsual: 0 };
/** Limits beside other tests: detects endless work, and no machine is too slow. */
export const BESIDE: Limits = { lateMs: 15_000, freezeMs: 5_000, mb: 200, ofUsual: 1 };

const TRIES = 3;
const LOOK_MS = 20;

type Taken = Readonly<{ ms: number; freezeMs: number; mb: number }>;

export type Products = Readonly<{
  /** Opens the project in OpenCode and sends a prompt; fails above the limits. */
  playInOpenCode(shape: Shape): Promise<void>;
  /** Reports to the panel that an OpenCode opened the project; fails above the limits. */
  playInPanel(shape: Shape): Promise<void>;
  close(): Promise<void>;
}>;

export async function openProducts(limits: Limits): Promise<Products> {
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
    // The first round warms up; the slowest other round shows the load of the machine.
    if (round > 0) Object.assign(usual, { ms: Math.max(usual.ms, ms), freezeMs: Math.max(usual.freezeMs, freezeMs) });
  }
  const isWell = ({ ms, freezeMs, mb }: Taken): boolean =>
    ms < (1 + limits.ofUsual) * usual.ms + limits.lateMs &&
    freezeMs < 2 * limits.ofUsual * usual.freezeMs + limits.freezeMs &&
    mb < limits.mb;
  const play = async (shape: Shape, open: (project: Case) => Promise<number>): Promise<void> => {
    const seen: Taken[] = [];
    // The project's own cost recurs each time; other load does not.
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

async function firstAnswer({ provider, server }: Stage, { directory, ids }: Case): Promise<number> {
  provider.script(ids[0] ?? '', [{ kind: 'text', text: 'THE LEAD ANSWERS' }]);
  const from = performance.now();
  const answer = await server.prompt(await server.createSession(directory), { text: 'One' });
  expect(textOf(answer)).toBe('THE LEAD ANSWERS');
  await server.dispose(directory);
  return performance.now() - from;
}

/** Opens a project, then an ordinary one with a mistake. @returns ms until the panel reports the mistake. */
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
