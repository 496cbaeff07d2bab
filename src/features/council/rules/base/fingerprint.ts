const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;
const HEX_DIGITS = 16;

/** 64-bit FNV-1a over UTF-8, in hexadecimal; equal on all machines. Not collision-resistant. */
export function fingerprint(text: string): string {
  let hash = OFFSET;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * PRIME);
  return hash.toString(16).padStart(HEX_DIGITS, '0');
}
