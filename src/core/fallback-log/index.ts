/** The log of fallbacks in its published format: what happened, as lines for people and as records for programs. */
export { unexpanded } from './lines';
export { createLogTeller, type HeardStep, type LogEntry, type LogTeller } from './teller';
