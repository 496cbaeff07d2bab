import { afterEach, describe, expect, it } from 'vitest';
import type { FleetStatus } from '../../src/features/fleet/contract/fleet';
import { MISSING, SERVER_TROUBLES } from '../../src/features/fleet/contract/fleet-values';
import { NO_FLEET } from '../../src/features/fleet/contract/no-fleet';
import {
  apartPhrase,
  fleetAccounts,
  fleetHeadline,
  fleetHost,
  fleetMachines,
  fleetProbes,
  heardFromPhrase,
  missingPhrase,
  probedBy,
  troublePhrase,
} from '../../src/features/fleet/wording/fleet-page-words';
import { saidIn, speak } from '../../src/texts';
import { german } from '../../src/texts/de';
import { modelRow } from '../support/rows';
import { AWAY, machineOf, sampleFleet } from '../support/sample-fleet';
import { sampleHeadroom } from '../support/sample-headroom';

const NOW = new Date(2026, 0, 15, 14, 20).getTime();
afterEach(() => speak('en', {}));

const headline = (status: FleetStatus): readonly string[] => {
  const { title, lede } = fleetHeadline(status);
  return [title, lede];
};

describe('given how a fleet is', () => {
  const full = { trouble: 'full', reason: 'OOM command not allowed' } as const;

  it.each<[string, FleetStatus, string, string]>([
    [
      'there is none',
      NO_FLEET,
      'This machine is in no fleet.',
      'In a fleet, the machines of a team share the state of their accounts. A limit that one machine detects counts for all.',
    ],
    [
      'something is missing here',
      { ...NO_FLEET, state: 'unready', missing: { what: 'team', team: '', at: '', why: '' } },
      'This machine is not ready for its fleet.',
      'The fleet has no team. This machine works alone.',
    ],
    [
      'the server is being asked',
      sampleFleet({ state: 'connecting', saved: 0 }),
      'Connecting to the server of team acme.',
      'This machine is build-8. Until it answers, this machine works alone.',
    ],
    [
      'one other machine is heeded',
      sampleFleet(),
      'Team acme is connected, with one other machine.',
      'This machine is build-8. 27 requests to limited accounts were saved.',
    ],
    [
      'two are, and one request was saved',
      sampleFleet({ machines: [machineOf('build-7', '7'), machineOf('build-9', '9')], saved: 1 }),
      'Team acme is connected, with 2 other machines.',
      'This machine is build-8. One request to a limited account was saved.',
    ],
    [
      'nobody has said anything, and nothing was saved',
      sampleFleet({ machines: [], saved: 0 }),
      'Team acme is connected; no other machine has reported yet.',
      'This machine is build-8.',
    ],
    [
      'the server answers and takes nothing',
      sampleFleet({ trouble: full, saved: 0 }),
      'The server of team acme accepts no new data.',
      'It has no memory left, or cannot write. This machine is build-8.',
    ],
    [
      'the server is away',
      sampleFleet(AWAY),
      'The server of team acme does not answer.',
      'It cannot be reached. This machine works alone and keeps looking for the server. 27 requests to limited accounts were saved.',
    ],
    [
      'the password is another',
      sampleFleet({ ...AWAY, trouble: { trouble: 'refused', reason: 'WRONGPASS' }, saved: 0 }),
      'The server of team acme rejects this machine.',
      expect.stringMatching(/This machine works alone and keeps looking for the server\.$/),
    ],
  ])('when %s, then that is what is said first', (_, status, title, lede) => {
    expect(headline(status)).toEqual([title, lede]);
  });

  it('when German is spoken, then it is German', () => {
    expect(saidIn('de', german, () => headline(sampleFleet(AWAY)))).toEqual([
      'Der Server des Teams acme antwortet nicht.',
      'Er ist nicht erreichbar. Dieser Rechner arbeitet allein und sucht weiter nach dem Server. 27 Anfragen an begrenzte Konten wurden gespart.',
    ]);
  });

  it('when anything is missing here, then each has its own sentence; when nothing is, then nothing is said', () => {
    const said = MISSING.map((what) =>
      missingPhrase({ what, team: 'acme', at: '/a/file', why: 'permission is denied.' }),
    );
    expect([new Set(said).size, said.every((each) => each.endsWith('.'))]).toEqual([MISSING.length, true]);
    expect(missingPhrase(null)).toBe('');
  });

  it('when the server has any trouble, then each has its own sentence; when it has none, then nothing is said', () => {
    const said = SERVER_TROUBLES.map((trouble) => troublePhrase({ trouble, reason: 'ERR' }));
    expect([new Set(said).size, said.every((each) => each.endsWith('.'))]).toEqual([SERVER_TROUBLES.length, true]);
    expect(troublePhrase(null)).toBe('');
  });
});

