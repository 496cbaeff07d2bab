/** Lines and columns count from 1. */
export type ConfigProblem = Readonly<{
  /** `error`: the whole file is ignored; `warning`: one key is. */
  severity: 'error' | 'warning';
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
  path: string | null;
  line: number | null;
  column: number | null;
}>;

/** More would not be read, and the protocol has to carry them. */
export const MAX_PROBLEMS = 100;

export type Position = Readonly<{ line: number; column: number }>;

export type KeyPath = readonly (string | number)[];

export function pathText(path: KeyPath): string {
  const parts = path.map((key, index) => {
    if (typeof key === 'number') return `[${key}]`;
    if (!/^[\w$*-]+$/.test(key)) return `[${JSON.stringify(key)}]`;
    return index === 0 ? key : `.${key}`;
  });
  return parts.join('');
}

export function pathKey(path: KeyPath): string {
  return JSON.stringify(path);
}

const UNSAFE = /[\p{Cc}\p{Cf}]/gu;
const MAX_MESSAGE = 400;

export function safeMessage(message: string): string {
  const clean = message.replaceAll(UNSAFE, '');
  return clean.length > MAX_MESSAGE ? `${clean.slice(0, MAX_MESSAGE - 1)}…` : clean;
}
