import { expect, it } from 'vitest';
import { isSecretFile } from '../../../src/node/council/secrets';

it.each([
  ...[
    '.env',
    'a/.env.local',
    '.envrc',
    '.netrc',
    '.npmrc',
    '.pypirc',
    '.htpasswd',
    '.pgpass',
    '.my.cnf',
    '.git-credentials',
  ],
  ...['id_rsa', 'deploy/id_ed25519', 'tls.pem', 'x.key', 'a.p12', 'b.jks', 'keys.kdbx', 'putty.ppk', 'mail.asc'],
  ...[
    '.aws/credentials',
    '.aws/config',
    '.ssh/config',
    '.kube/config',
    '.docker/config.json',
    'kubeconfig',
    'prod.kubeconfig',
  ],
  ...['credentials', 'credentials.json', 'service-account.json', 'service_account_prod.json', 'client_secret_1.json'],
  ...['secrets.yml', 'config/secret.json', 'prod.tfvars', 'terraform.tfstate', 'terraform.tfstate.backup', 'a\\.env'],
])('%s holds secrets by its name', (path) => expect(isSecretFile(path)).toBe(true));

it.each([
  ...[
    '.env.example',
    '.env.sample',
    'src/secrets.ts',
    'docs/credentials.md',
    'credentials.test.ts',
    'key.ts',
    'keyboard.js',
  ],
  ...[
    'environment.ts',
    'service-account.ts',
    'main.tf',
    'secret-santa.json',
    'README.md',
    '.dockerignore',
    'src/aws/client.ts',
  ],
])('%s is read', (path) => expect(isSecretFile(path)).toBe(false));
