/** Files that hold secrets by their names: nobody in a council reads them. */
const SECRET =
  /^(?:\.env(?:\..*)?|\.netrc|\.npmrc|\.pypirc|\.htpasswd|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx))$/i;
/** Written to be read. */
const SAMPLE = /^\.env\.(?:example|sample|template|dist)$/i;

export function isSecretFile(path: string): boolean {
  const name = path.split(/[\\/]/).at(-1) ?? '';
  return SECRET.test(name) && !SAMPLE.test(name);
}
