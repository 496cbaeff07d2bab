// Writes the two icon formats with several sizes; each entry is an unchanged PNG file.

const ICO_HEADER_BYTES = 6;
const ICO_ENTRY_BYTES = 16;

/** macOS types of a PNG by size in pixels; several are the double density of the previous size. */
const ICNS_TYPES = {
  32: ['ic11'],
  64: ['ic12'],
  128: ['ic07'],
  256: ['ic08', 'ic13'],
  512: ['ic09', 'ic14'],
  1024: ['ic10'],
};

/** Sizes in pixels that `icns` can hold. */
export const ICNS_SIZES = Object.keys(ICNS_TYPES).map(Number);

/**
 * A Windows icon.
 * @param {readonly {size: number, png: Buffer}[]} pictures Square, at most 256 pixels wide.
 */
export function ico(pictures) {
  const header = Buffer.alloc(ICO_HEADER_BYTES + ICO_ENTRY_BYTES * pictures.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  let offset = header.length;
  for (const [index, { size, png }] of pictures.entries()) {
    const at = ICO_HEADER_BYTES + ICO_ENTRY_BYTES * index;
    // One byte each: 0 means 256.
    header.writeUInt8(size % 256, at);
    header.writeUInt8(size % 256, at + 1);
    header.writeUInt16LE(1, at + 4);
    header.writeUInt16LE(32, at + 6);
    header.writeUInt32LE(png.length, at + 8);
    header.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...pictures.map(({ png }) => png)]);
}

/**
 * A macOS icon.
 * @param {readonly {size: number, png: Buffer}[]} pictures Square, of `ICNS_SIZES`.
 */
export function icns(pictures) {
  const parts = pictures.flatMap(({ size, png }) => ICNS_TYPES[size].map((type) => chunk(type, png)));
  return chunk('icns', Buffer.concat(parts));
}

function chunk(type, body) {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(head.length + body.length, 4);
  return Buffer.concat([head, body]);
}
