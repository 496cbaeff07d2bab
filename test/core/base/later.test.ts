import { expect, it } from 'vitest';
import * as z from 'zod';
import { later } from '../../../src/core/base/later';
import { AgentEntry, ConfigFile } from '../../../src/core/config/schema';
import { ProviderMapFile } from '../../../src/core/providers/provider-schema';

it('given a schema that is built later, when it is used and opened several times, then it is built once, by the first use', () => {
  let built = 0;
  const schema = later(() => {
    built++;
    return z.object({ a: z.number() });
  });
  expect(built).toBe(0);
  expect([schema.safeParse({ a: 1 }).success, schema.safeParse({ a: '' }).success]).toEqual([true, false]);
  expect(Object.keys(schema.unwrap().shape)).toEqual(['a']);
  expect(schema.unwrap()).toBe(schema.unwrap());
  expect(built).toBe(1);
});

it.each([
  ['a configuration', ConfigFile],
  ['an agent', AgentEntry],
  ['a provider map', ProviderMapFile],
])(
  'given the schema of %s, when it is opened for each entry of a long file, then it is always the same',
  (_, schema) => {
    expect(schema.unwrap()).toBe(schema.unwrap());
  },
);
