import * as z from 'zod';

/**
 * A schema that is built when it is first used, and once: zod's own builds it anew with each `unwrap`, which costs a
 * millisecond for each entry of a file.
 */
export function later<Schema extends z.ZodType>(make: () => Schema): z.ZodLazy<Schema> {
  let made: Schema | undefined;
  return z.lazy(() => {
    made ??= make();
    return made;
  });
}
