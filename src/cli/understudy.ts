import process from 'node:process';
import { runToExit } from '../node/base/output';
import { shippedBeside } from '../node/base/shipped';
import { runCommandLineHere } from './here';

const shipped = shippedBeside(import.meta.dirname);
await runToExit(() => runCommandLineHere(process.argv.slice(2), shipped, `node ${process.versions.node}`));
