import * as z from 'zod';
import { InlineKeys } from './inline-schema';
import { ConfigFile, ModelName, SpeakerName } from './schema';

/** Equivalents that every validator supports. */
const PLAIN_PATTERNS: ReadonlyMap<string | undefined, string> = new Map([
  [z.toJSONSchema(ModelName).pattern, '^[^/\\s]+/\\S(?:.*\\S)?$'],
  [z.toJSONSchema(SpeakerName).pattern, '^(?!all$)\\S+$'],
]);

type JsonSchema = Readonly<Record<string, unknown>>;

export const configJsonSchema = (): JsonSchema =>
  jsonSchemaOf(ConfigFile, 'model-fallback.json', 'Chains and limits of Understudy.');

/** For use with OpenCode's own schema: it ignores other keys. */
export const inlineJsonSchema = (): JsonSchema =>
  jsonSchemaOf(InlineKeys, 'opencode.json', 'Chain settings that Understudy reads from OpenCode’s configuration.');

function jsonSchemaOf(schema: z.ZodType, title: string, description: string): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override({ jsonSchema }) {
      const plain = PLAIN_PATTERNS.get(jsonSchema.pattern);
      if (plain !== undefined) jsonSchema.pattern = plain;
    },
  });
  return { $schema, title, description, ...rest };
}
