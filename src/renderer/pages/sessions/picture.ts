import { sessionTexts } from '../../../texts';

/** `address` is for display, `blob` for saving. */
export type Picture = Readonly<{ address: string; blob: Blob; width: number; height: number }>;

/** Twice the CSS pixels, for sharp screens. */
const SCALE = 2;

/** Scripts in an SVG image do not run, and nothing is fetched. */
export const addressOf = (svg: string): string => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

/** @throws Error with a message for the user. */
export async function pngOf(svg: string): Promise<Picture> {
  const image = new Image();
  image.src = addressOf(svg);
  await image.decode().catch(() => {
    throw new Error(sessionTexts().export.noPicture);
  });
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * SCALE;
  canvas.height = image.naturalHeight * SCALE;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error(sessionTexts().export.noPicture);
  return { address: canvas.toDataURL('image/png'), blob, width: canvas.width, height: canvas.height };
}
