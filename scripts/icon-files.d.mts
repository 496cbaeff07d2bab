/** One picture of an icon: a square PNG file. */
export type IconPicture = Readonly<{ size: number; png: Buffer }>;
/** The sizes, in pixels, that `icns` can hold. */
export const ICNS_SIZES: readonly number[];
/** A Windows icon of pictures at most 256 pixels wide. */
export function ico(pictures: readonly IconPicture[]): Buffer;
/** A macOS icon of pictures of `ICNS_SIZES`. */
export function icns(pictures: readonly IconPicture[]): Buffer;
