import process from 'node:process';
import { print, printError, runToExit } from '../node/base/output';
import { shippedBeside } from '../node/base/shipped';
import { PANEL_HELP, readPanelArguments } from './arguments';
import { runPanelHere } from './process';

await runToExit(async () => {
  const wish = readPanelArguments(process.argv.slice(2));
  switch (wish.kind) {
    case 'help':
      print(PANEL_HELP);
      return 0;
    case 'version':
      print(__UNDERSTUDY_VERSION__);
      return 0;
    case 'wrong':
      printError(`${wish.reason}\nSee --help.`);
      return 2;
    case 'serve':
      return await runPanelHere({
        ...wish,
        ...shippedBeside(import.meta.dirname),
        version: __UNDERSTUDY_VERSION__,
        runtime: `node ${process.versions.node}`,
      });
  }
});
