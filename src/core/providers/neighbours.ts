/** A plugin that also switches models after failures; `how` is the instruction to turn that off. */
export type Neighbour = Readonly<{
  name: string;
  how: string;
}>;

type NeighbourRule = Readonly<{ name: RegExp; how: (name: string) => string }>;

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
    how: (name) => `remove ${name} from "plugin" in OpenCode’s configuration`,
  },
];

export function neighbourIn(spec: string): Neighbour | null {
  const found = namesIn(spec).flatMap((name) => {
    const neighbour = KNOWN.find((each) => each.name.test(name));
    return neighbour ? [{ name, how: neighbour.how(name) }] : [];
  });
  return found[0] ?? null;
}

export function neighbourWarnings(plugins: unknown): readonly string[] {
  const entries: readonly unknown[] = Array.isArray(plugins) ? plugins : [];
  // An entry may have options: `[name, options]`.
  const specs = entries.map((entry) => (Array.isArray(entry) ? entry[0] : entry));
  const found = specs.flatMap((spec) => (typeof spec === 'string' ? (neighbourIn(spec) ?? []) : []));
  const warnings = found.map(
    ({ name, how }) =>
      `${name} also switches models after failures, and both would act on the same failure. To use only Understudy, ${how}.`,
  );
  return [...new Set(warnings)];
}

/** An npm name without scope and version, or each part of a path. */
function namesIn(spec: string): string[] {
  const isPath = /^file:|^[./~]|^[a-z]:\\/i.test(spec);
  if (!isPath) return [spec.replace(/^@[^/]+\//, '').replace(/@.*$/, '')];
  return spec.split(/[\\/]/).map((part) => part.replace(/\.[cm]?[jt]s$/, ''));
}
