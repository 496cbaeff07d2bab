import process from 'node:process';
import { attachCore } from '../node/open-core';
import { leave, runPanelHere } from '../panel/process';
import { runDemoHere } from './demo/process';
import { runCommandLine } from './program';

const version = __UNDERSTUDY_VERSION__;
const runtime = `node ${process.versions.node}`;

leave(
  await runCommandLine(process.argv.slice(2), {
    version,
    attachCore: () => attachCore({ version, runtime, env: process.env }),
    runPanel: (options) => runPanelHere({ ...options, version }),
    runDemo: (options) => runDemoHere({ ...options, version }),
    print: (text) => console.log(text),
    printError: (text) => console.error(text),
  }),
);
