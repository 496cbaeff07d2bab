import * as fc from 'fast-check';
import { runSeed } from './runs';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: runSeed });
