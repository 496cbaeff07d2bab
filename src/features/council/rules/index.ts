/**
 * A council: several models look at one thing in turn, and no voice of theirs is lost to an error. Pure, like the engine: time comes as an
 * argument, and what is to be done goes out as commands.
 */
export {
  DEFAULT_MAX_COST,
  DEFAULT_PARALLEL,
  RETRIES,
  type Settings,
  type Speaker,
  speakerProblems,
} from './base/settings';
