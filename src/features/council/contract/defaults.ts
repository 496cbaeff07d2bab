export { DEFAULT_MAX_COST, DEFAULT_PARALLEL } from '../rules/base/settings';
