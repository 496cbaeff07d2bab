/** Every text people read in the panel, by part of the product; English unless another language is spoken. */

export { actTexts } from './acts';
export { amountTexts } from './amounts';
export type { Language, Texts } from './catalogue';
export { LANGUAGES, speak, spokenLanguage } from './catalogue';
export { chainTexts } from './chains';
export { configTexts } from './config';
export { demoTexts } from './demo';
export { draftTexts } from './draft';
export type { Said, Sentence } from './events';
export { eventTexts } from './events';
export { explanationTexts } from './explanation';
export { kindTexts } from './kinds';
export { modelTexts } from './models';
export { moreTexts } from './more';
export { nowTexts } from './now';
export { probeTexts } from './probe';
export { proposalTexts } from './proposals';
export { reasonTexts } from './reasons';
export { setupTexts } from './setup';
export { shellTexts } from './shell';
export { shortcutTexts } from './shortcuts';
export { standingTexts } from './standing';
export { stateTexts } from './states';
export { whatIfTexts } from './what-if';
export { wordTexts } from './words';
