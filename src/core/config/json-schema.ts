import * as z from 'zod';
import { InlineKeys } from './inline-schema';
import { ConfigFile, ModelName } from './schema';

/** What every validator understands; invisible characters are told when the file is read. */
const MODEL_PATTERN = '^[^/\\s]+/\\S(?:.*\\S)?$';
/** What {@link ModelName} is read with. */
const MODEL_NAME = z.toJSONSchema(ModelName).pattern;

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
      if (jsonSchema.pattern === MODEL_NAME) jsonSchema.pattern = MODEL_PATTERN;
    },
  });
  return { $schema, title, description, ...rest };
}
