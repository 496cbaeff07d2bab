/** Files that hold secrets by their names: nobody in a council reads them. */
const NAMES = [
  ...[
    /\.env(?:\..*)?/,
    /\.envrc/,
    /\.netrc/,
    /_netrc/,
    /\.npmrc/,
    /\.yarnrc\.yml/,
    /\.pypirc/,
    /\.htpasswd/,
    /\.pgpass/,
  ],
  ...[/\.git-credentials/, /\.my\.cnf/, /\.dockercfg/, /\.vault-token/, /kubeconfig/, /.*\.kubeconfig/],
  ...[/id_(?:rsa|dsa|ecdsa|ed25519)/, /.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg)/],
  ...[/credentials(?:\.(?:json|ya?ml|toml|ini|properties))?/, /(?:client[-_]secret|service[-_]?account).*\.json/],
  ...[/secrets?\.(?:json|ya?ml|toml|ini|properties|env)/, /.*\.tfvars(?:\.json)?/, /.*\.tfstate(?:\.backup)?/],
];
const SECRET = new RegExp(`^(?:${NAMES.map(({ source }) => source).join('|')})$`, 'i');
/** Folders of programs that keep keys in them. */
const FOLDERS: ReadonlySet<string> = new Set(['.aws', '.ssh', '.gnupg', '.kube', '.docker', '.azure', '.gcloud']);
/** Written to be read. */
const SAMPLE = /^\.env\.(?:example|sample|template|dist)$/i;

export function isSecretFile(path: string): boolean {
  const parts = path.split(/[\\/]/);
  const name = parts.at(-1) ?? '';
  return (SECRET.test(name) && !SAMPLE.test(name)) || parts.slice(0, -1).some((part) => FOLDERS.has(part));
}
