/** A square PNG file. */
export type IconPicture = Readonly<{ size: number; png: Buffer }>;
export const ICNS_SIZES: readonly number[];
export function ico(pictures: readonly IconPicture[]): Buffer;
export function icns(pictures: readonly IconPicture[]): Buffer;
