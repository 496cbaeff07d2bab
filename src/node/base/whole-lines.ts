import type * as z from 'zod';
import { parseJson } from '../../contract/parse-json';
import { open } from './disk';

const PIECE_BYTES = 4 * 1_048_576;
const NEWLINE = 0x0a;

/** Reads up to the last end of a line. */
export async function wholeLines(
  path: string,
  { from, size }: Readonly<{ from: number; size: number }>,
): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const pieces: Buffer[] = [];
    for (let at = from; at < size; ) {
      const length = Math.min(PIECE_BYTES, size - at);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
      if (bytesRead === 0) break;
      pieces.push(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
    const text = Buffer.concat(pieces);
    return text.subarray(0, text.lastIndexOf(NEWLINE) + 1);
  } finally {
    await file.close();
  }
}

export function linesIn<T>(text: string, schema: z.ZodType<T>): readonly T[] {
  return text.split('\n').flatMap((line) => {
    const parsed = schema.safeParse(parseJson(line));
    return parsed.success ? [parsed.data] : [];
  });
}
