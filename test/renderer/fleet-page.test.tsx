import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Handlers } from '../../src/contract/contract';
import { DEFAULT_PREFERENCES, type FleetPreferences } from '../../src/contract/preferences';
import type { Snapshot } from '../../src/contract/snapshot';
import type { FleetStatus } from '../../src/features/fleet/contract/fleet';
import { NO_FLEET } from '../../src/features/fleet/contract/no-fleet';
import { speak } from '../../src/texts';
import { german } from '../../src/texts/de';
import { clock } from '../../src/wording/wording';
import { modelRow, snapshotOf, understudyRow } from '../support/rows';
import {
  AWAY,
  fleetPreferences,
  fleetSettings,
  knownFromBuild7,
  machineOf,
  sampleFleet,
} from '../support/sample-fleet';
import { sampleHeadroom } from '../support/sample-headroom';
import { SAMPLE_AT, sampleSnapshot } from '../support/sample-snapshot';
import { press, renderPanel, ScriptedCore, textOf } from './render-panel';

const NOW = SAMPLE_AT;
const OPUS = 'anthropic/claude-opus-4-1';
const OFF = fleetPreferences({ url: null, team: '', name: '', ignored: [] });

let remove = (): void => {};
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'] });
});
afterEach(() => {
  remove();
  remove = () => {};
  speak('en', {});
  vi.useRealTimers();
});

type Opened = Readonly<{
  status?: FleetStatus;
  preferences?: FleetPreferences;
  snapshot?: Partial<Snapshot>;
  address?: string;
  answers?: Partial<Handlers>;
}>;

const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await act(async () => {});
};

async function opened({ status = sampleFleet(), preferences, snapshot, address = '#/fleet', answers }: Opened = {}) {
  const first = knownFromBuild7({ ...sampleSnapshot(NOW), headroom: sampleHeadroom(NOW), ...snapshot }, OPUS);
  const core = new ScriptedCore(first);
  const settings = fleetSettings(preferences ?? (status.state === 'off' ? OFF : undefined));
  const beganMs = performance.now();
  let told = status;
  let count = 0;
  const now = () => ({ ...first, at: NOW + performance.now() - beganMs, settings: count });
  core.handlers = {
    ...core.handlers,
    ...settings.handlers,
    'snapshot.get': now,
    'fleet.get': () => told,
    ...answers,
  };
  const rendered = renderPanel(core, address);
  remove = rendered.remove;
  // The view itself comes when it is opened.
  await act(async () => {
    await import('../../src/features/fleet/renderer/FleetPage');
    await import('../../src/renderer/pages/settings/SettingsPage');
  });
  await settle();
  /** What the core pushes when settings have changed, and what it says of the fleet from then on. */
  const push = async (next: FleetStatus = told, change: Partial<Snapshot> = {}) => {
    told = next;
    count++;
    core.push({ ...now(), rev: 90 + count, ...change });
    await settle();
  };
  const tell = (next: FleetStatus) => {
    told = next;
  };
  return { core, page: rendered.page, settings, push, tell };
}

const said = (element: Element | null | undefined): string => textOf(element).replaceAll('\u202f', ' ');
const head = (page: Element) => [said(page.querySelector('main h1')), said(page.querySelector('main .lede'))];
const card = (page: Element, name: string) =>
  [...page.querySelectorAll('main .card')].find((each) => textOf(each.querySelector('h2')) === name);
const machines = (page: Element) => [...(card(page, 'Machines')?.querySelectorAll('li') ?? [])].map(said);
const button = (page: Element, label: string) => page.querySelector<HTMLButtonElement>(`button[aria-label="${label}"]`);
const pass = async (ms: number) => {
  await act(() => vi.advanceTimersByTimeAsync(ms));
  await settle();
};
const asked = (core: ScriptedCore, name: string) => core.asked.filter((each) => each.name === name);

describe('given a machine in no fleet', () => {
  it('when the view is opened, then it says what a fleet is, and with which commands one begins', async () => {
    const { page } = await opened({ status: NO_FLEET });
    expect(head(page)).toEqual([
      'This machine is in no fleet.',
      expect.stringContaining('A limit that one machine detects counts for all'),
    ]);
    expect([...page.querySelectorAll('main pre')].map(textOf)).toEqual([
      'understudy fleet join redis://10.0.0.5:6379 --team acme --name build-7 --new',
      'understudy fleet join redis://10.0.0.5:6379 --team acme --name build-8 --secret-env FLEET_SECRET',
    ]);
    expect([card(page, 'Machines'), card(page, 'Accounts'), card(page, 'The server')]).toEqual(
      Array(3).fill(undefined),
    );
    expect(said(card(page, 'Shared data'))).toContain('never go to the server');
  });

  it('when time goes by, then nobody is asked again; when the settings change, then it is', async () => {
    const { core, push } = await opened({ status: NO_FLEET });
    await pass(60_000);
    expect(asked(core, 'fleet.get')).toHaveLength(1);
    await push(sampleFleet());
    expect(asked(core, 'fleet.get')).toHaveLength(2);
  });
});

