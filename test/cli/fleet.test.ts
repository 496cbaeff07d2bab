import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fleetOf } from '../../src/features/fleet/node/settings';
import { readPreferences } from '../../src/node/config/preferences';
import { openAccountBooks } from '../../src/node/data/account-books';
import { type Certificates, drawCertificates, encryptedBy, hasOpenssl } from '../support/certificates';
import { patiently } from '../support/eventually';
import { openServer, redis } from '../support/redis';
import { cliUser, startApp } from './real-cli';

const SECRET = 's'.repeat(40);
const preferencesOf = async (home: string) => JSON.parse(await readFile(join(home, 'preferences.json'), 'utf8'));

describe('given a user who joins a team in a terminal', () => {
  it('when it is a new one, then its secret lies in a private file, and what was chosen in the preferences', async () => {
    const user = await cliUser();
    const { code, said } = await user.run([
      'fleet',
      'join',
      'redis://10.0.0.5:6379',
      '--team',
      'acme',
      '--name',
      'b-7',
      '--new',
    ]);
    expect([code, said]).toEqual([
      0,
      expect.stringContaining("The team's secret is in ~/u/fleet-secret. Give its content only"),
    ]);
    const { mode } = await stat(join(user.home, 'fleet-secret'));
    expect(mode & 0o777).toBe(0o600);
    expect(await preferencesOf(user.home)).toEqual({
      fleet: { url: 'redis://10.0.0.5:6379', team: 'acme', name: 'b-7', username: null, passwordEnv: null, ca: null },
    });
    expect(said).not.toContain((await readFile(join(user.home, 'fleet-secret'), 'utf8')).trim());
    const left = await user.run(['fleet', 'leave']);
    expect([left.code, (await preferencesOf(user.home)).fleet.url]).toEqual([0, null]);
    expect(await user.run(['fleet', 'leave'])).toEqual({ code: 5, said: 'This machine is in no fleet.' });
  });

  it('when a secret is there already, then another one is refused, the same one taken, and the file stays as it is', async () => {
    const user = await cliUser();
    const joinWith = (more: readonly string[], secret = SECRET) =>
      user.run(['fleet', 'join', 'redis://h', '--team', 'acme', ...more], {
        env: { ...user.env, FLEET_SECRET: secret },
      });
    expect((await joinWith(['--secret-env', 'FLEET_SECRET'])).code).toBe(0);
    expect((await joinWith(['--secret-env', 'FLEET_SECRET'])).code).toBe(0);
    const [begun, other] = [
      await joinWith(['--new']),
      await joinWith(['--secret-env', 'FLEET_SECRET'], 't'.repeat(40)),
    ];
    const there = '~/u/fleet-secret already holds a team secret.';
    expect(begun).toEqual({
      code: 5,
      said: `${there} Omit --new to use it, or move it away first. Nothing was changed.`,
    });
    expect(other).toEqual({ code: 5, said: `${there} Move it away first. Nothing was changed.` });
    expect(await readFile(join(user.home, 'fleet-secret'), 'utf8')).toBe(`${SECRET}\n`);
  });

  it.each([
    ['an address that is none', ['http://10.0.0.5'], 2, 'url: expected redis://host:6379'],
    ['a port that there is not', ['redis://10.0.0.5:99999'], 2, 'url: expected redis://host:6379'],
    ['a database of its own', ['redis://10.0.0.5:6379/3'], 2, 'url: expected redis://host:6379'],
    ['no brackets around its IPv6', ['redis://::1:6379'], 2, 'an IPv6 address in brackets'],
    ['a password in it', ['redis://me:secret@10.0.0.5'], 2, 'url: expected redis://host:6379'],
    ['a team of two words', ['redis://h', '--team', 'a b'], 2, 'team: expected letters'],
    ['no secret', ['redis://h'], 5, 'name its variable with --secret-env, or start a team with --new'],
    ['a variable that is not set', ['redis://h', '--secret-env', 'NOT_SET'], 5, 'NOT_SET is not set'],
    ['an authority that it cannot need', ['redis://h', '--ca', 'ca.pem'], 2, '--ca needs an encrypted connection'],
    ['a short secret', ['redis://h', '--secret-env', 'SHORT'], 5, 'SHORT holds no team secret'],
  ])('when it names %s, then it is refused in words, and nothing is written', async (_, args, code, why) => {
    const user = await cliUser();
    const env = { ...user.env, SHORT: 'abc' };
    const team = args.includes('--team') ? [] : ['--team', 'acme'];
    const ended = await user.run(['fleet', 'join', ...args, ...team], { env });
    expect(ended).toEqual({ code, said: expect.stringContaining(why) });
    for (const name of ['preferences.json', 'fleet-secret'])
      await expect(readFile(join(user.home, name))).rejects.toThrow('ENOENT');
  });

  it('when its preferences are broken, then nothing is written; mended, the same command begins the team', async () => {
    const user = await cliUser();
    await mkdir(user.home, { recursive: true, mode: 0o700 });
    await writeFile(join(user.home, 'preferences.json'), '{ "history": {');
    const begin = () => user.run(['fleet', 'join', 'redis://h', '--team', 'acme', '--new']);
    expect(await begin()).toMatchObject({ code: 5, said: expect.stringContaining('othing was changed') });
    await expect(readFile(join(user.home, 'fleet-secret'))).rejects.toThrow('ENOENT');
    await writeFile(join(user.home, 'preferences.json'), '{}');
    expect((await begin()).code).toBe(0);
  });

  it('when what it names is not there yet, then it is joined, and what is missing is said at once', async () => {
    const user = await cliUser();
    const { code, said } = await user.run([
      ...['fleet', 'join', 'redis://h', '--team', 'acme', '--new', '--password-env', 'NOT_SET'],
    ]);
    expect([code, said]).toEqual([0, expect.stringContaining('NOT_SET is not set')]);
  });

  it('when no app runs, or no team is chosen, then "status" and "doctor" say so', async () => {
    const user = await cliUser();
    expect(await user.run(['fleet'])).toMatchObject({ code: 3, said: expect.stringContaining('in no fleet') });
    expect(await user.run(['fleet', 'status', '--check'])).toMatchObject({
      code: 5,
      said: expect.stringContaining('in no fleet'),
    });
    await startApp(user);
    expect(await user.run(['fleet'])).toMatchObject({ code: 0, said: expect.stringContaining('in no fleet') });
  });
});

