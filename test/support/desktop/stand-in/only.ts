/**
 * An object that throws when anything is asked of it that it does not have, so that whatever the shell uses of Electron
 * has to be in the stand-in first.
 */
export function only<T extends object>(name: string, parts: T): T {
  return new Proxy(parts, {
    get(target, key) {
      // Promises and printing look for these on anything.
      if (typeof key === 'symbol' || key === 'then' || key === 'toJSON' || key in target) {
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' && !isClass(value) ? value.bind(target) : value;
      }
      throw new TypeError(`The stand-in has no ${name}.${key}.`);
    },
    set(target, key, value) {
      if (!(key in target)) throw new TypeError(`The stand-in has no ${name}.${String(key)}.`);
      return Reflect.set(target, key, value, target);
    },
  });
}

/** A class whose instances throw in the same way. */
export const newOnly = <C extends abstract new (...given: never[]) => object>(name: string, parts: C): C =>
  new Proxy(parts, {
    construct: (target, given, own) => only(name, Reflect.construct(target, given, own) as object),
  });

const isClass = (value: object): boolean => /^class\b/.test(Function.prototype.toString.call(value));
