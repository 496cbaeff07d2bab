/** Reuses equal parts of `previous`, so that they do not rerender. Plain data only. */
export function shareUnchanged<T>(previous: unknown, next: T): T {
  if (previous === next || !isBranch(previous) || !isBranch(next)) return next;
  if (Array.isArray(previous) !== Array.isArray(next)) return next;
  const old = previous as Readonly<Record<string, unknown>>;
  const keys = Object.keys(next);
  let isSame = keys.length === Object.keys(previous).length;
  const shared: Record<string, unknown> | unknown[] = Array.isArray(next) ? [] : {};
  for (const key of keys) {
    const value = shareUnchanged(Object.hasOwn(old, key) ? old[key] : undefined, (next as typeof old)[key]);
    (shared as Record<string, unknown>)[key] = value;
    isSame &&= Object.hasOwn(old, key) && value === old[key];
  }
  return (isSame ? previous : shared) as T;
}

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;
