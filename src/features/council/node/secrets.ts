/** Source code; only the content is checked. */
const CODE =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|kts|scala|swift|cs|fs|vb|c|h|cc|cpp|hpp|m|mm|php|pl|lua|ex|exs|erl|hs|clj|dart|vue|svelte|css|scss|less|html?|md|mdx|rst|adoc|tf|nix|sql|proto|graphql)$/i;
const SAMPLE = /(?:^|[._-])(?:example|sample|template|dist|schema)(?:[._-]|$)/i;
/** Endings such as `~`, `.bak`, `.2`, ` (1)` and `-2024-01-31`. */
const COPY =
  /(?:~|[._ -](?:bak|back|backup|old|orig|original|prev|save|saved|copy|tmp|temp|swp|swo|disabled|off|rpmsave|dpkg-old|dist-old)|[._ -]?\(?\d{1,14}\)?|[._-]\d{4}-\d\d-\d\d(?:[T_]?\d*)?)$/i;
const NAMES: readonly RegExp[] = [
  /(?:^|[^a-z0-9])env(?:$|[^a-z0-9])/,
  /^\.envrc$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:[._-](?!pub$).*)?$/,
  /\.(?:pem|key|p8|p12|pfx|pkcs12|jks|jceks|bks|keystore|keytab|kdbx?|psafe3|ppk|asc|gpg|pgp|age|agekey|ovpn|keychain|keychain-db|mobileprovision|kubeconfig)$/,
  /^\.?(?:credentials|creds|client[-_]?secrets|secrets|passwords|api[-_]?keys)(?:[._-].*)?$/,
  /^\.?(?:credential|secret|password|passwd|api[-_]?key)(?:[._].*)?$/,
  /(?:^|[._-])(?:credentials?|creds|secrets?|passwords?)\.(?:json|ya?ml|toml|ini|cfg|conf|properties|txt|xml|plist|csv)$/,
  /^(?:client[-_]?secret|service[-_]?account|firebase[-_]?adminsdk|.*[-_]adminsdk[-_]).*\.json$/,
  /^(?:application_default_credentials|gha-creds-.*|key-?file)\.(?:json|ya?ml)$|^auth\.json$/,
  /^(?:\.netrc|_netrc|\.npmrc|\.yarnrc\.yml|\.pypirc|\.htpasswd|\.pgpass|pgpass\.conf|\.my\.cnf|\.mylogin\.cnf|\.dockercfg|\.dockerconfigjson)$/,
  /^(?:\.git-credentials|\.vault-token|\.boto|\.s3cfg|\.terraformrc|terraform\.rc|rclone\.conf|wg\d*\.conf|master\.key|wallet\.dat|kubeconfig)$/,
  /^(?:settings-security\.xml|nuget\.config|\.gem-credentials|\.aiprofile|\.sentryclirc|\.snyk-token|\.cloudflared\.json)$/,
  /\.(?:tfvars|tfstate)(?:\.(?:json|backup))?$/,
  /^\.[a-z0-9]+_history$/,
];
const FOLDERS =
  /(?:^|\/)(?:\.(?:aws|ssh|gnupg|kube|docker|azure|gcloud|oci|vercel|netlify|fly|heroku|wrangler|password-store|bluemix|minikube|chef)|\.config\/(?:gcloud|gh|hub|doctl|rclone|op|sops|configstore))\//i;

export function isSecretFile(path: string): boolean {
  const parts = path.split(/[\\/]/);
  if (FOLDERS.test(`${parts.slice(0, -1).join('/')}/`)) return true;
  for (let name = (parts.at(-1) ?? '').toLowerCase(), before = ''; name !== before; ) {
    if (NAMES.some((pattern) => pattern.test(name)) && !SAMPLE.test(name) && !CODE.test(name)) return true;
    before = name;
    name = name.replace(/^\.(.*\.sw[a-p])$/, '$1').replace(COPY, '');
  }
  return false;
}

export const SEARCHED_MAX_BYTES = 65_536;