describe('given a machine in a team', () => {
  it('when the view is opened, then it opens with how many there are, and lists each machine by its name', async () => {
    const { page } = await opened();
    expect(head(page)).toEqual([
      'Team acme is connected, with one other machine.',
      'This machine is build-8. 27 requests to limited accounts were saved.',
    ]);
    expect(machines(page)).toEqual([
      'ada-laptopignoredupdated 3 min agoaaaaaaaaStop ignoring',
      'build-7updated 4 s agoUnderstudy 0.9.277777777Ignore',
    ]);
    expect(card(page, 'The server')).toBeUndefined();
  });

  it('when accounts are listed, then each says whether it is shared, how it is, who said so, and how full its limits are', async () => {
    const { page } = await opened();
    const accounts = [...(card(page, 'Accounts')?.querySelectorAll('.acct') ?? [])];
    expect(accounts.map((each) => said(each.querySelector('h3')))).toEqual([
      'anthropic shared',
      'moonshot shared',
      'openai (work) shared',
      'lmstudio not shared: its server belongs to this machine',
      'mistral not shared: its login names no account',
    ]);
    const [anthropic, , , lmstudio] = accounts;
    expect(said(anthropic?.querySelector('.fl-line'))).toMatch(/; reported by build-7 and ada-laptop$/);
    const [opus, plan] = [...(anthropic?.querySelectorAll('li') ?? [])];
    expect(said(opus)).toContain(`Cooling${clock(NOW + 14 * 60_000)}`);
    expect(said(opus)).toMatch(/reported by build-7$/);
    expect(opus?.querySelector('a')?.getAttribute('href')).toBe(`#/models/${encodeURIComponent(OPUS)}`);
    expect(said(plan)).toMatch(/^5 h limit72 % resets/);
    expect(lmstudio?.querySelector('ul')).toBeNull();
  });

  it('when an account has more models that are not well than there is room for, then it says where the others are', async () => {
    const models = Array.from({ length: 8 }, (_, index) =>
      modelRow({ model: `anthropic/claude-${index}`, state: 'open', until: NOW + 60_000, source: 'estimate' }),
    );
    const { page } = await opened({ snapshot: { models, headroom: [] } });
    const rows = [...(card(page, 'Accounts')?.querySelectorAll('.acct li') ?? [])];
    expect([rows.length, said(rows.at(-1))]).toEqual([6, '3 more models']);
  });

  it('when an account has more limits than there is room for, then it says where the others are', async () => {
    const [account] = sampleHeadroom(NOW);
    const [window] = account?.windows.filter(({ isPlan }) => isPlan) ?? [];
    if (!account || !window) throw new Error('no limit');
    const windows = Array.from({ length: 8 }, (_, at) => ({ ...window, id: `${window.id}-${at}` }));
    const { page } = await opened({ snapshot: { models: [], headroom: [{ ...account, windows }] } });
    const rows = [...(card(page, 'Accounts')?.querySelectorAll('.acct > ul > li') ?? [])];
    expect([rows.length, said(rows.at(-1))]).toEqual([6, '3 more limits']);
  });

  it('when there are more machines than there is room for, then twenty are listed, and all when that is asked for', async () => {
    const many = Array.from({ length: 25 }, (_, at) =>
      machineOf(`build-${at}`, 'x', { id: String(at).padStart(16, '0') }),
    );
    const { page } = await opened({ status: sampleFleet({ machines: many }) });
    expect(machines(page).at(-1)).toBe('Show 6 more');
    await press(page.querySelector('.fl-machine ~ .mini-note button'));
    expect(machines(page)).toHaveLength(26);
  });

  it('when a model of a shared account is tried again, then it says by whom; when none is, then that', async () => {
    const { page, push } = await opened();
    expect(said(card(page, 'Probes in progress')?.querySelector('li'))).toBe('moonshot/kimi-k2-turboby this machine');
    await push(sampleFleet(), { models: [] });
    expect(said(card(page, 'Probes in progress'))).toContain('No model of a shared account is being probed.');
  });

  it('when time goes by, then the status is asked for again, and a server that went away is told', async () => {
    const { page, tell } = await opened();
    tell(sampleFleet(AWAY));
    await pass(5_100);
    expect(head(page)).toEqual([
      'The server of team acme does not answer.',
      expect.stringContaining('This machine works alone and keeps looking for the server.'),
    ]);
    expect(said(card(page, 'The server'))).toContain('connect ECONNREFUSED 10.0.0.5:6379');
    expect(said(card(page, 'The server')?.querySelector('pre'))).toBe('understudy fleet status --check');
    expect(machines(page)).toHaveLength(2);
  });

  it('when another machine finds something out, then the status is asked for at once', async () => {
    const { core, push } = await opened();
    const before = asked(core, 'fleet.get').length;
    await push(undefined, { settings: 0, models: [modelRow({ model: OPUS, state: 'open', machine: 'build-9' })] });
    expect(asked(core, 'fleet.get')).toHaveLength(before + 1);
  });

  it('when the link to the core is lost, then nobody is asked, and ages are not told', async () => {
    const { core, page } = await opened();
    core.link('lost');
    await pass(20_000);
    expect(asked(core, 'fleet.get').length).toBeLessThanOrEqual(2);
    expect(machines(page)[1]).toBe('build-7Understudy 0.9.277777777Ignore');
    expect(page.querySelector('main')?.className).toBe('main stale');
  });

  it('when OpenCode is closed, then what is known of the fleet is no less so', async () => {
    const { page } = await opened({ snapshot: { connection: { status: 'lost', since: NOW } } });
    expect(page.querySelector('main')?.className).toBe('main');
  });
});

