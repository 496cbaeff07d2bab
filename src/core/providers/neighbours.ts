/** A plugin that answers a failure with another model, too. */
export type Neighbour = Readonly<{
  name: string;
  how: string;
}>;

type NeighbourRule = Readonly<{ name: RegExp; how: (name: string) => string }>;

/** How each kind of such plugin leaves failures to us. The first that fits counts. */
const KNOWN: readonly NeighbourRule[] = [
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

/** The plugin that would act on the same failures, by an entry of OpenCode's list; null for any other. */
export function neighbourIn(spec: string): Neighbour | null {
  const found = namesIn(spec).flatMap((name) => {
    const known = KNOWN.find((each) => each.name.test(name));
    return known ? [{ name, how: known.how(name) }] : [];
  });
  return found[0] ?? null;
}

/** What to do about each plugin in OpenCode's list that would act on the same failures, in words for people. */
export function neighbourWarnings(plugins: unknown): readonly string[] {
  const entries: readonly unknown[] = Array.isArray(plugins) ? plugins : [];
  // An entry may carry options: `[name, options]`.
  const specs = entries.map((entry) => (Array.isArray(entry) ? entry[0] : entry));
  const found = specs.flatMap((spec) => (typeof spec === 'string' ? (neighbourIn(spec) ?? []) : []));
  const warnings = found.map(
    ({ name, how }) =>
      `${name} does fallbacks of its own, and both would act on the same failure. To leave it to Understudy, ${how}.`,
  );
  return [...new Set(warnings)];
}

/** What a plugin may be called: an npm name without scope and version, or any folder or file of a path. */
function namesIn(spec: string): string[] {
  const isPath = /^file:|^[./~]|^[a-z]:\\/i.test(spec);
  if (!isPath) return [spec.replace(/^@[^/]+\//, '').replace(/@.*$/, '')];
  return spec.split(/[\\/]/).map((part) => part.replace(/\.[cm]?[jt]s$/, ''));
}
