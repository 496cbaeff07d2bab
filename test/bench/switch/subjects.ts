import type { ScriptedProvider } from '../../../src/demo/scripted-provider';
import { generationOf, type OpencodeBinary, startOpencode, startOpencode2 } from '../../../src/node/opencode';
import type { Case } from '../../support/stage';
import type { Unmeasured } from '../bench-row';
import { ALONE, type Home, type Kind, MARKED, makeHome, OURS, type Setting, SLIM, TRIVIAL } from '../homes';
import { openRoom1, openRoom2, type Room } from './rooms';

/** An OpenCode that is to survive a failure, by whatever plugin it has. */
export type Subject = Readonly<{
  name: string;
  /** Its companion's state home. */
  home: string;
  provider: ScriptedProvider;
  /** True if it is to leave a failing model; else that model recovers at once and is asked again. */
  canSwitch: boolean;
  makeCase: () => Promise<Case>;
  open: (made: Case) => Promise<Room>;
  close: () => Promise<void>;
}>;

/** Starts an OpenCode with the companion; the caller closes it. */
export const openOurs = (binary: OpencodeBinary, setting: Setting = {}): Promise<Subject> =>
  openSubject(binary, OURS, setting);

/** The same with marks of the companion's own time. */
export const openMarked = (binary: OpencodeBinary, setting: Setting = {}): Promise<Subject> =>
  openSubject(binary, MARKED, setting);

/** Starts an OpenCode with the plugin users would otherwise take; the caller closes it. @throws Error when it cannot be had. */
export const openSlim = (binary: OpencodeBinary, setting: Setting = {}): Promise<Subject> =>
  openSubject(binary, SLIM, setting);

/** Starts every subject that is to be had on an OpenCode; the caller closes them. The companion comes first. */
export async function openSubjects(
  binary: OpencodeBinary,
): Promise<Readonly<{ subjects: readonly Subject[]; missing: readonly Unmeasured[] }>> {
  const ours = await openOurs(binary);
  const others = [await openSubject(binary, TRIVIAL), await openSubject(binary, ALONE)];
  try {
    return { subjects: [ours, await openSlim(binary), ...others], missing: [] };
  } catch (error) {
    return { subjects: [ours, ...others], missing: [{ name: nameOn(binary, SLIM), why: (error as Error).message }] };
  }
}

const nameOn = ({ version }: OpencodeBinary, { name }: Kind): string => `${name} on ${version}`;

async function openSubject(binary: OpencodeBinary, kind: Kind, setting: Setting = {}): Promise<Subject> {
  const { state, provider, start, makeCase, remove } = await makeHome(binary, kind, setting);
  const started = generationOf(binary) < 2 ? await firstOf(start) : await secondOf(start);
  return {
    ...{
      name: nameOn(binary, kind),
      canSwitch: kind.case.fallback !== false || kind === SLIM,
      home: state,
      provider,
      makeCase,
    },
    open: ({ directory }) => started.open({ directory, ...(kind.agent ? { agent: kind.agent } : {}) }),
    async close() {
      await started.stop();
      await remove();
    },
  };
}

type Started = Readonly<{ open: (where: Parameters<typeof openRoom1>[1]) => Promise<Room>; stop: () => Promise<void> }>;

async function firstOf(start: Home['start']): Promise<Started> {
  const server = await startOpencode(start);
  return { open: (where) => openRoom1(server, where), stop: async () => void (await server.stop()) };
}

async function secondOf(start: Home['start']): Promise<Started> {
  const server = await startOpencode2(start);
  return { open: (where) => openRoom2(server, where), stop: async () => void (await server.stop()) };
}