describe('given a machine that is not ready', () => {
  it('when the view is opened, then it says what is missing, that it works on alone, and what finds out more', async () => {
    const at = '/home/ada/.local/state/understudy/fleet-secret';
    const reason = `The secret of team acme is missing: ${at}.`;
    const { page } = await opened({
      status: { ...NO_FLEET, state: 'unready', missing: { what: 'secret', team: 'acme', at, why: '' } },
      preferences: fleetPreferences(),
    });
    expect(head(page)).toEqual(['This machine is not ready for its fleet.', `${reason} This machine works alone.`]);
    expect(card(page, 'The server')?.querySelector('dl')).toBeNull();
    expect(said(card(page, 'The server'))).toContain('understudy fleet status --check');
    expect(card(page, 'Machines')).toBeUndefined();
  });
});

describe('given a machine that says what is not so', () => {
  it('when it is not to be heeded, then its id is written beside the others, and Undo takes that back', async () => {
    const { core, page, settings } = await opened();
    await press(button(page, 'Ignore build-7'));
    await settle();
    expect(settings.fleet().ignored).toEqual(['a'.repeat(16), '7'.repeat(16)]);
    expect(machines(page)[1]).toMatch(/^build-7ignored/);
    expect(said(page.querySelector('.toast'))).toContain('build-7 is ignored on this machine.');
    await press([...page.querySelectorAll('.toast button')].find((each) => textOf(each) === 'Undo'));
    await settle();
    expect(settings.fleet().ignored).toEqual(['a'.repeat(16)]);
    expect(said(page.querySelector('.toast'))).toContain('Undone.');
    expect(asked(core, 'settings.set').map(({ input }) => input)).toEqual([
      { patch: { fleet: { ignored: ['a'.repeat(16), '7'.repeat(16)] } }, rev: 'r1' },
      { patch: { fleet: { ignored: ['a'.repeat(16)] } }, rev: 'r2' },
    ]);
  });

  it('when it is heeded again, then it is no longer among those who are not', async () => {
    const { page, settings } = await opened();
    await press(button(page, 'Stop ignoring ada-laptop'));
    await settle();
    expect(settings.fleet().ignored).toEqual([]);
    expect(button(page, 'Ignore ada-laptop')).not.toBeNull();
  });

  it('when the team is joined anew for it, then what was known stays on the page until it is known again', async () => {
    const { page, push, tell } = await opened();
    const before = machines(page);
    await push(sampleFleet({ state: 'connecting', machines: [], accounts: [], saved: 0 }));
    expect(head(page)[0]).toBe('Connecting to the server of team acme.');
    expect(machines(page)).toEqual(before);
    tell(sampleFleet({ machines: [machineOf('build-9', '9')] }));
    await pass(2_100);
    expect(machines(page).map((row) => row.slice(0, 10))).toEqual(['build-9upd', 'aaaaaaaaig']);
  });

  it('when the settings have changed elsewhere, then the refusal is said of that machine', async () => {
    const { page } = await opened({
      answers: { 'settings.set': () => ({ ok: false, reason: 'The settings have changed.' }) },
    });
    await press(button(page, 'Ignore build-7'));
    expect(said(page.querySelector('.toast [role=alert]'))).toBe('Not changed: The settings have changed.');
  });

  it('when the file of the settings is broken, then nothing can be changed', async () => {
    const broken = {
      ...{ preferences: { ...DEFAULT_PREFERENCES, fleet: fleetPreferences() }, path: '/p', rev: 'r1' },
      problem: '/p:1:2: a closing } is missing.',
    };
    const { page } = await opened({ answers: { 'settings.get': () => broken } });
    expect(button(page, 'Ignore build-7')?.disabled).toBe(true);
  });
});

