/** Every text people read in the panel, by part of the product; English unless another language is spoken. */

export type { Language } from './catalogue';
export { LANGUAGES, speak, spokenLanguage } from './catalogue';
export { eventLogTexts } from './event-log';
export { shellTexts } from './shell';
