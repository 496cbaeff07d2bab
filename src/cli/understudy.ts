import process from 'node:process';
import { shippedBeside } from '../node/base/shipped';
import { leave } from '../panel/process';
import { runCommandLineHere } from './here';

const shipped = shippedBeside(import.meta.dirname);
leave(await runCommandLineHere(process.argv.slice(2), shipped, `node ${process.versions.node}`));
