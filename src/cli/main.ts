#!/usr/bin/env node
import { runCli } from './program';

// A reader that has enough, such as `head`, closes the pipe: that is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

void runCli(process.argv.slice(2)).then((code) => {
  // Not `process.exit`: what was written may still be on its way.
  process.exitCode = code;
});
