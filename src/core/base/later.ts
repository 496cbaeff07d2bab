import * as z from 'zod';

/** Zod's own `lazy` rebuilds the schema at each `unwrap`, which costs 1 ms per entry of a file. */
export function later<Schema extends z.ZodType>(make: () => Schema): z.ZodLazy<Schema> {
  let made: Schema | undefined;
  return z.lazy(() => {
    made ??= make();
    return made;
  });
}
