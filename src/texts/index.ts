/** Every text people read in the panel, by part of the product; English unless another language is spoken. */

export type { Language } from './catalogue';
export { LANGUAGES, speak, spokenLanguage } from './catalogue';
export { commandTexts } from './commands';
export { eventLogTexts } from './event-log';
export { faultTexts } from './faults';
export { keysTexts } from './keys';
export { setupTexts } from './setup';
export { shellTexts } from './shell';
