/** An object that throws for each missing property, so that the fake must have everything the shell uses. */
export function only<T extends object>(name: string, parts: T): T {
  return new Proxy(parts, {
    get(target, key) {
      // Promises and printing read these from any object.
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

/** A class with instances that throw in the same way. */
export const newOnly = <C extends abstract new (...given: never[]) => object>(name: string, parts: C): C =>
  new Proxy(parts, {
    construct: (target, given, own) => only(name, Reflect.construct(target, given, own) as object),
  });

const isClass = (value: object): boolean => /^class\b/.test(Function.prototype.toString.call(value));
