import { Connection } from '@temporalio/client';
import { InternalConnectionOptionsSymbol } from '@temporalio/client/lib/connection';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { NativeConnection, Runtime } from '@temporalio/worker';
import type { ServerProcess } from './server-process';

/**
 * The SDK's test environment on a server that we started. The SDK would start it itself, but gives it five
 * seconds, which a Java process on a busy machine does not keep to, and leaves it behind when this process
 * is killed.
 */
export class TimeSkippingEnvironment extends TestWorkflowEnvironment {
  #process: ServerProcess | undefined;

  /** Connects to `server` at `address`; `teardown()` ends both. */
  static async at(address: string, server: ServerProcess): Promise<TimeSkippingEnvironment> {
    const options = { address, [InternalConnectionOptionsSymbol]: { supportsTestService: true } };
    const nativeConnection = await NativeConnection.connect(options);
    const connection = await Connection.connect(options);
    const environment = new this(
      Runtime.instance(),
      { client: {}, plugins: [], server: { type: 'existing' } },
      true,
      'existing',
      connection,
      nativeConnection,
      undefined,
      address,
    );
    environment.#process = server;
    return environment;
  }

  override async teardown(): Promise<void> {
    await super.teardown();
    await this.#process?.stop();
  }
}
