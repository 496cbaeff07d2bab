import { chainTexts } from '../../../texts';
import type { NamedTier } from './list-diff';

export const tierPhrase = ({ name, number }: NamedTier): string => name ?? chainTexts().list.tier(number);
