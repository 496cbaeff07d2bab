import { registerFeatures } from '../../src/contract/feature-queries';

// As each process does at its start.
registerFeatures();
