import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensurePackage } from '../../../scripts/ensure-package.mjs';
import { builtPlugin, type Case, openStage, type Stage } from '../../support/stage';
import type { Unmeasured } from '../bench-row';

const AS_SHIPPED = { hasCatalogue: true };

/** An OpenCode that is to survive a failure, by whatever plugin it has. */
export type Subject = Readonly<{
  name: string;
  stage: Stage;
  /** The agent that is asked; absent for OpenCode's own. */
  agent?: string;
  /** Whether it is to leave a failing model; else that model recovers at once and is asked again. */
  canSwitch: boolean;
  makeCase: () => Promise<Case>;
}>;

/** Long enough that nothing recovers during a run. */
const DEFAULTS = { cooldownMs: 600_000, retryOriginalAfterMs: 600_000, restMs: 600_000 };

const SLIM = 'oh-my-opencode-slim';
const SLIM_VERSION = '2.2.24';
const SLIM_NAME = `${SLIM} ${SLIM_VERSION}`;

/** Starts every subject that is to be had; the caller closes their stages. The companion comes first. */
export async function openSubjects(): Promise<
  Readonly<{ subjects: readonly Subject[]; missing: readonly Unmeasured[] }>
> {
  const [companion, opencode] = [await ours(), await alone()];
  try {
    return { subjects: [companion, await slim(), opencode], missing: [] };
  } catch (error) {
    return { subjects: [companion, opencode], missing: [{ name: SLIM_NAME, why: (error as Error).message }] };
  }
}

async function ours(): Promise<Subject> {
  const stage = await openStage([builtPlugin()], {}, AS_SHIPPED);
  return { name: 'companion', stage, canSwitch: true, makeCase: () => stage.makeCase({ defaults: DEFAULTS }) };
}

async function alone(): Promise<Subject> {
  const stage = await openStage([], {}, AS_SHIPPED);
  return { name: 'OpenCode alone', stage, canSwitch: false, makeCase: () => stage.makeCase({ fallback: false }) };
}

/** The agent whose models its configuration names in order. */
const SLIM_AGENT = 'orchestrator';

async function slim(): Promise<Subject> {
  const folder = await ensurePackage(SLIM, SLIM_VERSION);
  const stage = await openStage([join(folder, 'dist', 'index.js')], {}, AS_SHIPPED);
  const makeCase = async (): Promise<Case> => {
    const made = await stage.makeCase({ fallback: false });
    await configureSlim(made);
    return made;
  };
  return { name: SLIM_NAME, stage, agent: SLIM_AGENT, canSwitch: true, makeCase };
}

/** As its documentation says: an agent's models in order, the fallback on; nothing that asks the network. */
async function configureSlim({ directory, chain }: Case): Promise<void> {
  const settings = {
    autoUpdate: false,
    disabled_mcps: ['context7', 'gh_grep'],
    fallback: { enabled: true },
    agents: { [SLIM_AGENT]: { model: chain } },
  };
  const folder = join(directory, '.opencode');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${SLIM}.json`), JSON.stringify(settings, null, 2));
}
