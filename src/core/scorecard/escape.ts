import { visible } from '../../engine/tools';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Also valid within quoted attributes. */
export const escapeMarkup = (text: string): string =>
  visible(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
