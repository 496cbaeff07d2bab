import * as z from 'zod';
import { ConfigFile } from './schema';

/** What every validator understands; invisible characters are told when the file is read. */
const MODEL_PATTERN = '^[^/\\s]+/\\S(?:.*\\S)?$';

/** The JSON Schema of `model-fallback.json`, for editors: what they complete and underline is what we read. */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...rest } = z.toJSONSchema(ConfigFile, {
    io: 'input',
    override({ jsonSchema }) {
      if (jsonSchema.pattern !== undefined) jsonSchema.pattern = MODEL_PATTERN;
    },
  });
  return { $schema, title: 'model-fallback.json', description: 'Chains and limits of Understudy.', ...rest };
}
