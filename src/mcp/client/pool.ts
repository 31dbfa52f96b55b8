import { connectMcp, type ConnectOptions, type McpConnection } from './connection';

/** One connection to a server, made when it is first needed and again after it has ended. */
export interface ConnectionPool {
  /** Rejects when the server cannot be reached; the next use tries again. */
  use(): Promise<McpConnection>;
  /** Ends the connection. A later use makes a new one. */
  close(): Promise<void>;
}

/** Calls share the connection: MCP carries as many at once as are made. */
export function connectionPool(options: ConnectOptions): ConnectionPool {
  let current: Promise<McpConnection> | undefined;
  return {
    use() {
      if (current) return current;
      const made = connectMcp(options);
      current = made;
      const forget = (): void => {
        if (current === made) current = undefined;
      };
      made.then(({ closed }) => closed.then(forget), forget);
      return made;
    },
    async close() {
      const open = current;
      current = undefined;
      await open?.then(
        (connection) => connection.close(),
        () => undefined,
      );
    },
  };
}
