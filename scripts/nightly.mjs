// `npm run nightly`: runs every test, including nightly ones and the whole matrix, with counts at the end. `npm run
// nightly -- proofs` proves instead that faster tests cover their rules.
import process from 'node:process';
import { playProofs } from './nightly-proofs.mjs';
import { playEverything } from './test.mjs';

const [first, ...rest] = process.argv.slice(2);
if (first === 'proofs') {
  process.exitCode = await playProofs(rest);
} else {
  process.env.UNDERSTUDY_NIGHTLY = '1';
  process.exitCode = await playEverything(process.argv.slice(2));
}
