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
  const { told: report, problem, again } = useTold(inForce?.preferences.fleet.url != null);
  const ignored = inForce?.preferences.fleet.ignored ?? null;
  const machines = useMemo(
    () => (report === null ? [] : fleetMachines(report.status.machines, ignored, report.at)),
    [report, ignored],
  );
  const heed = ({ id, name, isIgnored }: MachineRow): void => {
    const { nowHeeded, nowIgnored } = fleetPageTexts().machines;
    const others = (ignored ?? []).filter((each) => each !== id);
    const patch = { fleet: { ignored: isIgnored ? others : [...others, id] } };
    change(patch, (isIgnored ? nowHeeded : nowIgnored)(name));
  };
  const isFixed = inForce === null || inForce.problem !== null;
  return {
    status: report?.status ?? null,
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
  const states = models.map(({ model, state, machine }) =>
    machine === undefined ? '' : `${model} ${state} ${machine}`,
  );
  const look = isJoined ? Math.floor(now / LOOK_MS) : '';
  const query = useAnswer('fleet.get', null, [settings, look, ...states].join('|'), isHeard);
  useSoonAgain(query, query.answer?.state === 'connecting');
  const { answer, problem, again } = query;
  const report = useMemo(() => answer && { status: answer, at: coreNow(store.getState()) }, [answer, store]);
  return { told: useKept(report), problem, again };
}

/** Keeps machines and focus while this machine rejoins after a change of settings. */
function useKept(report: Told | null): Told | null {
  const last = useRef<Told | null>(null);
  const before = last.current;
  const isKept = report?.status.state === 'connecting' && report.status.team === before?.status.team;
  if (report !== null && !isKept) last.current = report;
  return useMemo(() => {
    if (!isKept || report === null || before === null) return report;
    const { machines, accounts } = before.status;
    return { status: { ...report.status, machines, accounts }, at: before.at };
  }, [isKept, report, before]);
}
