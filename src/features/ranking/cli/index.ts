export { addChainData } from './data';
export { addSuggest } from './suggest';
