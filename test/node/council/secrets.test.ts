import { readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { holdsSecret, isSecretFile, SEARCHED_MAX_BYTES } from '../../../src/features/council/node/secrets';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

describe('given a file that holds secrets by its kind of name', () => {
  it.each([
    [
      'environments',
      '.env a/.env.local .envrc .env~ .env-prod prod.env .ENV .Env.Production env .env_backup env.json a\\.env docker.env.yml',
    ],
    [
      'keys',
      'id_rsa deploy/id_ed25519 id_rsa_work tls.pem x.key a.p12 b.jks keys.kdbx putty.ppk mail.asc AuthKey.p8 vpn.ovpn K.PEM',
    ],
    [
      'logins of programs',
      '.netrc _netrc .npmrc .pypirc .htpasswd .pgpass .my.cnf .git-credentials .vault-token rclone.conf auth.json master.key',
    ],
    [
      'folders of clouds',
      '.aws/credentials .AWS/config a/.ssh/config .kube/config .docker/config.json .config/gcloud/x.db .config/gh/hosts.yml',
    ],
    [
      'cloud files',
      'kubeconfig prod.kubeconfig service-account.json service_account_prod.json client_secret_1.json application_default_credentials.json app-firebase-adminsdk-x1.json',
    ],
    [
      'secrets by their word',
      'credentials credentials.json secrets.yml config/secret.json secrets-prod.yaml db_password.txt prod-secrets.toml api_keys.json',
    ],
    ['states and histories', 'prod.tfvars terraform.tfstate terraform.tfstate.backup .bash_history .psql_history'],
    [
      'backups and copies',
      'id_rsa.bak id_rsa.2 id_rsa~ credentials.json.old tls.pem-2024-01-31 .env.orig .npmrc_1 id_rsa.bak.1 .id_rsa.swp secrets.yml.save a.key.copy',
    ],
  ])('when it is one of the %s, then nobody reads it', (_, names) => {
    expect(words(names).filter((name) => !isSecretFile(name))).toEqual([]);
  });
});

describe('given a file with a name like those', () => {
  it.each([
    ['samples', '.env.example .env.sample .env.template example.env .env.dist secrets.example.yml'],
    [
      'source code',
      'src/secrets.ts env.ts env.d.ts credentials.test.ts key.ts service-account.ts password.py docs/credentials.md',
    ],
    [
      'other words',
      'keyboard.js environment.json main.tf secret-santa.json README.md .dockerignore src/aws/client.ts tokens.json id_rsa.pub envoy.yaml .github/workflows/auth.yml',
    ],
  ])('when it is one of the %s, then it is read', (_, names) => {
    expect(words(names).filter(isSecretFile)).toEqual([]);
  });
});

describe('given a text', () => {
  const long = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0';
  it.each([
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl'],
    ['a key of PGP', '-----BEGIN PGP PRIVATE KEY BLOCK-----'],
    ['a key of PuTTY', 'PuTTY-User-Key-File-3: ssh-ed25519'],
    ['a token of GitHub', `const token = 'ghp_${'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'}';`],
    ['a key of AWS', 'aws_access_key_id = AKIAQ3EGRIAN7TESTKEY'],
    ['a key of Google', `AIza${long.slice(0, 35)}`],
    ['a key of Anthropic', `sk-ant-api03-${long}${long}`],
    ['a key of OpenAI', `sk-proj-${long}`],
    ['a token of Slack', 'xoxb-123456789012-1234567890123-abcdefghijklmnopqrstuvwx'],
    ['a key of Stripe', `sk_live_${long.slice(0, 24)}`],
    ['an address with a password', 'DATABASE=postgres://user:hunter2secret@db.internal.net:5432/x'],
    ['a token of npm', `//registry.example.org/:_authToken=npm_${long.slice(0, 36)}`],
    ['a key of a service account', `{ "private_key_id": "${'a1'.repeat(20)}" }`],
    ['a key of Azure', `DefaultEndpointsProtocol=https;AccountKey=${'aB3+'.repeat(21)}==`],
    ['a token of Vault', `hvs.${long}`],
    ['a key of Groq', `gsk_${long}${long}`],
    ['a token of a bot', `123456789:AA${long.slice(0, 33)}`],
    ['a webhook', `https://hooks.slack.com/services/T0000/B0000/${long}`],
    ['a token of GitLab', 'glpat-x7Kq2Zp9LmN4vB8cRt5W1'],
  ])('when it has %s, then its file is not read', (_, text) => {
    expect(holdsSecret(`# a note\n${text}\n`)).toBe(true);
  });

  it.each([
    'Set ANTHROPIC_API_KEY, then log in.',
    'postgres://user:$PASSWORD@localhost/x and https://user:<password>@host',
    'sk-your-key-here, ghp_xxx, AKIA…, "apiKey": "{env:KEY}"',
    'https://example.org/a:b@c and git@github.com:owner/name.git',
    '-----BEGIN PUBLIC KEY-----',
    `const hash = 'sha512-${'aB3+'.repeat(20)}';`,
  ])('when it is %s, then its file is read', (text) => expect(holdsSecret(text)).toBe(false));

  it('when it is the source of this product, then none holds a secret', () => {
    const files = readdirSync('src', { recursive: true }).map((file) => `src/${String(file)}`);
    for (const file of files.filter((each) => statSync(each).isFile() && statSync(each).size <= SEARCHED_MAX_BYTES))
      expect([file, holdsSecret(readFileSync(file, 'utf8'))]).toEqual([file, false]);
  });
});
