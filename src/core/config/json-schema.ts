import * as z from 'zod';
import { InlineKeys } from './inline-schema';
import { ConfigFile, ModelName, SpeakerName } from './schema';

/** What names are read with, and what every validator understands of it; invisible characters are told when the file is read. */
const PLAIN_PATTERNS: ReadonlyMap<string | undefined, string> = new Map([
  [z.toJSONSchema(ModelName).pattern, '^[^/\\s]+/\\S(?:.*\\S)?$'],
  [z.toJSONSchema(SpeakerName).pattern, '^(?!all$)\\S+$'],
]);

type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema of `model-fallback.json`, for editors: what they complete and underline is what we read. */
export const configJsonSchema = (): JsonSchema =>
  jsonSchemaOf(ConfigFile, 'model-fallback.json', 'Chains and limits of Understudy.');

/** The JSON Schema of what we read in `opencode.json`, to stand beside OpenCode's own: it says nothing of other keys. */
export const inlineJsonSchema = (): JsonSchema =>
  jsonSchemaOf(InlineKeys, 'opencode.json', 'What Understudy reads of chains in the file of OpenCode.');

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
