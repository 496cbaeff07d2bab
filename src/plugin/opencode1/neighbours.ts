type Neighbour = Readonly<{ name: RegExp; how: (name: string) => string }>;

/** Plugins that answer a failure with another model, and how each leaves that to us. The first that fits counts. */
const NEIGHBOURS: readonly Neighbour[] = [
  {
    name: /^oh-my-opencode-(?:slim|theseus)$/,
    how: (name) => `set "fallback": { "enabled": false } in ${name}.json`,
  },
  {
    name: /^oh-my-(?:opencode|openagent)$/,
    how: (name) => `set "model_fallback": false and "runtime_fallback": { "enabled": false } in ${name}.json`,
  },
  {
    name: /^opencode-.*(?:fallback|failover|rate-limit)|^(?:rate-limit|model)-fallback$/,
    how: (name) => `take ${name} out of "plugin" in OpenCode’s configuration`,
  },
];

/** What to do about each plugin in OpenCode's list that would act on the same failures, in words for people. */
export function neighbourWarnings(plugins: unknown): readonly string[] {
  const entries: readonly unknown[] = Array.isArray(plugins) ? plugins : [];
  // An entry may carry options: `[name, options]`.
  const specs = entries.map((entry) => (Array.isArray(entry) ? entry[0] : entry));
  const names = new Set(specs.flatMap((spec) => (typeof spec === 'string' ? namesIn(spec) : [])));
  return [...names].flatMap((name) => {
    const neighbour = NEIGHBOURS.find((each) => each.name.test(name));
    return neighbour
      ? [
          `${name} does fallbacks of its own, and both would act on the same failure. To leave it to Understudy, ${neighbour.how(name)}.`,
        ]
      : [];
  });
}

/** What a plugin may be called: an npm name without scope and version, or any folder or file of a path. */
function namesIn(spec: string): string[] {
  const isPath = /^file:|^[./~]|^[a-z]:\\/i.test(spec);
  if (!isPath) return [spec.replace(/^@[^/]+\//, '').replace(/@.*$/, '')];
  return spec.split(/[\\/]/).map((part) => part.replace(/\.[cm]?[jt]s$/, ''));
}
