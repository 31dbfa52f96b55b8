/** Packages that are ES modules only: Node loads them with `require`, jest cannot. */
const ES_MODULES = ['jose', 'openid-client', 'oauth4webapi', 'oidc-provider'];
const swc = (syntax) => ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax } } }];
const page = [
  '@swc/jest',
  {
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', tsx: true },
      transform: { react: { runtime: 'automatic', importSource: 'hono/jsx' } },
    },
  },
];

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  transform: {
    '^.+\\.ts$': swc('typescript'),
    '^.+\\.tsx$': page,
    [`/node_modules/(${ES_MODULES.join('|')})/.+\\.js$`]: swc('ecmascript'),
  },
  transformIgnorePatterns: [`/node_modules/(?!(${ES_MODULES.join('|')})/)`],
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
