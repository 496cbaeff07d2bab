/** The fallback log in its published format: lines for people and records for programs. */
export { unexpanded } from './lines';
export { createLogTeller, type HeardStep, type LogEntry, type LogTeller } from './teller';
