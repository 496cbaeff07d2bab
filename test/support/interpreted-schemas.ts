import * as z from 'zod';

// As in the built programs: `OWN_ZOD` in vite.libraries.ts.
z.config({ jitless: true });
