/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }] },
  moduleNameMapper: {
    '^holdpoint$': '<rootDir>/src/index.ts',
    '^holdpoint/testing$': '<rootDir>/src/testing/index.ts',
    '^holdpoint/(.*)$': '<rootDir>/src/$1.ts',
  },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  // The first test of a worker process may wait for the server and the workflow bundle.
  testTimeout: 60_000,
  maxWorkers: 2,
};
