import { chainTexts } from '../../texts';
import type { NamedTier } from './list-diff';

/** A tier's name, or its number where it has none. */
export const tierPhrase = ({ name, number }: NamedTier): string => name ?? chainTexts().list.tier(number);
