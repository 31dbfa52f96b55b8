/** Where the test run's server is. Throws, saying what to do, in a run without one. */
export function testServer(): { readonly address: string; readonly namespace: string } {
  const address = process.env.HOLDPOINT_TEST_ADDRESS;
  if (!address)
    throw new Error('This test needs the Temporal server: run jest without HOLDPOINT_NO_SERVER=1');
  return { address, namespace: process.env.HOLDPOINT_TEST_NAMESPACE || 'default' };
}