describe('given preferences that cannot be read', () => {
  it('when somebody looks or leaves, then they hear that, and nothing is changed', async () => {
    const user = await cliUser();
    await mkdir(user.home, { recursive: true });
    const path = join(user.home, 'preferences.json');
    await writeFile(path, '{ "fleet": ');
    const said = expect.stringContaining('preferences.json');
    expect(await user.run(['fleet', 'status', '--check'])).toMatchObject({ code: 6, said });
    expect(await user.run(['fleet', 'leave'])).toMatchObject({ code: 5, said });
    expect(await readFile(path, 'utf8')).toBe('{ "fleet": ');
  });
});

describe.skipIf(typeof redis === 'string')('given a team with a real server', () => {
  async function joined() {
    const server = await openServer();
    onTestFinished(() => server.close());
    const user = await cliUser();
    const url = `redis://${server.address.host}:${server.address.port}`;
    await user.run(['fleet', 'join', url, '--team', 'acme', '--name', 'b-7', '--new']);
    return { server, user };
  }

  it('when the doctor looks, then each thing the server has to do is well, and nothing stays there', async () => {
    const { server, user } = await joined();
    const { code, said } = await user.run(['fleet', 'status', '--check']);
    expect([code, said]).toEqual([0, expect.stringContaining('No account has been used yet.')]);
    expect(said.match(/^✓ /gm)).toHaveLength(6);
    await patiently(async () => expect(await server.command('DBSIZE')).toBe(':0\r\n'));
    const json = await user.run(['fleet', 'status', '--check', '--json']);
    expect(JSON.parse(json.said)).toMatchObject({ isWell: true });
  });

  it.each([
    [
      'wants a password',
      ['CONFIG', 'SET', 'requirepass', 'right'],
      /NOAUTH.*\n? *Check the user name and the password/s,
    ],
    [
      'lets this user run no scripts',
      ['ACL', 'SETUSER', 'default', '-eval', '-evalsha'],
      /NOPERM.*permission to run scripts/s,
    ],
    ['lets this user hear nothing', ['ACL', 'SETUSER', 'default', 'resetchannels'], /NOPERM/],
    ['is full', ['CONFIG', 'SET', 'maxmemory', '1'], /OOM.*Give the server more memory/s],
  ])('when the server %s, then the doctor names the cause and what to do, and ends with 6', async (_, command, why) => {
    const { server, user } = await joined();
    await server.command(...command);
    const { code, said } = await user.run(['fleet', 'status', '--check']);
    expect([code, said]).toEqual([6, expect.stringMatching(why)]);
  });

  it.each([
    ['something else', (key: string) => ['SET', key, 'hello'], /WRONGTYPE/],
    [
      'more than a team says',
      (key: string) => [
        'EVAL',
        "redis.call('HSET', KEYS[1], 'e', 'life', 'r', 9) for at = 1, 4100 do redis.call('HSET', KEYS[1], 'm:f' .. at, 'x') end",
        '1',
        key,
      ],
      /more reports than a team writes/,
    ],
  ])(
    'when %s stands where an account’s words belong, then the doctor names the key that is to go',
    async (_, put, why) => {
      const { server, user } = await joined();
      const { preferences } = await readPreferences(user.home);
      const found = await fleetOf(preferences.fleet, { home: user.home, env: {}, version: '1.2.3' });
      if (found.kind !== 'ready') throw new Error(found.kind);
      const books = await openAccountBooks(user.home, () => undefined);
      books.nameBy(found.marks);
      books.noteAsked('/project', 'team', { account: 'https://api.example.com a-key', apart: null });
      await patiently(async () =>
        expect((await user.run(['fleet', 'status', '--check'])).said).toContain('✓ team: shared'),
      );
      const [mark = ''] = books.forFleet().marks.values();
      const key = `understudy:acme:{${mark}}`;
      await server.command(...put(key));
      const { code, said } = await user.run(['fleet', 'status', '--check']);
      expect([code, said]).toEqual([6, expect.stringMatching(why)]);
      expect(said).toContain(`delete the key ${key}.`);
    },
  );

  it('when nobody listens there, the name is no host’s, or a secret is gone, then the doctor says which', async () => {
    const { server, user } = await joined();
    await server.kill();
    expect(await user.run(['fleet', 'status', '--check'])).toMatchObject({
      code: 6,
      said: expect.stringContaining('ECONNREFUSED'),
    });
    await user.run(['config', 'set', 'fleet.url', 'redis://no-host.invalid']);
    const { code, said } = await user.run(['fleet', 'status', '--check']);
    expect([code, said]).toEqual([6, expect.stringMatching(/ENOTFOUND|EAI_AGAIN/)]);
    await user.run(['config', 'set', 'fleet.passwordEnv', 'NOT_SET']);
    expect(await user.run(['fleet', 'status', '--check'])).toMatchObject({
      code: 6,
      said: expect.stringMatching(/NOT_SET is not set.*fleet-password/s),
    });
    await writeFile(join(user.home, 'fleet-secret'), 'x');
    expect(await user.run(['fleet', 'status', '--check'])).toMatchObject({
      code: 6,
      said: expect.stringMatching(/contains no team secret.*--secret-env/s),
    });
  });

  it('when something listens there that is no Redis, then the doctor says that, and nothing else', async () => {
    const { user } = await joined();
    const page = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
    onTestFinished(() => void page.close());
    await once(page, 'listening');
    await user.run(['config', 'set', 'fleet.url', `redis://127.0.0.1:${(page.address() as AddressInfo).port}`]);
    const { code, said } = await user.run(['fleet', 'status', '--check']);
    expect([code, said.match(/^✗/gm)?.length, said]).toEqual([
      6,
      1,
      expect.stringContaining('is neither Redis nor Valkey.'),
    ]);
  });

  it('when the app runs, then it joins at once, shows how the server is, and leaves when it is told to', async () => {
    const { server, user } = await joined();
    await startApp(user);
    await patiently(async () =>
      expect((await user.run(['fleet'])).said).toContain('Team acme, this machine is b-7. The server answers.'),
    );
    await server.kill();
    await patiently(async () => expect((await user.run(['fleet'])).said).toContain('This machine works alone'));
    expect(await user.run(['fleet', 'leave'])).toMatchObject({ code: 0 });
    expect((await user.run(['fleet'])).said).toContain('in no fleet');
  });
});

