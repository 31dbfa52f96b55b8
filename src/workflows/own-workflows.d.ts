/** Stands for the user's own workflow file; the bundler puts it in place (`src/worker/bundle-options.ts`). */
declare module 'holdpoint-own-workflows';
