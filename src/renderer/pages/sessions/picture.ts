import { sessionTexts } from '../../../texts';

/** A picture of points: what to show, what to save, and its size. */
export type Picture = Readonly<{ address: string; blob: Blob; width: number; height: number }>;

/** Twice as many points as CSS pixels, so that the picture is sharp on any screen. */
const SCALE = 2;

/** An SVG as the address of a picture. Nothing in it runs there, and nothing is fetched. */
export const addressOf = (svg: string): string => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

/** Draws an SVG as PNG. @throws Error with a message for people where the browser cannot. */
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
