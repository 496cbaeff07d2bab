import { useMemo, useRef } from 'react';
import { DEFAULT_PREFERENCES, type FleetPreferences } from '../../../contract/preferences';
import { useAnswer, useSoonAgain } from '../../../renderer/app/asked';
import { useCoreNow, usePanel, useSnapshot, useStale } from '../../../renderer/app/panel';
import { coreNow } from '../../../renderer/app/store';
import { useSettings } from '../../../renderer/pages/settings/use-settings';
import { fleetPageTexts } from '../../../texts';
import type { FleetStatus } from '../contract/fleet';
import { fleetMachines, type MachineRow } from '../wording/fleet-page-words';

/** Polled, because a lost server is not pushed. */
const LOOK_MS = 5_000;

type Told = Readonly<{ status: FleetStatus; at: number }>;

export type Fleet = Readonly<{
  status: FleetStatus | null;
  machines: readonly MachineRow[];
  share: FleetPreferences['share'];
  problem: string | null;
  again: () => void;
  /** Undo for ten seconds; null while settings cannot change. */
  heed: ((machine: MachineRow) => void) | null;
}>;

export function useFleet(): Fleet {
  const { inForce, change } = useSettings();
  const { told, problem, again } = useTold(inForce?.preferences.fleet.url != null);
  const ignored = inForce?.preferences.fleet.ignored ?? null;
  const machines = useMemo(
    () => (told === null ? [] : fleetMachines(told.status.machines, ignored, told.at)),
    [told, ignored],
  );
  const heed = ({ id, name, isIgnored }: MachineRow): void => {
    const { nowHeeded, nowIgnored } = fleetPageTexts().machines;
    const others = (ignored ?? []).filter((each) => each !== id);
    const patch = { fleet: { ignored: isIgnored ? others : [...others, id] } };
    change(patch, (isIgnored ? nowHeeded : nowIgnored)(name));
  };
  const isFixed = inForce === null || inForce.problem !== null;
  return {
    status: told?.status ?? null,
    machines,
    problem,
    again,
    share: inForce?.preferences.fleet.share ?? DEFAULT_PREFERENCES.fleet.share,
    heed: isFixed ? null : heed,
  };
}

function useTold(isJoined: boolean): Readonly<{ told: Told | null; problem: string | null; again: () => void }> {
  const { store } = usePanel();
  const { settings, models } = useSnapshot();
  const isHeard = useStale().cause !== 'link';
  const now = useCoreNow(isHeard && isJoined ? null : undefined, LOOK_MS);
  // Changes with each report.
  const heard = models.map(({ model, state, machine }) =>
    machine === undefined ? '' : `${model} ${state} ${machine}`,
  );
  const look = isJoined ? Math.floor(now / LOOK_MS) : '';
  const asked = useAnswer('fleet.get', null, [settings, look, ...heard].join('|'), isHeard);
  useSoonAgain(asked, asked.answer?.state === 'connecting');
  const { answer, problem, again } = asked;
  const told = useMemo(() => answer && { status: answer, at: coreNow(store.getState()) }, [answer, store]);
  return { told: useKept(told), problem, again };
}

/** Keeps machines and focus while this machine rejoins after a change of settings. */
function useKept(told: Told | null): Told | null {
  const last = useRef<Told | null>(null);
  const before = last.current;
  const isKept = told?.status.state === 'connecting' && told.status.team === before?.status.team;
  if (told !== null && !isKept) last.current = told;
  return useMemo(() => {
    if (!isKept || told === null || before === null) return told;
    const { machines, accounts } = before.status;
    return { status: { ...told.status, machines, accounts }, at: before.at };
  }, [isKept, told, before]);
}