describe('given other machines', () => {
  const heard = [machineOf('two', '2'), machineOf('one', '1', { agoMs: 60_000 }), machineOf('', 'b')];

  it('when they are listed, then by name, with when they were heard; one without a name goes by its id', () => {
    expect(fleetMachines(heard, [], NOW).map(({ name, seenAt }) => [name, NOW - (seenAt ?? 0)])).toEqual([
      ['bbbbbbbb', 4_000],
      ['one', 60_000],
      ['two', 4_000],
    ]);
  });

  it('when somebody is not heeded, then the settings say so, also of one that was never heard', () => {
    const rows = fleetMachines(heard, ['2'.repeat(16), 'f'.repeat(16)], NOW);
    expect(rows.filter(({ isIgnored }) => isIgnored).map(({ name, seenAt }) => [name, seenAt === null])).toEqual([
      ['two', false],
      ['ffffffff', true],
    ]);
  });

  it('when the settings are not known, then it is as the status says', () => {
    const [row] = fleetMachines([machineOf('two', '2', { isIgnored: true })], null, NOW);
    expect(row?.isIgnored).toBe(true);
  });
});

describe('given the accounts of a machine', () => {
  const cooling = { state: 'cooling', until: NOW + 60_000, source: 'provider' } as const;
  const models = [
    modelRow({ model: 'anthropic/claude-opus-4-1', ...cooling, machine: 'build-7' }),
    modelRow({ model: 'openai@work/gpt-5' }),
    modelRow({ model: 'moonshot/kimi-k2-turbo', state: 'probing' }),
    modelRow({ model: 'anthropic/claude-sonnet-4-5' }),
    modelRow({ model: 'mistral/devstral-medium', state: 'probing' }),
  ];
  const known = { models, headroom: sampleHeadroom(NOW) };
  const machines = fleetMachines(sampleFleet().machines, null, NOW);

  it('when they are listed, then the shared ones first, each with its models, its limits and who said something of it', () => {
    const rows = fleetAccounts(sampleFleet(), known, machines);
    expect(
      rows.map((row) => [
        row.name,
        apartPhrase(row.apart),
        row.models.length,
        row.unwell.map(({ name }) => name),
        row.limits?.windows.length ?? 0,
        heardFromPhrase(row),
      ]),
    ).toEqual([
      ['anthropic', 'shared', 2, ['claude-opus-4-1'], 2, 'reported by build-7 and ada-laptop'],
      ['moonshot', 'shared', 1, ['kimi-k2-turbo'], 0, ''],
      ['openai (work)', 'shared', 1, [], 2, ''],
      ['lmstudio', 'not shared: its server belongs to this machine', 0, [], 0, ''],
      ['mistral', 'not shared: its login names no account', 1, ['devstral-medium'], 0, ''],
    ]);
  });

  it('when a machine that is not listed has said something, then it goes by its id', () => {
    const accounts = [{ account: 'anthropic', apart: null, machines: ['c'.repeat(16)] }];
    expect(fleetAccounts({ accounts }, known, machines).map(heardFromPhrase)).toEqual(['reported by cccccccc']);
  });

  it('when more than five have said something, then five are named, and how many more there are', () => {
    const heardFrom = Array.from({ length: 8 }, (_, at) => `build-${at}`);
    expect(heardFromPhrase({ heardFrom })).toBe(
      'reported by build-0, build-1, build-2, build-3, build-4 and 3 more machines',
    );
  });

  it('when health is kept apart for an account, then the models shown without their book are its own', () => {
    const account = 'anthropic@0123456789ab';
    const [row] = fleetAccounts({ accounts: [{ account, apart: null, machines: [] }] }, known, machines);
    expect([row?.name, row?.models.length]).toEqual(['anthropic, separate', 2]);
  });

  it('when models are tried again, then those of shared accounts are told, and by whom', () => {
    const probes = fleetProbes(fleetAccounts(sampleFleet(), known, machines));
    expect(probes.map((row) => [row.name, probedBy(row)])).toEqual([['kimi-k2-turbo', 'by this machine']]);
    expect(probedBy({ machine: 'build-7' })).toBe('by build-7');
  });
});

describe('given the address of a server', () => {
  it.each([
    ['redis://10.0.0.5:6379', '10.0.0.5:6379, not encrypted'],
    ['rediss://cache.example.com/3', 'cache.example.com:6379, encrypted'],
    ['redis://[fd00::1]', '[fd00::1]:6379, not encrypted'],
    ['redis://ada:hunter2@10.0.0.5:7000', '10.0.0.5:7000, not encrypted'],
  ])('when it is %s, then its host is shown, and nobody’s password', (url, said) => {
    expect(fleetHost(url)).toBe(said);
  });
});
