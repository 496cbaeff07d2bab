import type { KeyPath } from './problem';

export function valueAt(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (Array.isArray(inner)) return inner[Number(key)];
    return isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
  }, value);
}

export function without<T extends object>(value: T, [first = '', ...rest]: KeyPath): T {
  const { [first as keyof T]: inner, ...others } = value;
  if (rest.length > 0 && Array.isArray(inner)) return { ...value, [first]: withoutItem(inner, rest) };
  if (rest.length === 0 || !isObject(inner)) return others as T;
  return { ...others, [first]: without(inner, rest) } as T;
}

function withoutItem(list: readonly unknown[], [index, ...rest]: KeyPath): unknown[] {
  const at = Number(index);
  return rest.length === 0 ? list.toSpliced(at, 1) : list.with(at, without(list[at] as object, rest));
}

/** Lists are leaves, because they are replaced as a whole. */
export function leavesOf(value: unknown, path: KeyPath): (readonly [KeyPath, unknown])[] {
  if (!isObject(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
