import { isAddressWord } from '../rules/process/route';

export type Dropped = Readonly<{ ok: true; place: string } | { ok: false; why: 'noPath' | 'noFolder' }>;

type Dragged = Pick<DataTransfer, 'files' | 'getData'> &
  Readonly<{ items: ArrayLike<Pick<DataTransferItem, 'kind' | 'webkitGetAsEntry'>> }>;

/** @param pathOf absent in a browser, which hides paths. */
export function droppedPlace(dragged: Dragged, pathOf: ((file: File) => string) | undefined): Dropped {
  const [file] = dragged.files;
  if (file === undefined) {
    const text = (dragged.getData('text/uri-list') || dragged.getData('text/plain')).split('\n', 1)[0]?.trim() ?? '';
    return isAddressWord(text) ? { ok: true, place: text } : { ok: false, why: 'noFolder' };
  }
  const isFolder = [...Array.from(dragged.items)].some(
    (item) => item.kind === 'file' && item.webkitGetAsEntry()?.isDirectory === true,
  );
  if (!isFolder) return { ok: false, why: 'noFolder' };
  const path = pathOf?.(file) ?? '';
  return path === '' ? { ok: false, why: 'noPath' } : { ok: true, place: path };
}
