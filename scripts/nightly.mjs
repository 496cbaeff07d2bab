// `npm run nightly`: every test there is, those with the tag `nightly` and the whole matrix included, with counts at the end.
// `npm run nightly -- proofs` proves instead that a faster test holds each rule of those tests.
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
