import { inflateSync } from 'node:zlib';

/** Pixels as red, green, blue and alpha, from the top left. */
export type Picture = Readonly<{ width: number; height: number; pixels: Uint8Array }>;

const CHANNELS = 4;

/** Reads a PNG of eight bits a channel with alpha, not interlaced. @throws Error on any other. */
export function readPng(file: Buffer): Picture {
  if (file.toString('latin1', 1, 4) !== 'PNG') throw new Error('This is no PNG.');
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  if (file.toString('hex', 24, 29) !== '0806000000') throw new Error('Only RGBA of eight bits can be read.');
  const data: Buffer[] = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const length = file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(file.subarray(at + 8, at + 8 + length));
  }
  return { width, height, pixels: unfilter(inflateSync(Buffer.concat(data)), width * CHANNELS, height) };
}

/** Rows are stored as differences from their neighbours. */
function unfilter(raw: Buffer, rowBytes: number, height: number): Uint8Array {
  const pixels = new Uint8Array(rowBytes * height);
  for (let row = 0; row < height; row += 1) {
    const filter = raw[row * (rowBytes + 1)] ?? 0;
    for (let column = 0; column < rowBytes; column += 1) {
      const at = row * rowBytes + column;
      const left = column < CHANNELS ? 0 : (pixels[at - CHANNELS] ?? 0);
      const up = row === 0 ? 0 : (pixels[at - rowBytes] ?? 0);
      const corner = row === 0 || column < CHANNELS ? 0 : (pixels[at - rowBytes - CHANNELS] ?? 0);
      const guesses = [0, left, up, (left + up) >> 1, paeth(left, up, corner)];
      pixels[at] = (raw[row * (rowBytes + 1) + 1 + column] ?? 0) + (guesses[filter] ?? 0);
    }
  }
  return pixels;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

export function readIco(file: Buffer): Map<number, Buffer> {
  if (file.readUInt32LE(0) !== 0x10000) throw new Error('This is no icon.');
  const entries = Array.from({ length: file.readUInt16LE(4) }, (_, index): [number, Buffer] => {
    const at = 6 + 16 * index;
    const start = file.readUInt32LE(at + 12);
    return [file[at] || 256, file.subarray(start, start + file.readUInt32LE(at + 8))];
  });
  return new Map(entries);
}

/** PNG files of a macOS icon, by type. @throws Error if lengths are wrong. */
export function readIcns(file: Buffer): Map<string, Buffer> {
  if (file.toString('latin1', 0, 4) !== 'icns' || file.readUInt32BE(4) !== file.length)
    throw new Error('This is no whole icns.');
  const entries = new Map<string, Buffer>();
  for (let at = 8; at < file.length; at += file.readUInt32BE(at + 4)) {
    entries.set(file.toString('latin1', at, at + 4), file.subarray(at + 8, at + file.readUInt32BE(at + 4)));
  }
  return entries;
}
