export { unexpanded } from './lines';
export { createLogTeller, type HeardStep, type LogEntry, type LogTeller } from './teller';