/** Formats documented by the issuers. Other secrets, such as passwords, are found only by file name. */
const TEXTS: readonly RegExp[] = [
  // Keys: RFC 7468, RFC 4880, PuTTY, age
  /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/,
  /PuTTY-User-Key-File-\d/,
  /AGE-SECRET-KEY-1[0-9A-Z]{20,}/,
  // Clouds: Amazon, Google, Microsoft, DigitalOcean, Cloudflare, Databricks, Vault, Terraform, Pulumi
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /aws_?(?:secret|session)_?(?:access_?key|token)["']?\s*[:=]\s*["']?[0-9A-Za-z/+]{40}/i,
  /\bAIza[\w-]{35}|\bya29\.[\w-]{30,}|"private_key_id"\s*:\s*"[0-9a-f]{40}"|\bGOCSPX-[\w-]{28}/,
  /\b(?:AccountKey|SharedAccessKey)=[0-9A-Za-z+/]{40,}={0,2}/,
  /\bdo[opr]_v1_[0-9a-f]{64}|\bdapi[0-9a-f]{32}|\bhv[sbr]\.[\w-]{24,}|\b[0-9A-Za-z]{14}\.atlasv1\.[\w-]{60,}|\bpul-[0-9a-f]{40}/,
  // Code and packages: GitHub, GitLab, npm, PyPI, RubyGems, Docker, JFrog, Shopify, Postman
  /\bgh[pousr]_[0-9A-Za-z]{36,}|\bgithub_pat_\w{22,}|\bgl(?:pat|dt|rt|cbt|ptt|soat)-[\w-]{20,}/,
  /\bnpm_[0-9A-Za-z]{36}|:_(?:authToken|password)=[^\s$]{8,}|\bpypi-[\w-]{50,}|\brubygems_[0-9a-f]{48}|\bdckr_pat_[\w-]{24,}/,
  /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}|\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}/,
  // Models: Anthropic, OpenAI, OpenRouter, Groq, xAI, Hugging Face, Replicate, Perplexity
  /\bsk-(?:ant|proj|svcacct|admin|or-v1|lf)-[\w-]{32,}|\bsk-[0-9A-Za-z]{20}T3BlbkFJ[0-9A-Za-z]{20}/,
  /\bgsk_[0-9A-Za-z]{40,}|\bxai-[0-9A-Za-z]{60,}|\bhf_[0-9A-Za-z]{30,}|\br8_[0-9A-Za-z]{37}|\bpplx-[0-9A-Za-z]{40,}/,
  // Messages and money: Slack, Discord, Telegram, Twilio, SendGrid, Mailgun, Stripe, Square, Linear, Notion, Figma,
  // 1Password, Grafana, Sentry
  /\bxox[abeoprs]-[0-9A-Za-z-]{20,}|\bxapp-\d-[0-9A-Za-z-]{20,}|hooks\.slack\.com\/(?:services|workflows)\/[0-9A-Za-z/]{20,}/,
  /discord(?:app)?\.com\/api\/webhooks\/\d{17,}\/[\w-]{60,}|\b\d{8,10}:AA[\w-]{33}\b|\bSK[0-9a-f]{32}\b/,
  /\bSG\.[\w-]{16,32}\.[\w-]{16,64}|\bkey-[0-9a-f]{32}\b|\b[rs]k_(?:live|test)_[0-9A-Za-z]{16,}|\bwhsec_[0-9A-Za-z+/]{24,}|\bsq0(?:atp|csp)-[\w-]{22,}/,
  /\blin_(?:api|oauth)_[0-9A-Za-z]{32,}|\b(?:secret|ntn)_[0-9A-Za-z]{40,}|\bfigd_[\w-]{40,}|\bops_eyJ[\w-]{60,}|\bgl(?:sa|c)_[\w+/=]{32,}|\bsntry[su]_[\w+/=.-]{40,}/,
  // An address with a password
  /\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:/?#@"'`<>{}$]{1,80}:(?!\/\/)[^\s:/?#@"'`<>{}$*]{6,80}@[\w.-]{1,100}/i,
];

export const holdsSecret = (text: string): boolean => TEXTS.some((pattern) => pattern.test(text));
