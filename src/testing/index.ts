export { TestingError, type TestingErrorType } from './testing-error';
export { type OnProgress } from './progress';
export { freePort } from './free-port';
export { HOLDPOINT_SEARCH_ATTRIBUTES } from './search-attributes';
export { type DynamicConfigValue, type ServerLogLevel } from './server-arguments';
export { startTestServer, type TestServer, type TestServerOptions } from './temporal-server';
