import type { AccountRow } from '../../../contract/headroom';
import type { ModelRow } from '../../../contract/snapshot';
import { accountIn, type ModelState, unaccounted, unbooked } from '../../../engine/names';
import { fleetPageTexts, moreTexts, wordTexts } from '../../../texts';
import { accountPhrase } from '../../../wording/headroom-words';
import type { FleetMachine, FleetStatus, Missing } from '../contract/fleet';
import { type Apart, isShut } from '../contract/fleet-values';

const ID_SHOWN = 8;
const SPEAKERS_NAMED = 5;
const USUAL_PORT = 6_379;
const QUIET: readonly ModelState[] = ['ready', 'unseen'];

type Headline = Readonly<{ title: string; lede: string }>;

export type MachineRow = Readonly<{
  id: string;
  name: string;
  version: string | null;
  /** Wall-clock ms of the core; null without a valid report. */
  seenAt: number | null;
  isIgnored: boolean;
}>;

export type FleetAccountRow = Readonly<{
  account: string;
  name: string;
  apart: Apart | null;
  models: readonly ModelRow[];
  unwell: readonly ModelRow[];
  limits: AccountRow | null;
  heardFrom: readonly string[];
}>;

export function fleetHeadline(status: FleetStatus): Headline {
  const { title, lede } = fleetPageTexts();
  const { state, missing, trouble, machines } = status;
  const team = status.team ?? '';
  switch (state) {
    case 'off':
      return { title: title.off, lede: lede.off };
    case 'unready':
      return { title: title.unready, lede: joined(missingPhrase(missing), lede.alone) };
    case 'connecting':
      return { title: title.connecting(team), lede: joined(nameOf(status), lede.until) };
    case 'away':
      return {
        title: trouble !== null && isShut(trouble.trouble) ? title.shut(team) : title.away(team),
        lede: joined(troublePhrase(trouble), lede.looks, savedOf(status)),
      };
    case 'connected': {
      const others = machines.filter(({ isIgnored }) => !isIgnored).length;
      const calm = others === 0 ? title.alone(team) : title.together(team, others);
      return {
        title: trouble === null ? calm : trouble.trouble === 'flooded' ? title.flooded(team) : title.full(team),
        lede: joined(troublePhrase(trouble), nameOf(status), savedOf(status)),
      };
    }
  }
}

const joined = (...parts: readonly string[]): string => parts.filter(Boolean).join(' ');
const nameOf = ({ name }: FleetStatus): string => (name === null ? '' : fleetPageTexts().lede.name(name));
const savedOf = ({ saved }: FleetStatus): string => (saved === 0 ? '' : fleetPageTexts().lede.saved(saved));

export function missingPhrase(missing: Missing | null): string {
  if (missing === null) return '';
  const { what, at, why, team } = missing;
  return fleetPageTexts().lacks[what](at, why, team);
}

export const troublePhrase = (trouble: FleetStatus['trouble']): string =>
  trouble === null ? '' : fleetPageTexts().troubles[trouble.trouble];

export const shortMachine = (id: string): string => id.slice(0, ID_SHOWN);

/**
 * Includes ignored machines without reports.
 * @param ignored IDs; null uses the status.
 * @param at wall-clock ms of the core.
 */
export function fleetMachines(
  machines: readonly FleetMachine[],
  ignored: readonly string[] | null,
  at: number,
): readonly MachineRow[] {
  const reporting = machines.map(({ id, name, version, agoMs, isIgnored }) => ({
    id,
    name: name || shortMachine(id),
    version,
    seenAt: at - agoMs,
    isIgnored: ignored === null ? isIgnored : ignored.includes(id),
  }));
  const silent = (ignored ?? []).filter((id) => !machines.some((machine) => machine.id === id));
  const rows = silent.map((id) => ({ id, name: shortMachine(id), version: null, seenAt: null, isIgnored: true }));
  return [...reporting.sort(byName), ...rows];
}

const byName = (one: MachineRow, other: MachineRow): number =>
  one.name === other.name ? (one.id < other.id ? -1 : 1) : one.name < other.name ? -1 : 1;

export function fleetAccounts(
  { accounts }: Pick<FleetStatus, 'accounts'>,
  { models, headroom }: Readonly<{ models: readonly ModelRow[]; headroom: readonly AccountRow[] }>,
  machines: readonly MachineRow[],
): readonly FleetAccountRow[] {
  const keys = new Set(accounts.map(({ account }) => account));
  const rows = accounts.map(({ account, apart, machines: reporting }): FleetAccountRow => {
    const own = models.filter(({ model }) => accountOf(model, keys) === account);
    return {
      account,
      apart,
      name: fleetAccountName(account),
      models: own,
      unwell: own.filter(({ state }) => !QUIET.includes(state)),
      limits: headroom.find((row) => row.account === account) ?? null,
      heardFrom: reporting.map((id) => machines.find((machine) => machine.id === id)?.name ?? shortMachine(id)),
    };
  });
  return rows.sort((one, other) => Number(one.apart !== null) - Number(other.apart !== null) || orderOf(one, other));
}

const orderOf = (one: FleetAccountRow, other: FleetAccountRow): number => (one.name < other.name ? -1 : 1);

/** Returns the provider for health of a separate partition. */
function accountOf(model: string, accounts: ReadonlySet<string>): string {
  const account = model.slice(0, Math.max(0, model.indexOf('/')));
  return accounts.has(account) ? account : ([...accounts].find((each) => unbooked(each) === account) ?? account);
}

/** "openai (work)" */
export function fleetAccountName(account: string): string {
  const plain = unbooked(account);
  return accountPhrase({ provider: unaccounted(plain), label: accountIn(plain), isApart: plain !== account });
}

export const apartPhrase = (apart: Apart | null): string => {
  const t = fleetPageTexts().accounts;
  return apart === null ? t.shared : t.apart[apart];
};

/** "reported by build-7 and build-8" */
export function heardFromPhrase({ heardFrom }: Pick<FleetAccountRow, 'heardFrom'>): string {
  if (heardFrom.length === 0) return '';
  const others = heardFrom.length - SPEAKERS_NAMED;
  const names = others > 0 ? [...heardFrom.slice(0, SPEAKERS_NAMED), moreTexts().machines(others)] : heardFrom;
  return fleetPageTexts().accounts.heard(wordTexts().listed(names));
}

export const fleetProbes = (accounts: readonly FleetAccountRow[]): readonly ModelRow[] =>
  accounts.flatMap(({ apart, models }) => (apart === null ? models.filter(({ state }) => state === 'probing') : []));

export const probedBy = ({ machine }: Pick<ModelRow, 'machine'>): string => {
  const t = fleetPageTexts().probes;
  return machine === undefined ? t.here : t.by(machine);
};

export function fleetHost(url: string): string {
  const t = fleetPageTexts().settings;
  const [, scheme = '', rest = ''] = /^(rediss?):\/\/([^/?#]*)/.exec(url) ?? [];
  const host = rest.slice(rest.lastIndexOf('@') + 1);
  const place = /:\d+$/.test(host) ? host : `${host}:${USUAL_PORT}`;
  return scheme === 'rediss' ? t.encrypted(place) : t.open(place);
}