describe.skipIf(typeof redis === 'string' || !hasOpenssl)(
  'given a team whose server takes encrypted connections',
  () => {
    const draw = (options?: Parameters<typeof drawCertificates>[1]) => drawCertificates(onTestFinished, options);
    async function listening(...options: readonly string[]): Promise<number> {
      const server = await openServer(...options);
      onTestFinished(() => server.close());
      return server.address.port;
    }
    const encrypted = (own: Certificates): Promise<number> => listening(...encryptedBy(own));
    /** Joins, and has the doctor look. */
    async function looked(url: string, ca?: string) {
      const user = await cliUser();
      const args = ['fleet', 'join', url, '--team', 'acme', '--new', ...(ca === undefined ? [] : ['--ca', ca])];
      expect((await user.run(args)).code).toBe(0);
      return await user.run(['fleet', 'status', '--check']);
    }

    it('when the authority of its certificate is named, then all is well', async () => {
      const own = await draw();
      const { code, said } = await looked(`rediss://127.0.0.1:${await encrypted(own)}`, own.ca);
      expect([code, said.match(/^✓ /gm)?.length]).toEqual([0, 6]);
    });

    it.each([
      [
        'its authority is not named',
        async () => looked(`rediss://127.0.0.1:${await encrypted(await draw())}`),
        /certificate.*join … --ca FILE/s,
      ],
      [
        'another authority is named',
        async () => looked(`rediss://127.0.0.1:${await encrypted(await draw())}`, (await draw()).ca),
        /certificate.*join … --ca FILE/s,
      ],
      [
        'its certificate is out of date',
        async () => {
          const own = await draw({ days: -1 });
          return looked(`rediss://127.0.0.1:${await encrypted(own)}`, own.ca);
        },
        /certificate has expired.*its certificate is valid/s,
      ],
      [
        'its certificate is for another name',
        async () => {
          const own = await draw({ names: 'DNS:other.example' });
          return looked(`rediss://127.0.0.1:${await encrypted(own)}`, own.ca);
        },
        /127\.0\.0\.1.*matches this name/s,
      ],
      [
        'it encrypts nothing',
        async () => looked(`rediss://127.0.0.1:${await listening()}`, (await draw()).ca),
        /otherwise redis:\/\//,
      ],
      [
        'it is asked without encryption',
        async () => looked(`redis://127.0.0.1:${await encrypted(await draw())}`),
        /Use rediss:\/\/ for encrypted connections/,
      ],
      [
        'the file of its authority is not there',
        async () => looked('rediss://127.0.0.1:1', '/no/such/ca.pem'),
        /authority of the fleet’s server is missing: \/no\/such\/ca\.pem/,
      ],
      [
        'the file of its authority holds no certificate',
        async () => looked('rediss://127.0.0.1:1', (await draw()).key),
        /contains no certificate/,
      ],
    ])('when %s, then the doctor says so, and what to do', async (_, look, why) => {
      const { code, said } = await look();
      expect([code, said]).toEqual([6, expect.stringMatching(why)]);
    });
  },
);
