import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'resources', 'compose');
const text = (name: string): string => readFileSync(join(folder, name), 'utf8');
const yaml = <T>(name: string): T => parse(text(name), { strict: true, uniqueKeys: true }) as T;

type Mount = string | Readonly<{ source: string; target: string; read_only?: boolean }>;
type Service = Readonly<{
  image: string;
  profiles?: readonly string[];
  network_mode?: string;
  ports?: readonly string[];
  command?: readonly string[];
  environment?: Readonly<Record<string, string>>;
  volumes?: readonly Mount[];
  healthcheck?: Readonly<{ test: readonly string[] }>;
}>;

const { services } = yaml<{ services: Readonly<Record<string, Service>> }>('compose.yaml');
const all = Object.values(services);

/** What is mounted where; of a path that is chosen, the source is a variable. */
const mounts = all
  .flatMap(({ volumes = [] }) => volumes)
  .map((volume) => {
    if (typeof volume !== 'string') return { ...volume, isReadOnly: volume.read_only === true };
    const [source = '', target = '', mode] = volume.split(':');
    return { source, target, isReadOnly: mode === 'ro' };
  });
const targets = mounts.map(({ target }) => target);

describe('given the compose file of a trial', () => {
  it('when it is read, then the server of a fleet is there, and what looks at it only where it is asked for', () => {
    expect(Object.entries(services).map(([name, { profiles = [] }]) => [name, profiles])).toEqual([
      ['valkey', []],
      ['prometheus', ['observe']],
      ['grafana', ['observe']],
    ]);
    expect(all.filter(({ image }) => !/^[\w/]+:v?\d[\w.-]*$/.test(image))).toEqual([]);
  });

  it('when it runs, then nothing of it is reached from outside, unless somebody says so', () => {
    const { valkey, prometheus, grafana } = services;
    expect(valkey?.ports).toEqual(['$' + '{FLEET_BIND:-127.0.0.1}:6379:6379']);
    expect(all.filter(({ network_mode, ports }) => network_mode === 'host' && ports !== undefined)).toEqual([]);
    expect(prometheus?.command?.filter((option) => option.startsWith('--web.'))).toEqual([
      expect.stringMatching(/^--web\.listen-address=127\.0\.0\.1:/),
    ]);
    expect(grafana?.environment?.GF_SERVER_HTTP_ADDR).toBe('127.0.0.1');
  });

  it('when its server begins, then it keeps nothing, throws nothing out, and its password is on no command line', () => {
    const { command = [], healthcheck } = services.valkey!;
    const [first = '', second = ''] = (command[2] ?? '').split('\n');
    expect(command.slice(0, 2)).toEqual(['sh', '-c']);
    for (const option of ["--save ''", '--appendonly no', '--maxmemory 64mb', '--maxmemory-policy noeviction', ' - <<'])
      expect(first).toContain(option);
    expect([first.includes('AUTH'), second]).toEqual([false, 'requirepass "$$REDISCLI_AUTH"']);
    expect(healthcheck?.test.join(' ')).not.toMatch(/AUTH|-a /);
  });

  it('when files are mounted, then each is in the repository and is only read; what is yours is a variable', () => {
    const chosen = mounts.filter(({ source }) => source.startsWith('$'));
    expect(chosen.map(({ target }) => target)).toEqual(['/etc/prometheus/metrics-token']);
    const ours = mounts.filter(({ source }) => !source.startsWith('$')).map(({ source }) => source);
    expect(ours.length).toBeGreaterThan(4);
    expect(ours.filter((source) => !existsSync(join(folder, source)))).toEqual([]);
    expect(mounts.filter(({ isReadOnly }) => !isReadOnly)).toEqual([]);
  });

  it('when it names what can be chosen, then the example of the environment has each of them, and nothing else', () => {
    const used = [...text('compose.yaml').matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => name);
    const told = [...text('example.env').matchAll(/^#?(\w+)=/gm)].map(([, name]) => name);
    expect(told.toSorted()).toEqual([...new Set(used)].filter((name) => name !== 'HOME').toSorted());
  });

  it('when all of its files are searched, then no secret is in any, and the one that gets one is no part of the repository', () => {
    const names = readdirSync(folder).filter((name) => name !== '.env');
    expect(names).toContain('example.env');
    const secrets = names.flatMap((name) =>
      [...text(name).matchAll(/(\w*(?:password|auth|secret|token)\w*)["']?[ \t]*[=:][ \t]*(\S+)/gi)].map(
        ([, key = '', value = '']) => [name, key, value],
      ),
    );
    const known = /^\$|^"(?:true|false)"$|^Viewer$/;
    expect(secrets.length).toBeGreaterThan(3);
    expect(secrets.filter(([, , value = '']) => !known.test(value))).toEqual([]);
    expect(text('example.env')).toMatch(/^FLEET_PASSWORD=$/m);
    expect(text('.gitignore')).toMatch(/^\.env$/m);
  });
});

describe('given what the trial looks with', () => {
  const config = yaml<{
    rule_files: string[];
    scrape_configs: { job_name: string; authorization: { credentials_file: string } }[];
  }>('prometheus.yaml');

  it('when Prometheus begins, then each file it names is mounted there, and its job is the one that alerts know', () => {
    const [job, ...others] = config.scrape_configs;
    const named = services.prometheus?.command?.find((option) => option.startsWith('--config.file='));
    const files = [...config.rule_files, job?.authorization.credentials_file, named?.split('=')[1]];
    expect(files.filter((path) => !targets.includes(path ?? ''))).toEqual([]);
    expect([job?.job_name, others]).toEqual(['understudy', []]);
    const alerts = readFileSync(join(root, 'resources', 'grafana', 'understudy-alerts.yaml'), 'utf8');
    expect(alerts).toContain(`up{job="${job?.job_name}"}`);
  });

  it('when Grafana begins, then it finds the dashboard where it is mounted, and Prometheus where that listens', () => {
    const { providers } = yaml<{ providers: { options: { path: string } }[] }>('grafana-dashboards.yaml');
    const { datasources } = yaml<{ datasources: { type: string; url: string }[] }>('grafana-datasource.yaml');
    const { environment = {} } = services.grafana!;
    const home = environment.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH ?? '';
    expect(targets).toContain(home);
    expect(home.startsWith(`${providers[0]?.options.path}/`)).toBe(true);
    expect(datasources.map(({ type, url }) => [type, url])).toEqual([['prometheus', '$PROMETHEUS_URL']]);
    const listens = services.prometheus?.command?.find((option) => option.startsWith('--web.listen-address='));
    expect(environment.PROMETHEUS_URL).toBe(`http://${listens?.split('=')[1]}`);
  });

  it('when the package is made, then these files are in it', () => {
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };
    expect(files).toContain('resources');
  });
});
