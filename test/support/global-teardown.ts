import { takeServer } from './shared-server';

async function globalTeardown(): Promise<void> {
  await takeServer()?.stop();
}

export = globalTeardown;
