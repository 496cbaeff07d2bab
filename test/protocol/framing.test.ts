import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_LINE_BYTES } from '../../src/protocol';
import { createLineReader, encodeLine } from '../../src/protocol/framing';

const bytesOf = (text: string) => new TextEncoder().encode(text);

function read(chunks: readonly Uint8Array[], maxBytes?: number) {
  const lines: string[] = [];
  let overflows = 0;
  const reader = createLineReader({
    ...(maxBytes === undefined ? {} : { maxBytes }),
    onLine: (line) => lines.push(line),
    onOverflow: () => {
      overflows += 1;
    },
  });
  for (const chunk of chunks) reader.push(chunk);
  return { lines, overflows, hasPartialLine: reader.hasPartialLine() };
}

describe('given lines cut into chunks anywhere', () => {
  it('when any text is cut at any bytes, then the same lines come out', () => {
    const line = fc
      .string({ unit: 'grapheme', maxLength: 20 })
      .map((text) => text.replaceAll('\n', '').replaceAll('\ufeff', ''));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.array(fc.nat(200), { maxLength: 30 }), (lines, cuts) => {
        const bytes = bytesOf(lines.map((text) => `${text}\n`).join(''));
        const ends = [...new Set([...cuts.filter((cut) => cut < bytes.length), bytes.length])].sort((a, b) => a - b);
        const chunks = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
        const clean = lines.map((text) => new TextDecoder().decode(bytesOf(text)));
        expect(read(chunks)).toEqual({ lines: clean, overflows: 0, hasPartialLine: false });
      }),
    );
  });

  it('when a euro sign is cut in three, then the line is whole', () => {
    const chunks = [...bytesOf('5 €\n')].map((byte) => Uint8Array.of(byte));
    expect(read(chunks)).toEqual({ lines: ['5 €'], overflows: 0, hasPartialLine: false });
  });

  it('when the last line has no newline yet, then it is reported as partial and not delivered', () => {
    expect(read([bytesOf('one\ntw')])).toEqual({ lines: ['one'], overflows: 0, hasPartialLine: true });
  });
});

describe('given a cap of 8 bytes', () => {
  it('when a line has 8 bytes, then it passes', () => {
    expect(read([bytesOf('12345678\n')], 8)).toEqual({ lines: ['12345678'], overflows: 0, hasPartialLine: false });
  });

  it('when a line has 9 bytes, then it overflows once and nothing after it is read', () => {
    const result = read([bytesOf('ok\n123456'), bytesOf('789\nlater\n'), bytesOf('more\n')], 8);
    expect(result).toEqual({ lines: ['ok'], overflows: 1, hasPartialLine: false });
  });

  it('when 3 characters have 9 bytes, then bytes count and not characters', () => {
    expect(read([bytesOf('€€€\n')], 8).overflows).toBe(1);
  });
});

describe('given a reader that was stopped while it delivers', () => {
  it('when more lines stand in the same chunk, then they are not delivered', () => {
    const lines: string[] = [];
    const reader = createLineReader({
      onLine: (line) => {
        lines.push(line);
        reader.stop();
      },
      onOverflow: () => lines.push('overflow'),
    });
    reader.push(bytesOf('one\ntwo\nthree\n'));
    expect(lines).toEqual(['one']);
  });
});

describe('given a message to encode', () => {
  it('when it is exactly 1 MiB, then it is a line; when one byte longer, then it is refused', () => {
    const text = 'x'.repeat(MAX_LINE_BYTES - 2);
    const encoded = encodeLine(text);
    expect(encoded.ok && encoded.line.length).toBe(MAX_LINE_BYTES + 1);
    expect(encodeLine(`${text}y`)).toEqual({ ok: false, reason: '1048577 bytes, more than 1048576' });
  });

  it('when it has few characters but many bytes, then bytes decide', () => {
    expect(encodeLine('€€€', 10)).toEqual({ ok: false, reason: '11 bytes, more than 10' });
  });

  it('when JSON cannot say it, then it is refused and nothing is thrown', () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect(encodeLine(circle).ok).toBe(false);
    expect(encodeLine(undefined)).toEqual({ ok: false, reason: 'not JSON: undefined' });
  });
});
