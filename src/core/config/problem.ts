/** Something in a configuration file a person should know of. Lines and columns count from 1. */
export type ConfigProblem = Readonly<{
  /** `error`: the whole file is out of force; `warning`: one key is. */
  severity: 'error' | 'warning';
  /** Stable dotted reason, for example `value.wrong`. */
  code:
    | 'file.malformed'
    | 'file.unreadable'
    | 'file.shadowed'
    | 'key.unknown'
    | 'key.duplicate'
    | 'value.wrong'
    | 'place.outside'
    | 'titles.not_a_projects'
    | 'council.not_a_projects'
    | 'accounts.not_a_projects'
    | 'headroom.not_a_projects'
    | 'budget.not_a_projects'
    | 'account.unknown'
    | 'account.withheld'
    | 'limit.kept'
    | 'project.off'
    | 'host.wrong'
    | 'model.doubted'
    | 'model.unpriced'
    | 'name.unknown'
    | 'project.late'
    | 'policy.wrong'
    | 'policy.unknown'
    | 'setting.unavailable'
    | 'glob.empty'
    | 'model.unknown'
    | 'variant.unknown'
    | 'vendor.locked'
    | 'agents.too_many'
    | 'chains.too_many'
    | 'chain.too_long'
    | 'chain.too_deep';
  message: string;
  /** The file; null for what no file says. */
  path: string | null;
  line: number | null;
  column: number | null;
}>;

/** Nobody reads more, and the protocol has to carry them. */
export const MAX_PROBLEMS = 100;

export type Position = Readonly<{ line: number; column: number }>;

/** A path into the file, for example `['agents', 'build', 'fallbackModels', 1]`. */
export type KeyPath = readonly (string | number)[];

/** The path as people write it: `agents.build.fallbackModels[1]`. */
export function pathText(path: KeyPath): string {
  const parts = path.map((key, index) => {
    if (typeof key === 'number') return `[${key}]`;
    if (!/^[\w$*-]+$/.test(key)) return `[${JSON.stringify(key)}]`;
    return index === 0 ? key : `.${key}`;
  });
  return parts.join('');
}

/** The key under which a position is kept. */
export function pathKey(path: KeyPath): string {
  return JSON.stringify(path);
}

const UNSAFE = /[\p{Cc}\p{Cf}]/gu;
const MAX_MESSAGE = 400;

/** A message that shows foreign text, without what could make it read as something else. */
export function safeMessage(message: string): string {
  const clean = message.replaceAll(UNSAFE, '');
  return clean.length > MAX_MESSAGE ? `${clean.slice(0, MAX_MESSAGE - 1)}…` : clean;
}