describe('given a core that does not say how the fleet is', () => {
  it('when the view is opened, then it says so and can be asked again', async () => {
    let isSilent = true;
    const { page } = await opened({
      answers: {
        'fleet.get': () => {
          if (isSilent) throw new Error('The disk is away.');
          return sampleFleet();
        },
      },
    });
    const alert = page.querySelector('main [role=alert]');
    expect([head(page)[0], said(alert)]).toEqual(['Fleet', expect.stringContaining('The disk is away.')]);
    isSilent = false;
    await press(alert?.querySelector('button'));
    await settle();
    expect(head(page)[0]).toBe('Team acme is connected, with one other machine.');
  });
});

describe('given the settings', () => {
  const fleetCard = (page: Element) => page.querySelector('main section[aria-labelledby=fleet]');
  const tick = (page: Element, name: string) =>
    [...page.querySelectorAll('label')].find((each) => textOf(each).startsWith(name))?.querySelector('input');

  it('when the machine is in no fleet, then the card says none, and that nothing is opened', async () => {
    const { page } = await opened({ status: NO_FLEET, address: '#/settings/general' });
    expect(said(fleetCard(page))).toMatch(/^FleetNone\. Nothing is opened or sent until you join a team:/);
    expect(fleetCard(page)?.querySelectorAll('input')).toHaveLength(0);
    expect(fleetCard(page)?.querySelector('a')?.getAttribute('href')).toBe('#/fleet');
  });

  it('when it is in one, then server, team and name stand there, and what is told can be chosen', async () => {
    const { core, page, push, settings } = await opened({ address: '#/settings/general' });
    expect(said(fleetCard(page)?.querySelector('dl'))).toBe(
      'Server10.0.0.5:6379, not encryptedTeamacmeThis machinebuild-8',
    );
    expect(tick(page, 'Share the usage of limits')?.checked).toBe(true);
    await press(tick(page, 'Share the usage of limits'));
    await push();
    expect(settings.fleet().share).toEqual(['health']);
    expect(tick(page, 'Share the usage of limits')?.checked).toBe(false);
    await press([...page.querySelectorAll('.toast button')].find((each) => textOf(each) === 'Undo'));
    expect(asked(core, 'settings.set').at(-1)?.input).toEqual({
      patch: { fleet: { share: ['health', 'headroom'] } },
      rev: 'r2',
    });
  });

  it('when nothing is told, then the view says that it was chosen so', async () => {
    const { page } = await opened({ preferences: fleetPreferences({ share: [] }) });
    expect(said(card(page, 'Shared data'))).toContain(
      'Nothing: you chose that this machine neither sends nor reads data',
    );
  });
});

describe('given the view "now"', () => {
  const ribbon = (page: Element, name: string) =>
    [...page.querySelectorAll('.rb')].find((row) => textOf(row).includes(name));

  it('when another machine has found out why an agent is away, then its entry and the ribbon of the model say so', async () => {
    const sonnet = 'anthropic/claude-sonnet-4-5';
    const known = modelRow({
      ...{ model: sonnet, state: 'cooling', machine: 'build-7', since: NOW - 60_000 },
      ...{ until: NOW + 840_000, source: 'provider' },
    });
    const at = { at: NOW, models: [known, modelRow({ model: 'openai/gpt-5' })] };
    const { page } = await opened({ snapshot: snapshotOf([understudyRow({ agent: 'plan' })], at), address: '#/now' });
    expect(said(page.querySelector('.q'))).toContain('claude-sonnet-4-5 is rate limited (429), reported by build-7.');
    expect(said(ribbon(page, 'claude-sonnet-4-5')?.querySelector('.rb-from'))).toBe('reported by build-7');
    expect(ribbon(page, 'gpt-5')?.querySelector('.rb-from')).toBeNull();
  });
});

describe('given the keyboard, and German', () => {
  it('when g and f are pressed, then the view is shown', async () => {
    const { page } = await opened({ address: '#/models' });
    await act(async () => {
      for (const key of ['g', 'f'])
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      window.dispatchEvent(new Event('hashchange'));
    });
    await settle();
    expect(window.location.hash).toBe('#/fleet');
    expect(textOf(page.querySelector('.tabs [aria-current=page]'))).toBe('Fleet');
  });

  it('when German is spoken, then the view is German', async () => {
    speak('de', german);
    const { page } = await opened();
    expect(head(page)[0]).toBe('Team acme ist verbunden, mit einem anderen Rechner.');
    expect(said(card(page, 'Rechner'))).toContain('build-7');
    expect(button(page, 'build-7 ignorieren')).not.toBeNull();
  });
});
